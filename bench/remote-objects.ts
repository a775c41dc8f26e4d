/** What the runtime's configuration passes to this module. */
interface InnerBindings {
  /**
   * A namespace with the same unique key, which derives the same ids from names as the other
   * process does.
   */
  ids: DurableObjectNamespace
  port: { connect(address: string): { getActor(...target: string[]): DurableObjectStub } }
  address: string
  service: string
  className: string
}

/**
 * A Durable Object namespace whose objects live in another process, as on the platform they live on
 * another machine. It replaces the worker's own binding, and the worker sees no difference.
 */
export default function remoteObjects({ ids, port, address, service, className }: InnerBindings) {
  // A connection belongs to the request that opens it, so the service and the floor both pay for
  // one per call.
  const get = (id: DurableObjectId) =>
    port.connect(address).getActor(service, className, id.toString())
  return {
    idFromName: (name: string) => ids.idFromName(name),
    get,
    getByName: (name: string) => get(ids.idFromName(name)),
  }
}
