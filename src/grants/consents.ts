/** The scopes and resources a user has agreed to for one client. */
export interface Consent {
  scope: readonly string[]
  resources: readonly string[]
}

const KEY_PREFIX = 'consent:'

const NO_CONSENT: Consent = { scope: [], resources: [] }

/** A user's consents, one record per client. */
export class Consents {
  readonly #kv: SyncKvStorage

  constructor(kv: SyncKvStorage) {
    this.#kv = kv
  }

  /** Whether the user has agreed to all of this. A client without a consent is never covered. */
  covers(clientId: string, { scope, resources }: Consent): boolean {
    const consent = this.#kv.get<Consent>(KEY_PREFIX + clientId)
    return (
      consent !== undefined &&
      scope.every((value) => consent.scope.includes(value)) &&
      resources.every((value) => consent.resources.includes(value))
    )
  }

  /** Adds to what the user has agreed to before. */
  add(clientId: string, { scope, resources }: Consent): void {
    const before = this.#kv.get<Consent>(KEY_PREFIX + clientId) ?? NO_CONSENT
    this.#kv.put<Consent>(KEY_PREFIX + clientId, {
      scope: [...new Set([...before.scope, ...scope])],
      resources: [...new Set([...before.resources, ...resources])],
    })
  }

  /** Returns false if there was no consent. */
  withdraw(clientId: string): boolean {
    return this.#kv.delete(KEY_PREFIX + clientId)
  }

  withdrawAll(): void {
    for (const { clientId } of this.list()) this.withdraw(clientId)
  }

  list(): (Consent & { clientId: string })[] {
    const entries = this.#kv.list<Consent>({ prefix: KEY_PREFIX })
    return Array.from(entries, ([key, consent]) => ({
      clientId: key.slice(KEY_PREFIX.length),
      ...consent,
    }))
  }
}
