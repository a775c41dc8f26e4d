import type { Consent } from '../users/session.ts'

const PREFIX = 'consent:'

/** What a person has agreed to, client by client. */
export class Consents {
  readonly #kv: SyncKvStorage

  constructor(kv: SyncKvStorage) {
    this.#kv = kv
  }

  /** Nobody has agreed to what they were never asked, however little it is. */
  cover(clientId: string, { scope, resources }: Consent): boolean {
    const agreed = this.#kv.get<Consent>(PREFIX + clientId)
    return (
      agreed !== undefined &&
      scope.every((one) => agreed.scope.includes(one)) &&
      resources.every((one) => agreed.resources.includes(one))
    )
  }

  /** Adds to what they had agreed to before. */
  add(clientId: string, consent: Consent): void {
    const { scope, resources } = this.#kv.get<Consent>(PREFIX + clientId) ?? NOTHING
    this.#kv.put<Consent>(PREFIX + clientId, {
      scope: [...new Set([...scope, ...consent.scope])],
      resources: [...new Set([...resources, ...consent.resources])],
    })
  }

  withdraw(clientId: string): void {
    this.#kv.delete(PREFIX + clientId)
  }

  list(): (Consent & { clientId: string })[] {
    const entries = this.#kv.list<Consent>({ prefix: PREFIX })
    return Array.from(entries, ([key, consent]) => ({
      clientId: key.slice(PREFIX.length),
      ...consent,
    }))
  }
}

const NOTHING: Consent = { scope: [], resources: [] }
