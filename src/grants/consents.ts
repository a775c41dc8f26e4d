import { KvRecords } from '../storage/kv-records.ts'
import { nowInSeconds } from '../values/clock.ts'

/** The scopes and resources a user has agreed to for one client. */
export interface Consent {
  scope: readonly string[]
  resources: readonly string[]
}

/** What a client requests the user's consent to. */
export interface RequestedConsent extends Consent {
  /** Those of the scopes that the user may decline. */
  optional: readonly OptionalScope[]
}

/** A scope that the user may decline, and what the client does not receive then. */
export interface OptionalScope {
  /** As it is stored in a consent: with the identifier of its API, if it has one. */
  entry: string
  /** As it is in tokens. */
  name: string
  /** The claims that belong to it, which may also be requested individually. */
  claims: readonly string[]
}

/** What a user has decided on the consent page. */
export interface ConsentDecision extends Consent {
  /** Scopes that were offered and not accepted. */
  declined: readonly string[]
}

interface StoredConsent extends ConsentDecision {
  /** When it was last given, in seconds since 1970. */
  givenAt: number
}

const NO_CONSENT: ConsentDecision = { scope: [], resources: [], declined: [] }

/**
 * A user's consents, one record per client. A consent that was given before the client was
 * registered belonged to another client with the same id.
 */
export class Consents {
  readonly #records: KvRecords<StoredConsent>

  constructor(kv: SyncKvStorage) {
    this.#records = new KvRecords(kv, 'consent:')
  }

  /**
   * Whether the user has decided about all of this, and agreed to everything that is not optional.
   * A client without a consent is never covered. A consent from before the client was registered
   * was given to another client with the same id.
   */
  covers(
    clientId: string,
    { scope, resources, optional }: RequestedConsent,
    registeredAt?: number,
  ): boolean {
    const consent = this.#find(clientId, registeredAt)
    if (!consent) return false
    const declined = this.declined(clientId, optional, registeredAt).map(({ entry }) => entry)
    return (
      scope.every((value) => consent.scope.includes(value) || declined.includes(value)) &&
      resources.every((value) => consent.resources.includes(value))
    )
  }

  /** Those of the optional scopes that the user has declined. */
  declined(
    clientId: string,
    optional: readonly OptionalScope[],
    registeredAt?: number,
  ): OptionalScope[] {
    const { declined } = this.#find(clientId, registeredAt) ?? NO_CONSENT
    return optional.filter(({ entry }) => declined.includes(entry))
  }

  /**
   * Adds to what the user has decided before. Returns true if they have declined a scope that they
   * had agreed to before.
   */
  record(
    clientId: string,
    { scope, resources, declined }: ConsentDecision,
    registeredAt?: number,
  ): boolean {
    const before = this.#find(clientId, registeredAt) ?? NO_CONSENT
    this.#records.put(clientId, {
      scope: unite(without(before.scope, declined), scope),
      resources: unite(before.resources, resources),
      declined: unite(without(before.declined, scope), declined),
      givenAt: nowInSeconds(),
    })
    return declined.some((value) => before.scope.includes(value))
  }

  /** Returns false if there was no consent. */
  withdraw(clientId: string): boolean {
    return this.#records.delete(clientId)
  }

  withdrawAll(): void {
    this.#records.deleteAll()
  }

  list(): (ConsentDecision & { clientId: string })[] {
    const entries = this.#records.entries()
    return entries.map(([clientId, { givenAt: _, ...decision }]) => ({ clientId, ...decision }))
  }

  #find(clientId: string, registeredAt = 0): StoredConsent | undefined {
    const consent = this.#records.get(clientId)
    return consent && consent.givenAt >= registeredAt ? consent : undefined
  }
}

function unite(first: readonly string[], second: readonly string[]): string[] {
  return [...new Set([...first, ...second])]
}

function without(values: readonly string[], removed: readonly string[]): string[] {
  return values.filter((value) => !removed.includes(value))
}
