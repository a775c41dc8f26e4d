import { nowInSeconds } from '../clock.ts'

/** The scopes and resources a user has agreed to for one client. */
export interface Consent {
  scope: readonly string[]
  resources: readonly string[]
}

interface StoredConsent extends Consent {
  /** When it was last given, in seconds since 1970. Absent in consents that an earlier version stored. */
  givenAt?: number
}

const KEY_PREFIX = 'consent:'

const NO_CONSENT: Consent = { scope: [], resources: [] }

/**
 * A user's consents, one record per client. A consent that was given before the client was registered belonged to
 * another client with the same id.
 */
export class Consents {
  readonly #kv: SyncKvStorage

  constructor(kv: SyncKvStorage) {
    this.#kv = kv
  }

  /** Whether the user has agreed to all of this. A client without a consent is never covered. */
  covers(clientId: string, { scope, resources }: Consent, registeredAt?: number): boolean {
    const consent = this.#find(clientId, registeredAt)
    return (
      consent !== undefined &&
      scope.every((value) => consent.scope.includes(value)) &&
      resources.every((value) => consent.resources.includes(value))
    )
  }

  /** Adds to what the user has agreed to before. */
  add(clientId: string, { scope, resources }: Consent, registeredAt?: number): void {
    const before = this.#find(clientId, registeredAt) ?? NO_CONSENT
    this.#kv.put<StoredConsent>(KEY_PREFIX + clientId, {
      scope: [...new Set([...before.scope, ...scope])],
      resources: [...new Set([...before.resources, ...resources])],
      givenAt: nowInSeconds(),
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
    const entries = this.#kv.list<StoredConsent>({ prefix: KEY_PREFIX })
    return Array.from(entries, ([key, { scope, resources }]) => ({
      clientId: key.slice(KEY_PREFIX.length),
      scope,
      resources,
    }))
  }

  #find(clientId: string, registeredAt = 0): Consent | undefined {
    const consent = this.#kv.get<StoredConsent>(KEY_PREFIX + clientId)
    return consent && (consent.givenAt ?? 0) >= registeredAt ? consent : undefined
  }
}
