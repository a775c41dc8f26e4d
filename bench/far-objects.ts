/** What the runtime's configuration hands to this module. */
interface Parts {
  /** A namespace of the same key, which spells a name's id as the other process does. */
  ids: DurableObjectNamespace
  port: { connect(address: string): { getActor(...target: string[]): DurableObjectStub } }
  address: string
  service: string
  className: string
}

/**
 * A Durable Object namespace whose objects live in another process, as on the platform they live on another
 * machine. The worker finds it under the name of its binding, and notices nothing.
 */
export default function farObjects({ ids, port, address, service, className }: Parts) {
  return {
    idFromName: (name: string) => ids.idFromName(name),
    // A connection belongs to the request that opens it, so that both sides pay for one each time.
    get: (id: DurableObjectId) => port.connect(address).getActor(service, className, id.toString()),
  }
}
