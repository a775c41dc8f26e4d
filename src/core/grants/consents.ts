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
  /** Since when the client was what it was then. Absent if it always was, and in older records. */
  clientChangedAt?: number | undefined
}

const NO_CONSENT: ConsentDecision = { scope: [], resources: [], declined: [] }

/**
 * A user's consents, one record per client. `since` is the time since which the client is what it is,
 * in seconds since 1970: a consent to what it was before, or to another client with the same id, does
 * not count.
 */
export class Consents {
  readonly #records: KvRecords<StoredConsent>

  constructor(kv: SyncKvStorage) {
    this.#records = new KvRecords(kv, 'consent:')
  }

  /** What the user has decided so far; undefined if they have allowed the client nothing. */
  find(clientId: string, since = 0): ConsentDecision | undefined {
    const consent = this.#records.get(clientId)
    return consent && (consent.clientChangedAt ?? consent.givenAt) >= since ? consent : undefined
  }

  /**
   * Adds to what the user has decided before, unless the client has changed since. Returns true if
   * they have declined a scope that they had agreed to before.
   */
  record(
    clientId: string,
    { scope, resources, declined }: ConsentDecision,
    since?: number | undefined,
  ): boolean {
    const former = this.#records.get(clientId) ?? NO_CONSENT
    const before = this.find(clientId, since) ?? NO_CONSENT
    this.#records.put(clientId, {
      scope: unite(without(before.scope, declined), scope),
      resources: unite(before.resources, resources),
      declined: unite(without(before.declined, scope), declined),
      givenAt: nowInSeconds(),
      ...(since !== undefined && { clientChangedAt: since }),
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
}

/**
 * Whether the user has decided about all of this, and agreed to everything that is not optional.
 * Without a consent, nothing is covered.
 */
export function covers(
  consent: ConsentDecision | undefined,
  { scope, resources }: RequestedConsent,
  declined: readonly OptionalScope[],
): boolean {
  if (!consent) return false
  const entries = [...consent.scope, ...declined.map(({ entry }) => entry)]
  return (
    scope.every((value) => entries.includes(value)) &&
    resources.every((value) => consent.resources.includes(value))
  )
}

function unite(first: readonly string[], second: readonly string[]): string[] {
  return [...new Set([...first, ...second])]
}

function without(values: readonly string[], removed: readonly string[]): string[] {
  return values.filter((value) => !removed.includes(value))
}
