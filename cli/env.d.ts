/** The bindings of a Worker. The commands have none, but share types with the service. */
type Env = object
