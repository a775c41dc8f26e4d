import { isSameDigest } from '../../foundation/crypto/compare.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import {
  CODE_LIFETIME,
  REFRESH_ABSOLUTE_LIFETIME,
  REFRESH_GRACE_PERIOD,
  REFRESH_IDLE_LIFETIME,
} from '../config/lifetimes.ts'
import type { ProvenKey } from '../registration-schemas/bound-tokens.ts'
import { LazyTable } from '../storage/lazy-table.ts'
import type { GrantTerms } from './grant.ts'

/** The client's current registration, which may have been narrowed since the grant. */
interface ClientLimits {
  /** A grant from before was opened for another client with the same id. */
  registeredAt?: number | undefined
  /** Absent if its registration does not limit them, but those of the APIs. */
  scope?: readonly string[] | undefined
  resources: readonly string[]
}

/** What a client presents, and what it requests with it. */
interface Presentation {
  grantId: string
  /** The digest of the presented secret. */
  secretDigest: string
  clientId: string
  /** The APIs the access token is requested for; empty means all that were granted. */
  resources: readonly string[]
  limits: ClientLimits
  key?: ProvenKey | undefined
}

/** A client's attempt to redeem a code. */
export interface CodeRedemption extends Presentation {
  redirectUri: string | undefined
  /** The S256 challenge of the presented verifier, if one was presented. */
  challenge: string | undefined
}

/** A client's attempt to use a refresh token. */
export interface RefreshRotation extends Presentation {
  generation: number
  /** The scopes the access token is requested for; empty means all that were granted. */
  scope: readonly string[]
}

/** A refresh token that a client presents. */
export type PresentedRefreshToken = Pick<
  RefreshRotation,
  'grantId' | 'secretDigest' | 'generation' | 'clientId'
> & { limits: Pick<ClientLimits, 'registeredAt'> }

/**
 * `invalid` and `proof_replayed`, which a feature reports, change nothing; `replayed` has ended the
 * grant; the others ask for more than was granted.
 */
type RejectionReason =
  | 'invalid'
  | 'replayed'
  | 'proof_replayed'
  | 'resource_not_granted'
  | 'scope_not_granted'

interface Rejection {
  rejected: RejectionReason
  /** The resource that was not granted. */
  resource?: string
}

export type RedemptionResult = { terms: GrantTerms } | Rejection
export type RotationResult = { terms: GrantTerms; generation: number } | Rejection

/** A grant as users and administrators see it. Times are in seconds since 1970. */
export interface GrantSummary extends Pick<GrantTerms, 'clientId' | 'sid' | 'scope' | 'resources'> {
  since: number
  expiresAt: number
}

/** A grant that has ended, and how long its access tokens can be valid, in seconds. */
interface EndedGrant extends Pick<GrantTerms, 'clientId' | 'sid'> {
  id: string
  tokenLifetime: number
}

/** The maximum number of grants, and of unredeemed codes, per client and session. */
const MAX_GRANTS = 20

/**
 * One user's grants. Each method is one decision without an await, and the object is
 * single-threaded, so a code is redeemed once and a refresh token is rotated once. Presenting a
 * spent secret again ends the grant (RFC 9700 §4.14.2). A secret that was never valid changes
 * nothing; otherwise anyone could end a grant.
 */
export class Grants {
  readonly #table: LazyTable<GrantRow>
  readonly #onEnded: (ended: EndedGrant) => void

  /**
   * `onEnded` is called for each grant that ends while its access tokens may be valid, unless its
   * session ends with it.
   */
  constructor(sql: SqlStorage, onEnded: (ended: EndedGrant) => void) {
    this.#onEnded = onEnded
    this.#table = new LazyTable(sql, 'grants', GRANTS_SCHEMA)
  }

  /** Opens a grant with an unredeemed code. */
  open(id: string, secretDigest: string, terms: GrantTerms): void {
    const codeExpiresAt = nowInSeconds() + CODE_LIFETIME
    this.#table.insert(
      `INSERT INTO grants (id, key, client_id, sid, terms, generation, code_expires_at, expires_at, idle_expires_at)
       VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?6, ?6)`,
      id,
      secretDigest,
      terms.clientId,
      terms.sid,
      JSON.stringify(terms),
      codeExpiresAt,
    )
    this.#endSurplus(id, terms)
  }

  /**
   * Ends the grants that would expire first when there are too many, never the new one. Codes only
   * displace codes and redeemed grants only redeemed ones, so a client that keeps requesting codes
   * cannot end grants that are in use.
   */
  #endSurplus(newGrantId: string, { clientId, sid }: GrantTerms): void {
    this.#endWhere(
      `id IN
       (SELECT id FROM grants WHERE client_id = ?1 AND sid = ?2 AND id <> ?3
        AND (generation > 0) = (SELECT generation > 0 FROM grants WHERE id = ?3)
        ORDER BY idle_expires_at DESC, rowid DESC LIMIT -1 OFFSET ?4)`,
      clientId,
      sid,
      newGrantId,
      MAX_GRANTS - 1,
    )
  }

  /**
   * Redeems a code once. A wrong redirect URI or resource leaves it unspent; a wrong verifier or key
   * ends the grant.
   */
  redeem(redemption: CodeRedemption): RedemptionResult {
    const { grantId, redirectUri, challenge, resources, limits, key } = redemption
    const now = nowInSeconds()
    const grant = this.#find(redemption)
    if (!grant) return { rejected: 'invalid' }
    if (grant.generation > 0) {
      this.end(grantId)
      return { rejected: 'replayed' }
    }
    const terms = JSON.parse(grant.terms) as GrantTerms
    if (now >= grant.code_expires_at || terms.redirectUri !== redirectUri) {
      return { rejected: 'invalid' }
    }
    const resource = findExcess(resources, terms.resources, limits.resources)
    if (resource !== undefined) return { rejected: 'resource_not_granted', resource }
    // Without a challenge there must be no verifier either (RFC 9700 §4.8.2).
    const isKeyProved = (terms.codeKey ?? key?.thumbprint) === key?.thumbprint
    if (!isKeyProved || !isSameDigest(terms.codeChallenge ?? '', challenge ?? '')) {
      this.end(grantId)
      return { rejected: 'invalid' }
    }
    const isOffline = terms.scope.includes('offline_access')
    this.#table.exec(
      'UPDATE grants SET generation = 1, terms = ?, expires_at = ?, idle_expires_at = ? WHERE id = ?',
      JSON.stringify(key?.bindsRefreshTokens ? { ...terms, refreshKey: key.thumbprint } : terms),
      now + (isOffline ? REFRESH_ABSOLUTE_LIFETIME : terms.accessTokenLifetime),
      now + (isOffline ? REFRESH_IDLE_LIFETIME : terms.accessTokenLifetime),
      grantId,
    )
    this.#endSurplus(grantId, terms)
    return { terms }
  }

  /**
   * Replaces a refresh token by its successor, unless its client keeps it. Within the grace period
   * the same successor is returned again. Only the redemption of the code binds the token to a key:
   * a thief who could bind it would keep the owner from ending the grant.
   */
  rotate(rotation: RefreshRotation): RotationResult {
    const { grantId, generation, resources, scope, limits, key } = rotation
    const now = nowInSeconds()
    const grant = this.#findRedeemed(rotation)
    if (!grant) return { rejected: 'invalid' }
    const terms = JSON.parse(grant.terms) as GrantTerms
    // First, so that someone who has a bound token without its key cannot end the grant.
    if (terms.refreshKey !== undefined && terms.refreshKey !== key?.thumbprint) {
      return { rejected: 'invalid' }
    }
    const isInGracePeriod = this.#isInGracePeriod(grant, generation)
    if (generation !== grant.generation && !isInGracePeriod) {
      this.end(grantId)
      return { rejected: 'replayed' }
    }
    const resource = findExcess(resources, terms.resources, limits.resources)
    if (resource !== undefined) return { rejected: 'resource_not_granted', resource }
    if (findExcess(scope, terms.scope, limits.scope ?? scope) !== undefined) {
      return { rejected: 'scope_not_granted' }
    }
    if (isInGracePeriod) return { terms, generation: grant.generation }

    const isKept = key?.rotatesRefreshTokens === false
    const next = isKept ? generation : generation + 1
    this.#table.exec(
      'UPDATE grants SET generation = ?, grace_until = ?, idle_expires_at = min(expires_at, ?) WHERE id = ?',
      next,
      isKept ? grant.grace_until : now + REFRESH_GRACE_PERIOD,
      now + REFRESH_IDLE_LIFETIME,
      grantId,
    )
    return { terms, generation: next }
  }

  /** The terms of a refresh token that could be used now, and when it expires. Changes nothing. */
  readRefreshToken(
    presented: PresentedRefreshToken,
  ): { terms: GrantTerms; expiresAt: number } | undefined {
    const grant = this.#findRedeemed(presented)
    const { generation } = presented
    if (!grant) return undefined
    if (generation !== grant.generation && !this.#isInGracePeriod(grant, generation)) {
      return undefined
    }
    const expiresAt = Math.min(grant.expires_at, grant.idle_expires_at)
    return { terms: JSON.parse(grant.terms) as GrantTerms, expiresAt }
  }

  #isInGracePeriod(grant: GrantRow, generation: number): boolean {
    return generation === grant.generation - 1 && nowInSeconds() < grant.grace_until
  }

  /** Lets the former refresh token be used again: its client did not receive the successor. */
  extendGracePeriod(grantId: string, generation: number): void {
    this.#table.exec(
      'UPDATE grants SET grace_until = ? WHERE id = ? AND generation = ?',
      nowInSeconds() + REFRESH_GRACE_PERIOD,
      grantId,
      generation,
    )
  }

  /** The terms of a redeemed grant that has not expired. */
  read(grantId: string): GrantTerms | undefined {
    const [grant] = this.#table.exec(
      'SELECT * FROM grants WHERE id = ?1 AND generation > 0 AND ?2 < expires_at AND ?2 < idle_expires_at',
      grantId,
      nowInSeconds(),
    )
    return grant && (JSON.parse(grant.terms) as GrantTerms)
  }

  end(grantId: string): void {
    this.#endWhere('id = ?', grantId)
  }

  /** Ends a grant of this client. Returns false if the client has no such grant. */
  endOfClient(grantId: string, clientId: string): boolean {
    return this.#endWhere('id = ? AND client_id = ?', grantId, clientId) > 0
  }

  endAllOfSession(sid: string): void {
    this.#table.exec('DELETE FROM grants WHERE sid = ?', sid)
  }

  /** Returns how many have ended. */
  endAllOfClient(clientId: string): number {
    return this.#endWhere('client_id = ?', clientId)
  }

  /** How long an access token of any of the grants can be valid, in seconds; 0 without grants. */
  longestTokenLifetime(): number {
    const rows = this.#table.exec<{ terms: string }>('SELECT terms FROM grants')
    return Math.max(0, ...rows.map(tokenLifetime))
  }

  /**
   * Returns how many have ended. They are deleted last: if there is no space for what their end leads
   * to, they stay, and can be ended again.
   */
  #endWhere(condition: string, ...bindings: SqlStorageValue[]): number {
    const ended = this.#table.exec(`SELECT * FROM grants WHERE ${condition}`, ...bindings)
    // A code that was not redeemed has no tokens.
    for (const row of ended.filter(({ generation }) => generation > 0)) {
      const { clientId, sid } = JSON.parse(row.terms) as GrantTerms
      this.#onEnded({ id: row.id, clientId, sid, tokenLifetime: tokenLifetime(row) })
    }
    if (ended.length > 0) this.#table.exec(`DELETE FROM grants WHERE ${condition}`, ...bindings)
    return ended.length
  }

  /** The redeemed grants that have not expired, the oldest first. */
  list(): GrantSummary[] {
    const rows = this.#table.exec(
      `SELECT * FROM grants WHERE generation > 0 AND ?1 < expires_at AND ?1 < idle_expires_at
       ORDER BY code_expires_at, rowid`,
      nowInSeconds(),
    )
    return rows.map((row) => {
      const { clientId, sid, scope, resources } = JSON.parse(row.terms) as GrantTerms
      const since = row.code_expires_at - CODE_LIFETIME
      const expiresAt = Math.min(row.expires_at, row.idle_expires_at)
      return { clientId, sid, scope, resources, since, expiresAt }
    })
  }

  /** The sessions that have grants. A session may have ended before its grants. */
  sids(): string[] {
    return this.#table
      .exec<{ sid: string }>('SELECT DISTINCT sid FROM grants')
      .map(({ sid }) => sid)
  }

  deleteExpired(): void {
    this.#table.exec(
      'DELETE FROM grants WHERE min(expires_at, idle_expires_at) <= ?',
      nowInSeconds(),
    )
  }

  /** When the next grant expires. */
  nextExpiry(): number | undefined {
    const [row] = this.#table.exec<{ next: number | null }>(
      'SELECT min(min(expires_at, idle_expires_at)) AS next FROM grants',
    )
    return row?.next ?? undefined
  }

  /** To be called when the object's storage has been deleted. */
  reset(): void {
    this.#table.reset()
  }

  /** The grant of a refresh token, also of a former one, if it has not expired. */
  #findRedeemed(presented: PresentedRefreshToken): GrantRow | undefined {
    const now = nowInSeconds()
    const grant = this.#find(presented)
    // Generation 0 is a code, which must be redeemed with its verifier.
    if (!grant || grant.generation === 0) return undefined
    return now < grant.expires_at && now < grant.idle_expires_at ? grant : undefined
  }

  #find({
    grantId,
    secretDigest,
    clientId,
    limits: { registeredAt = 0 },
  }: Omit<PresentedRefreshToken, 'generation'>) {
    const [grant] = this.#table.exec(
      'SELECT * FROM grants WHERE id = ? AND key = ? AND client_id = ? AND code_expires_at >= ?',
      grantId,
      secretDigest,
      clientId,
      registeredAt + CODE_LIFETIME,
    )
    return grant
  }
}

function tokenLifetime({ terms }: Pick<GrantRow, 'terms'>): number {
  return (JSON.parse(terms) as GrantTerms).accessTokenLifetime
}

type GrantRow = {
  id: string
  client_id: string
  terms: string
  generation: number
  grace_until: number
  code_expires_at: number
  expires_at: number
  idle_expires_at: number
}

/**
 * Without indexes: a user has few grants, and each index would add a page, and a row to every
 * write.
 */
const GRANTS_SCHEMA = `
  CREATE TABLE grants (
    id TEXT NOT NULL,
    key TEXT NOT NULL,
    client_id TEXT NOT NULL,
    sid TEXT NOT NULL,
    terms TEXT NOT NULL,
    generation INTEGER NOT NULL,
    grace_until INTEGER NOT NULL DEFAULT 0,
    code_expires_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    idle_expires_at INTEGER NOT NULL
  ) STRICT`

function findExcess(
  requested: readonly string[],
  granted: readonly string[],
  allowed: readonly string[],
): string | undefined {
  return requested.find((value) => !granted.includes(value) || !allowed.includes(value))
}
