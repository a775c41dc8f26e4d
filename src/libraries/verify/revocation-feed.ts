import { base64url, errors, type JWTPayload, jwtVerify } from 'jose'
import { ageOf } from '../../foundation/values/clock.ts'
import { type Fetch, fetchDocument, SharedLoad } from './fetch-document.ts'
import type { IssuerKeys } from './issuer-keys.ts'
import { describeError, ProblemLog } from './problem-log.ts'

const PATH = '/.well-known/revocations'

/** How often the list is read while tokens are verified. */
const DEFAULT_INTERVAL = 10_000 // milliseconds

/** After this time without a list, the API no longer knows what was revoked. */
const MAX_AGE = 30_000 // milliseconds

/** The complete list is read again, so that what has expired is forgotten. */
const COMPLETE_INTERVAL = 600_000 // milliseconds

/** A list contains what was published this long before the former one was read. */
const OVERLAP = 15 // seconds

/** How different the clocks of the API and the login service may be. */
const CLOCK_TOLERANCE = 30 // seconds

const DIGEST_LENGTH = 8 // bytes

interface RevocationList extends JWTPayload {
  iat: number
  since: number
  revoked: string
  revoked_before: Record<string, number>
}

/**
 * What the login service has revoked. It is read when a token is verified, at most once per
 * interval, so an API that is not used sends no requests.
 */
export class RevocationFeed {
  readonly #fetch: Fetch
  readonly #issuer: string
  readonly #keys: IssuerKeys
  readonly #interval: number
  readonly #load = new SharedLoad()
  readonly #failures = new ProblemLog()
  #revoked = new Set<bigint>()
  #revokedBefore = new Map<bigint, number>()
  /** When the newest list was read by the login service, in seconds since 1970. */
  #newest = 0
  /** When a list was read that is newer than the ones before. */
  #readAt = Number.NEGATIVE_INFINITY
  #completeAt = Number.NEGATIVE_INFINITY
  #attemptedAt = Number.NEGATIVE_INFINITY
  #problem: unknown

  constructor({
    fetch,
    issuer,
    keys,
    interval = DEFAULT_INTERVAL,
  }: { fetch: Fetch; issuer: string; keys: IssuerKeys; interval?: number | undefined }) {
    this.#fetch = fetch
    this.#issuer = issuer
    this.#keys = keys
    this.#interval = interval
  }

  /**
   * Reads the list if it is time. While the login service does not respond, only the request that
   * tries again waits.
   */
  async refresh(deadline: number): Promise<void> {
    const interval = this.#hasFailed ? this.#interval / 2 : this.#interval
    const isDue = ageOf(this.#attemptedAt) >= interval
    if (!isDue && (this.#hasFailed || !this.#load.isRunning)) return
    await this.#load.run(() => this.#read(), deadline)
  }

  /** Why the list could not be read the last time; undefined if it could. */
  get problem(): unknown {
    return this.#problem
  }

  get #hasFailed(): boolean {
    return this.#problem !== undefined
  }

  /** Whether a new list was read recently. One that is sent again says nothing about the present. */
  get isCurrent(): boolean {
    return ageOf(this.#readAt) < MAX_AGE
  }

  /** Whether a verified token was revoked. */
  async isRevoked(claims: JWTPayload): Promise<boolean> {
    return (claims.iat ?? 0) <= (await this.revokedUntil(claims))
  }

  /**
   * Until when tokens with these ids were issued that are revoked, in seconds since 1970: infinity
   * if what they name has ended, minus infinity if none are.
   */
  async revokedUntil({ sid, jti, sub, client_id }: JWTPayload): Promise<number> {
    const none = Number.NEGATIVE_INFINITY
    if (this.#revoked.size + this.#revokedBefore.size === 0) return none
    const ids = await digests([sid, sub, client_id, ...(jti?.split('.') ?? [])])
    if (ids.some((id) => this.#revoked.has(id))) return Number.POSITIVE_INFINITY
    return Math.max(...ids.map((id) => this.#revokedBefore.get(id) ?? none))
  }

  async #read(): Promise<void> {
    this.#attemptedAt = Date.now()
    // If the complete list was too large, or took too long, what is new may still be read.
    const isComplete =
      this.#newest === 0 || (!this.#hasFailed && ageOf(this.#completeAt) >= COMPLETE_INTERVAL)
    try {
      const since = isComplete ? 0 : this.#newest - OVERLAP
      const list = await this.#fetchList(since)
      const isNew = list.iat > this.#newest
      this.#add(list)
      if (isNew) this.#readAt = Date.now()
      if (isComplete) this.#completeAt = Date.now()
      this.#problem = undefined
    } catch (error) {
      // What is known to be revoked stays revoked, and there is another attempt later.
      this.#problem = error
      const url = `${this.#issuer}${PATH}`
      this.#failures.log(`revocations cannot be read at ${url}: ${describeError(error)}`)
    }
  }

  async #fetchList(since: number): Promise<RevocationList> {
    const query = since > 0 ? `?since=${since}` : ''
    const url = `${this.#issuer}${PATH}${query}`
    const jwt = await fetchDocument(this.#fetch, url)
    const { payload } = await jwtVerify<RevocationList>(jwt, this.#keys.findForList, {
      issuer: this.#issuer,
      algorithms: ['ES256'],
      typ: 'revocations+jwt',
      requiredClaims: ['iat', 'exp', 'since', 'revoked', 'revoked_before'],
      clockTolerance: CLOCK_TOLERANCE,
    }).catch((cause: unknown) => {
      if (!(cause instanceof errors.JWTExpired)) throw cause
      throw new Error('The list has expired. Is the clock of this computer right?', { cause })
    })
    if (payload.since > since) throw new Error('The list has not everything that was requested.')
    return payload
  }

  /** Only a complete list that is not older than the former one replaces it. */
  #add({ iat, since, revoked, revoked_before }: RevocationList): void {
    if (since === 0 && iat >= this.#newest) {
      this.#revoked = new Set()
      this.#revokedBefore = new Map()
    }
    const bytes = base64url.decode(revoked)
    for (let at = 0; at + DIGEST_LENGTH <= bytes.length; at += DIGEST_LENGTH) {
      this.#revoked.add(toNumber(bytes.subarray(at)))
    }
    for (const [id, before] of Object.entries(revoked_before)) {
      const digest = toNumber(base64url.decode(id))
      this.#revokedBefore.set(digest, before)
      // A client has got a key again that it had lost.
      if (iat >= this.#newest) this.#revoked.delete(digest)
    }
    this.#newest = Math.max(this.#newest, iat)
  }
}

/** The digests of those ids that the token has. */
async function digests(ids: readonly unknown[]): Promise<bigint[]> {
  const present = ids.filter((id) => typeof id === 'string')
  return Promise.all(
    present.map(async (id) => {
      const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(id))
      return toNumber(new Uint8Array(bytes))
    }),
  )
}

/** The first eight bytes. */
function toNumber(bytes: Uint8Array): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(0)
}
