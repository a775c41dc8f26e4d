import { seconds } from '../clock.ts'
import { isSameDigest } from '../crypto/compare.ts'
import type { Tables } from '../users/schema.ts'
import {
  ACCESS_LIFETIME,
  CODE_LIFETIME,
  type GrantTerms,
  REFRESH_ABSOLUTE_LIFETIME,
  REFRESH_GRACE,
  REFRESH_IDLE_LIFETIME,
} from './grant.ts'

/** What the client may have by its registration of today. */
interface Limits {
  scope: readonly string[]
  resources: readonly string[]
}

/** Who shows a code, and with what. */
export interface Redemption {
  grantId: string
  key: string
  clientId: string
  redirectUri: string | undefined
  /** The S256 challenge of the verifier that was shown, if one was. */
  challenge: string | undefined
  /** The APIs the access token is wanted for, if fewer than were granted. */
  resources: readonly string[]
  limits: Limits
}

/** Who shows a refresh token. */
export interface Rotation {
  grantId: string
  key: string
  generation: number
  clientId: string
  resources: readonly string[]
  /** The scopes the access token is wanted for, if fewer than were granted. */
  scope: readonly string[]
  limits: Limits
}

/** Tabs of one client in one session; and as many codes on their way. */
const MOST_GRANTS = 20

/** Unknown: nothing changed. Replayed: the grant has ended. Target and scope: more was asked than was granted. */
type Refusal = 'unknown' | 'replayed' | 'target' | 'scope'

export type Redeemed = { terms: GrantTerms } | { refused: Refusal }
export type Rotated = { terms: GrantTerms; generation: number } | { refused: Refusal }

/**
 * One person's grants, in one thread: each method is one decision and waits for nothing. A spent
 * secret shown again ends its grant (RFC 9700 §4.14.2); a secret that never worked changes nothing, or
 * any passer-by could end it.
 */
export class GrantLedger {
  readonly #sql: Tables

  constructor(sql: Tables) {
    this.#sql = sql
  }

  open(id: string, key: string, terms: GrantTerms): void {
    const now = seconds()
    this.#sql.exec(
      `INSERT INTO grants (id, key, client_id, sid, terms, generation, code_expires_at, expires_at, idle_expires_at)
       VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?)`,
      id,
      key,
      terms.clientId,
      terms.sid,
      JSON.stringify(terms),
      now + CODE_LIFETIME,
      now + CODE_LIFETIME,
      now + CODE_LIFETIME,
    )
    this.#makeRoom(id, terms)
  }

  /**
   * Takes room from what would end first, and never from the newcomer. Codes make room for codes and
   * redeemed grants for redeemed ones: who asks without end harms nobody who has tokens.
   */
  #makeRoom(newcomer: string, { clientId, sid }: GrantTerms): void {
    this.#sql.exec(
      `DELETE FROM grants WHERE id IN
       (SELECT id FROM grants WHERE client_id = ?1 AND sid = ?2 AND id <> ?3
        AND (generation > 0) = (SELECT generation > 0 FROM grants WHERE id = ?3)
        ORDER BY idle_expires_at DESC, rowid DESC LIMIT -1 OFFSET ?4)`,
      clientId,
      sid,
      newcomer,
      MOST_GRANTS - 1,
    )
  }

  /** Redeems a code once. What is bound to it is compared before it is spent; a wrong verifier spends it. */
  redeem({
    grantId,
    key,
    clientId,
    redirectUri,
    challenge,
    resources,
    limits,
  }: Redemption): Redeemed {
    const now = seconds()
    const grant = this.#find(grantId, key, clientId)
    if (!grant) return { refused: 'unknown' }
    if (grant.generation > 0) {
      this.end(grantId)
      return { refused: 'replayed' }
    }
    const terms = JSON.parse(grant.terms) as GrantTerms
    if (now >= grant.code_expires_at || terms.redirectUri !== redirectUri)
      return { refused: 'unknown' }
    if (!isWithin(resources, terms.resources, limits.resources)) return { refused: 'target' }
    // No challenge is answered by no verifier, and by nothing else (RFC 9700 §4.8.2).
    if (!isSameDigest(terms.codeChallenge ?? '', challenge ?? '')) {
      this.end(grantId)
      return { refused: 'unknown' }
    }
    const isOffline = terms.scope.includes('offline_access')
    this.#sql.exec(
      'UPDATE grants SET generation = 1, expires_at = ?, idle_expires_at = ? WHERE id = ?',
      now + (isOffline ? REFRESH_ABSOLUTE_LIFETIME : ACCESS_LIFETIME),
      now + (isOffline ? REFRESH_IDLE_LIFETIME : ACCESS_LIFETIME),
      grantId,
    )
    this.#makeRoom(grantId, terms)
    return { terms }
  }

  /** Turns a refresh token into its successor. Whoever asks within the grace gets the same one again. */
  rotate({ grantId, key, generation, clientId, resources, scope, limits }: Rotation): Rotated {
    const now = seconds()
    const grant = this.#find(grantId, key, clientId)
    if (!grant || now >= grant.expires_at || now >= grant.idle_expires_at)
      return { refused: 'unknown' }
    const terms = JSON.parse(grant.terms) as GrantTerms
    const isCurrent = generation === grant.generation
    const isForgiven = generation === grant.generation - 1 && now < grant.grace_until
    if (!isCurrent && !isForgiven) {
      this.end(grantId)
      return { refused: 'replayed' }
    }
    if (!isWithin(resources, terms.resources, limits.resources)) return { refused: 'target' }
    if (!isWithin(scope, terms.scope, limits.scope)) return { refused: 'scope' }
    if (isForgiven) return { terms, generation: grant.generation }

    this.#sql.exec(
      'UPDATE grants SET generation = generation + 1, grace_until = ?, idle_expires_at = min(expires_at, ?) WHERE id = ?',
      now + REFRESH_GRACE,
      now + REFRESH_IDLE_LIFETIME,
      grantId,
    )
    return { terms, generation: generation + 1 }
  }

  /** Whether tokens of this grant are still good. */
  read(grantId: string): GrantTerms | undefined {
    const now = seconds()
    const [grant] = [
      ...this.#sql.exec<GrantRow>(
        'SELECT * FROM grants WHERE id = ?1 AND generation > 0 AND ?2 < expires_at AND ?2 < idle_expires_at',
        grantId,
        now,
      ),
    ]
    return grant && (JSON.parse(grant.terms) as GrantTerms)
  }

  /** Ends a grant, of this client if one is named. Says whether there was one. */
  end(grantId: string, clientId?: string): boolean {
    const { rowsWritten } = this.#sql.exec(
      'DELETE FROM grants WHERE id = ?1 AND client_id = coalesce(?2, client_id)',
      grantId,
      clientId ?? null,
    )
    return rowsWritten > 0
  }

  /** Ends what was granted in a session. */
  endSession(sid: string): void {
    this.#sql.exec('DELETE FROM grants WHERE sid = ?', sid)
  }

  /** Ends what was granted to a client. */
  endClient(clientId: string): void {
    this.#sql.exec('DELETE FROM grants WHERE client_id = ?', clientId)
  }

  /** The sessions in which something is granted, which may be gone themselves. */
  sids(): string[] {
    const rows = this.#sql.exec<{ sid: string }>('SELECT DISTINCT sid FROM grants')
    return Array.from(rows, ({ sid }) => sid)
  }

  sweep(): void {
    this.#sql.exec('DELETE FROM grants WHERE min(expires_at, idle_expires_at) <= ?', seconds())
  }

  /** When the next grant ends, in seconds. */
  nextEnd(): number | undefined {
    const query = 'SELECT min(min(expires_at, idle_expires_at)) AS next FROM grants'
    return this.#sql.exec<{ next: number | null }>(query).one().next ?? undefined
  }

  #find(grantId: string, key: string, clientId: string): GrantRow | undefined {
    const rows = this.#sql.exec<GrantRow>(
      'SELECT * FROM grants WHERE id = ? AND key = ? AND client_id = ?',
      grantId,
      key,
      clientId,
    )
    return [...rows][0]
  }
}

type GrantRow = {
  client_id: string
  terms: string
  generation: number
  grace_until: number
  code_expires_at: number
  expires_at: number
  idle_expires_at: number
}

function isWithin(
  asked: readonly string[],
  granted: readonly string[],
  allowed: readonly string[],
): boolean {
  return asked.every((one) => granted.includes(one) && allowed.includes(one))
}
