import { nowInSeconds } from '../../foundation/values/clock.ts'
import { KvRecords } from '../storage/kv-records.ts'

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
  /** Since when the unregistered client was what it was then. */
  clientChangedAt?: number | undefined
}

/** Since when a client exists, and is what it is now, in seconds since 1970. */
export interface ClientTimes {
  /** A consent from before was given to another client with the same id. */
  registeredAt?: number | undefined
  /** A consent from before was given to what an unregistered client was then. */
  changedAt?: number | undefined
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
   * A client without a consent is never covered.
   */
  covers(
    clientId: string,
    { scope, resources, optional }: RequestedConsent,
    client?: ClientTimes,
  ): boolean {
    const consent = this.#find(clientId, client)
    if (!consent) return false
    const declined = this.declined(clientId, optional, client).map(({ entry }) => entry)
    return (
      scope.every((value) => consent.scope.includes(value) || declined.includes(value)) &&
      resources.every((value) => consent.resources.includes(value))
    )
  }

  /** Whether the user has allowed the client something. */
  has(clientId: string, client?: ClientTimes): boolean {
    return this.#find(clientId, client) !== undefined
  }

  /** What the user has agreed to so far. */
  allowed(clientId: string, client?: ClientTimes): Consent {
    const { scope, resources } = this.#find(clientId, client) ?? NO_CONSENT
    return { scope, resources }
  }

  /** Those of the optional scopes that the user has declined. */
  declined(
    clientId: string,
    optional: readonly OptionalScope[],
    client?: ClientTimes,
  ): OptionalScope[] {
    const { declined } = this.#find(clientId, client) ?? NO_CONSENT
    return optional.filter(({ entry }) => declined.includes(entry))
  }

  /**
   * Adds to what the user has decided before, unless the client has changed since. Returns true if
   * they have declined a scope that they had agreed to before.
   */
  record(
    clientId: string,
    { scope, resources, declined }: ConsentDecision,
    { registeredAt, changedAt }: ClientTimes = {},
  ): boolean {
    const former = this.#find(clientId, { registeredAt }) ?? NO_CONSENT
    const before = this.#find(clientId, { registeredAt, changedAt }) ?? NO_CONSENT
    this.#records.put(clientId, {
      scope: unite(without(before.scope, declined), scope),
      resources: unite(before.resources, resources),
      declined: unite(without(before.declined, scope), declined),
      givenAt: nowInSeconds(),
      ...(changedAt !== undefined && { clientChangedAt: changedAt }),
    })
    return declined.some((value) => former.scope.includes(value))
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
    return entries.map(([clientId, { scope, resources, declined }]) => ({
      clientId,
      scope,
      resources,
      declined,
    }))
  }

  #find(
    clientId: string,
    { registeredAt = 0, changedAt = 0 }: ClientTimes = {},
  ): StoredConsent | undefined {
    const consent = this.#records.get(clientId)
    if (!consent || consent.givenAt < registeredAt) return undefined
    return (consent.clientChangedAt ?? 0) >= changedAt ? consent : undefined
  }
}

function unite(first: readonly string[], second: readonly string[]): string[] {
  return [...new Set([...first, ...second])]
}

function without(values: readonly string[], removed: readonly string[]): string[] {
  return values.filter((value) => !removed.includes(value))
}
