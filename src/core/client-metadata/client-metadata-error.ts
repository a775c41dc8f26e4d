/** Why the metadata or the keys that a client publishes cannot be used. */
export interface MetadataFailure {
  /** `unreachable` and `limited` are temporary. `invalid`: the client has to change something. */
  reason: 'unreachable' | 'limited' | 'invalid'
  /** For the log. */
  detail: string
}

/** The client has to change what it publishes there. */
export function invalid(source: string, problem: string): MetadataFailure {
  return { reason: 'invalid', detail: `${source}: ${problem}` }
}

/** A client may exist, but what it publishes about itself cannot be used. */
export class ClientMetadataError extends Error {
  override readonly name = 'ClientMetadataError'
  readonly reason: MetadataFailure['reason']

  constructor({ reason, detail }: MetadataFailure) {
    super(`${reason}: ${detail}`)
    this.reason = reason
  }
}
