import { renewalTime } from '../client/session.ts'
import { TIMEOUT } from '../verify/fetch-document.ts'
import type { RequestHeaders } from '../verify/request-headers.ts'
import type { RevocationFeed } from '../verify/revocation-feed.ts'
import type { Cookies } from './cookies.ts'
import { type LoginService, TOKEN_TIMEOUT, type Tokens } from './login-service.ts'
import { SharedResults } from './shared-results.ts'
import { isExpired, type SessionClaims, type StoredSession } from './stored-session.ts'

/** As long as an unused refresh token is valid. */
const COOKIE_LIFETIME = 30 * 24 * 3600 // seconds

/** The session of a request. */
interface FoundSession {
  session: StoredSession
  /** Whether the browser has sent an older cookie. */
  isRenewed: boolean
  /** Set if what was issued until then is revoked, although the session continues. */
  outdatedSince?: number
}

/**
 * Whether the session in a cookie is still valid. What ends at the login service is listed in the
 * revocation feed for at least the lifetime of a token. So within this time after its last
 * confirmation, a session that is not listed is valid. An older one is confirmed first, which this
 * instance remembers.
 */
export class Sessions {
  readonly #clientId: string
  readonly #cookies: Cookies
  readonly #feed: RevocationFeed
  readonly #login: LoginService
  /** What has changed in the claims of sessions, by refresh token; null if the session has ended. */
  readonly #confirmations = new SharedResults<Partial<SessionClaims> | null>(TIMEOUT)
  /** The tokens that have replaced others, by refresh token; null if the session has ended. */
  readonly #renewals = new SharedResults<Tokens | null>(TOKEN_TIMEOUT)
  /** The grants that were revoked. Any number of copies of a cookie can be sent. */
  readonly #revocations = new SharedResults<true>(TIMEOUT)

  constructor({
    clientId,
    cookies,
    feed,
    login,
  }: { clientId: string; cookies: Cookies; feed: RevocationFeed; login: LoginService }) {
    this.#clientId = clientId
    this.#cookies = cookies
    this.#feed = feed
    this.#login = login
  }

  /** The session in the cookie, unless it is known to have ended. */
  async read(request: RequestHeaders): Promise<FoundSession | null> {
    const stored = await this.#cookies.open<StoredSession>(request, this.#cookies.session)
    const session = stored && this.#newest(stored)
    if (!session) return null
    await this.#feed.refresh(Date.now() + TIMEOUT)
    const { sub, sid, iat } = session.claims
    const ids = { sub, sid, iat, jti: session.grantId, client_id: this.#clientId }
    const outdatedSince = await this.#feed.revokedUntil(ids)
    if (outdatedSince === Number.POSITIVE_INFINITY) return null
    const isRenewed = session !== stored
    return iat <= outdatedSince ? { session, isRenewed, outdatedSince } : { session, isRenewed }
  }

  /**
   * What has replaced a session of which the browser has not received the response, or not yet. Older
   * cookies are followed only for the lifetime of a token, for which they would count anyway.
   */
  #newest(session: StoredSession): StoredSession | null {
    const renewed = this.#renewals.find(session.refreshToken ?? '')
    if (renewed === undefined || isSuperseded(renewed, session)) return session
    return renewed && this.#newest(renewed.session)
  }

  /**
   * The claims of a session, or null if it has ended. Roles are current after each confirmation.
   *
   * @throws UnavailableError if it must be confirmed and cannot be
   */
  async confirm({ session, outdatedSince }: FoundSession): Promise<SessionClaims | null> {
    const { refreshToken, lifetime, claims } = session
    if (!isExpired(session) && outdatedSince === undefined) return claims
    if (!refreshToken) return null
    // An earlier confirmation does not count for what has been revoked since.
    const key = `${refreshToken} ${outdatedSince ?? ''}`
    const changed = await this.#confirmations.get(key, memoryOf(lifetime, outdatedSince), () =>
      this.#login.confirm(refreshToken),
    )
    return changed && { ...claims, ...changed }
  }

  /**
   * The tokens that replace those of a session, or null if it has ended. Instances that do not know
   * of each other's requests get the same refresh token from the login service for twenty seconds.
   *
   * @throws UnavailableError
   */
  async renew(session: StoredSession): Promise<Tokens | null> {
    const { refreshToken, lifetime } = session
    if (!refreshToken) return null
    const known = this.#renewals.find(refreshToken)
    if (isSuperseded(known, session)) this.#renewals.forget(refreshToken)
    return this.#renewals.get(refreshToken, lifetime, () => this.#login.refresh(session))
  }

  /**
   * The session with a token that is valid for a while, or null if it has ended.
   *
   * @throws UnavailableError if the token has expired and cannot be renewed
   */
  async renewIfDue(found: FoundSession): Promise<FoundSession | null> {
    const { refreshToken, confirmedAt, lifetime } = found.session
    // The clock of the instance that has written it may be ahead.
    const receivedAt = Math.min(confirmedAt, Date.now())
    const dueAt = renewalTime({ receivedAt, expiresAt: receivedAt + lifetime })
    const isUsable = !isExpired(found.session) && found.outdatedSince === undefined
    if (!refreshToken || (isUsable && Date.now() < dueAt)) return found
    try {
      const tokens = await this.renew(found.session)
      return tokens && { session: tokens.session, isRenewed: true }
    } catch (error) {
      if (!isUsable) throw error
      return found
    }
  }

  /** Ends the grant of a session, and all copies of its cookie. A failure is only logged. */
  async revoke(session: StoredSession): Promise<void> {
    const { grantId, refreshToken, lifetime } = session
    if (!refreshToken && isExpired(session)) return
    const revoke = () => this.#login.revoke(session).then(() => true as const)
    await this.#revocations.get(grantId, lifetime, revoke).catch((error) => {
      console.error('vestibule-auth: the tokens of a session were not revoked.', error)
    })
  }

  /** A value of `Set-Cookie`. Without the URLs in the profile, if it would be too long. */
  async cookieFor(session: StoredSession): Promise<string> {
    const name = this.#cookies.session
    const claims = { ...session.claims, picture: undefined, profile: undefined }
    const cookie =
      (await this.#cookies.seal(name, session, COOKIE_LIFETIME)) ??
      (await this.#cookies.seal(name, { ...session, claims }, COOKIE_LIFETIME))
    if (cookie) return cookie
    throw new RangeError('The session does not fit in a cookie: tokens have too many claims.')
  }
}

/**
 * For how long a confirmation counts. A client that was just disabled or deleted is revoked until a
 * time in the future, when every isolate of the login service knows of it. Until then, one that does
 * not know may have confirmed the session.
 */
function memoryOf(lifetime: number, outdatedSince = 0): number {
  const remaining = outdatedSince * 1000 - Date.now()
  return remaining > 0 ? Math.min(lifetime, remaining) : lifetime
}

/**
 * Whether a renewal is the session itself, or older: the login service does not replace every refresh
 * token.
 */
function isSuperseded(renewed: Tokens | null | undefined, session: StoredSession): boolean {
  if (!renewed || renewed.session.refreshToken !== session.refreshToken) return false
  return renewed.session.confirmedAt <= session.confirmedAt
}
