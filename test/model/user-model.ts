import { DAY } from '../clock.ts'

/*
 * The guarantees of a user's object, written as the simplest program that has them: plain lists, no
 * storage, no alarms. `user-object.test.ts` runs random calls against this model and the real
 * object and compares all results. The numbers are repeated here on purpose: a change of one in
 * `src/` is noticed.
 */

/** How long things last, in seconds. */
const SESSION_IDLE_LIFETIME = 7 * DAY
const SESSION_ABSOLUTE_LIFETIME = 30 * DAY
const SESSION_RENEWAL_INTERVAL = DAY
const CODE_LIFETIME = 60
export const ACCESS_TOKEN_LIFETIME = 600
const REFRESH_GRACE_PERIOD = 20
const REFRESH_IDLE_LIFETIME = 30 * DAY
const REFRESH_ABSOLUTE_LIFETIME = 365 * DAY
export const ATTEMPT_LIFETIME = 600

/** Clients of these tests. The operator's own app needs no consent. */
export const FIRST_PARTY = 'shop'
export const THIRD_PARTY = 'kiosk'

/** A browser's trip to a provider, once the directory has found the user's account. */
export interface ModelAttempt {
  id: string
  browser: number
  account: string
  isPrompted: boolean
  /** By the directory's clock. */
  claimedAt: number
  expiresAt: number
}

/**
 * An account that the directory has already disconnected, while the call to the object is still
 * under way.
 */
export interface ModelDisconnection {
  account: string
  disconnectedAt: number
}

export interface ModelSession {
  secretDigest: string
  sid: string
  attempt: string
  promptedAt: number
  authenticatedAt: number
  renewedAt: number
  idleExpiresAt: number
  expiresAt: number
}

export interface ModelGrant {
  id: string
  clientId: string
  sid: string
  scope: readonly string[]
  /** The key that was proved when the code was redeemed. Its refresh tokens need it. */
  key?: string | undefined
  /** 0 until the code is redeemed; then the number of the current refresh token. */
  generation: number
  graceUntil: number
  idleExpiresAt: number
  expiresAt: number
}

/** A refresh token that a client holds, possibly an old one. */
export interface ModelRefreshToken {
  grantId: string
  generation: number
}

/** What can be seen of a user's object without changing it. */
export interface Observation {
  sids: string[]
  /** The grants whose access tokens are accepted. */
  grants: string[]
  consents: [clientId: string, scope: string[]][]
}

/** What is wrong with a request, besides the state of the grant. */
export type Mistake = 'none' | 'secret' | 'client' | 'redirect_uri' | 'verifier' | 'scope'

export class UserModel {
  sessions: ModelSession[] = []
  grants: ModelGrant[] = []
  consents = new Map<string, Set<string>>()
  declined = new Map<string, Set<string>>()
  /** When each account was last disconnected, by the directory's clock. */
  cutoffs = new Map<string, number>()
  erasedUntil = 0
  isBlocked = false
  /** The attempts that have opened a session, which may have ended since. */
  usedAttempts = new Set<string>()

  /** What the world outside of the object holds. */
  directoryTime = 0
  cookies = new Map<number, string>()
  attempts: ModelAttempt[] = []
  disconnections: ModelDisconnection[] = []
  codes: string[] = []
  /** The client of each code. */
  owners = new Map<string, string>()
  refreshTokens: ModelRefreshToken[] = []

  copy(): UserModel {
    return Object.assign(new UserModel(), structuredClone({ ...this }))
  }

  observe(): Observation {
    return {
      sids: this.sessions.map(({ sid }) => sid).sort(),
      grants: this.grants.flatMap(({ id, generation }) => (generation > 0 ? id : [])).sort(),
      consents: [...this.consents]
        .map(([clientId, scope]): [string, string[]] => [clientId, [...scope].sort()])
        .sort(([a], [b]) => a.localeCompare(b)),
    }
  }

  session(secretDigest: string | undefined): ModelSession | undefined {
    return this.sessions.find((session) => session.secretDigest === secretDigest)
  }

  /** What has expired is gone, as if it had never existed. */
  expire(): void {
    const isLive = (one: { idleExpiresAt: number; expiresAt: number }) =>
      now() < one.idleExpiresAt && now() < one.expiresAt
    this.sessions = this.sessions.filter(isLive)
    this.grants = this.grants.filter(isLive)
  }

  /**
   * No session for a blocked or deleted user, nor for an account that was disconnected after the
   * directory had found it. An attempt opens one session at most, even if that has ended. A new
   * sign-in in the same browser continues the session's id, and with it the grants.
   */
  openSession(
    attempt: ModelAttempt,
    opening: { secretDigest: string; sid: string; replaces: string },
  ) {
    const isDisconnected = attempt.claimedAt <= (this.cutoffs.get(attempt.account) ?? -1)
    const isUsed = this.usedAttempts.has(attempt.id)
    const isRejected = this.isBlocked || this.erasedUntil > now()
    if (isRejected || isDisconnected || isUsed) return 'rejected'
    this.usedAttempts.add(attempt.id)
    const former = this.session(opening.replaces)
    this.sessions = this.sessions.filter((session) => session !== former)
    this.sessions.push({
      secretDigest: opening.secretDigest,
      sid: former?.sid ?? opening.sid,
      attempt: attempt.id,
      authenticatedAt: now(),
      promptedAt: attempt.isPrompted ? now() : 0,
      renewedAt: now(),
      idleExpiresAt: now() + SESSION_IDLE_LIFETIME,
      expiresAt: now() + SESSION_ABSOLUTE_LIFETIME,
    })
    this.cookies.set(attempt.browser, opening.secretDigest)
    return 'opened'
  }

  /** A session that is used is extended once a day, but never beyond its absolute lifetime. */
  #readSession(secretDigest: string): ModelSession | undefined {
    const session = this.session(secretDigest)
    if (session && session.renewedAt <= now() - SESSION_RENEWAL_INTERVAL) {
      session.renewedAt = now()
      session.idleExpiresAt = now() + SESSION_IDLE_LIFETIME
    }
    return session
  }

  /** Every session is read. */
  renewSessions(): void {
    for (const { secretDigest } of this.sessions) this.#readSession(secretDigest)
  }

  /** The end of a session is the end of its grants: of codes as well as of refresh tokens. */
  endSessions(isEnded: (session: ModelSession) => boolean): void {
    const ended = this.sessions.filter(isEnded)
    this.sessions = this.sessions.filter((session) => !ended.includes(session))
    this.grants = this.grants.filter(({ sid }) => !ended.some((session) => session.sid === sid))
  }

  /**
   * Only what belongs to one session is left; also the grants of sessions that have expired end.
   */
  endOtherSessions(key: string): void {
    const kept = this.session(key)
    this.sessions = kept ? [kept] : []
    this.grants = this.grants.filter(({ sid }) => sid === kept?.sid)
  }

  /** A logout request about a session that is still active changes nothing. */
  endOrphanedGrants(sid: string): void {
    if (this.sessions.some((session) => session.sid === sid)) return
    this.grants = this.grants.filter((grant) => grant.sid !== sid)
  }

  /** Also the grants of sessions that have expired end. */
  disconnect({ account, disconnectedAt }: ModelDisconnection): void {
    this.sessions = []
    this.grants = []
    this.cutoffs.set(account, Math.max(disconnectedAt, this.cutoffs.get(account) ?? -1))
  }

  /** Everything ends, and no session is opened until the user is unblocked. Consents are kept. */
  block(): void {
    this.sessions = []
    this.grants = []
    this.isBlocked ||= this.erasedUntil <= now()
  }

  unblock(): void {
    this.isBlocked = false
  }

  /** Nothing is left, and no sign-in that is already under way brings anything back. */
  deleteUserData(): void {
    this.sessions = []
    this.grants = []
    this.consents.clear()
    this.declined.clear()
    this.isBlocked = false
    this.erasedUntil = now() + ATTEMPT_LIFETIME
  }

  /**
   * No code without a session, without a recent prompt if one is required, or without the user's
   * consent. A silent request without consent learns nothing else, not even since when the user is
   * signed in.
   */
  authorize(secretDigest: string, request: AuthorizationRequest): string {
    const { clientId, scope, grantId, promptedSince } = request
    const session = this.#readSession(secretDigest)
    if (!session) return 'login_required'
    const isAgreed = (value: string) => this.consents.get(clientId)?.has(value)
    const isDeclined = (value: string) =>
      clientId !== FIRST_PARTY && this.declined.get(clientId)?.has(value)
    const hasConsent =
      clientId === FIRST_PARTY ||
      (this.consents.has(clientId) && scope.every((value) => isAgreed(value) || isDeclined(value)))
    const needsConsent = request.forceConsent || !hasConsent
    if (request.isSilent && needsConsent) return 'consent_required'
    if (session.promptedAt < promptedSince || session.authenticatedAt < promptedSince) {
      return 'login_required'
    }
    if (needsConsent) return 'consent_required'
    const expiresAt = now() + CODE_LIFETIME
    this.grants.push({
      id: grantId,
      clientId,
      sid: session.sid,
      scope: scope.filter((value) => !isDeclined(value)),
      generation: 0,
      graceUntil: 0,
      idleExpiresAt: expiresAt,
      expiresAt,
    })
    this.codes.push(grantId)
    this.owners.set(grantId, clientId)
    return 'granted'
  }

  /** A scope that was agreed to and is declined later ends what the client has. */
  grantConsent(secretDigest: string, clientId: string, decision: ModelDecision): boolean {
    if (!this.#readSession(secretDigest)) return false
    const agreed = this.consents.get(clientId) ?? new Set()
    const declined = this.declined.get(clientId) ?? new Set()
    if (decision.declined.some((value) => agreed.has(value))) this.#endAllOfClient(clientId)
    for (const value of decision.scope) declined.delete(value)
    for (const value of decision.declined) agreed.delete(value)
    this.consents.set(clientId, new Set([...agreed, ...decision.scope]))
    this.declined.set(clientId, new Set([...declined, ...decision.declined]))
    return true
  }

  /** The user removes a client: it also loses what it has. */
  revokeClient(clientId: string): void {
    this.consents.delete(clientId)
    this.declined.delete(clientId)
    this.#endAllOfClient(clientId)
  }

  #endAllOfClient(clientId: string): void {
    this.grants = this.grants.filter((grant) => grant.clientId !== clientId)
  }

  /**
   * A code yields tokens once, which are bound to the key that is proved, if one is. Presenting it
   * again ends its grant; a wrong verifier spends it.
   */
  redeem(grantId: string, mistake: Mistake, key?: string): string {
    const grant = this.grants.find(({ id }) => id === grantId)
    if (!grant || mistake === 'secret' || mistake === 'client') return 'rejected'
    if (grant.generation > 0) return this.#end(grant)
    if (mistake === 'redirect_uri') return 'rejected'
    if (mistake === 'verifier') return this.#end(grant)
    const isOffline = grant.scope.includes('offline_access')
    grant.generation = 1
    grant.key = key
    grant.idleExpiresAt = now() + (isOffline ? REFRESH_IDLE_LIFETIME : ACCESS_TOKEN_LIFETIME)
    grant.expiresAt = now() + (isOffline ? REFRESH_ABSOLUTE_LIFETIME : ACCESS_TOKEN_LIFETIME)
    if (isOffline) this.refreshTokens.push({ grantId, generation: 1 })
    return 'issued'
  }

  /**
   * The current refresh token is replaced. Its predecessor receives the same successor again during
   * the grace period. Any other spent token ends the family. A secret that was never valid changes
   * nothing, nor does a bound token without its key. Whatever key is proved with a token that is not
   * bound makes no difference.
   */
  refresh({ grantId, generation }: ModelRefreshToken, mistake: Mistake, key?: string): string {
    const grant = this.grants.find(({ id }) => id === grantId)
    if (!grant || mistake === 'secret' || mistake === 'client') return 'rejected'
    if (grant.key !== undefined && grant.key !== key) return 'rejected'
    const isCurrent = generation === grant.generation
    const isInGracePeriod = generation === grant.generation - 1 && now() < grant.graceUntil
    if (!isCurrent && !isInGracePeriod) return this.#end(grant)
    if (mistake === 'scope') return 'rejected'
    if (isCurrent) {
      grant.generation += 1
      grant.graceUntil = now() + REFRESH_GRACE_PERIOD
      grant.idleExpiresAt = Math.min(grant.expiresAt, now() + REFRESH_IDLE_LIFETIME)
      this.refreshTokens.push({ grantId, generation: grant.generation })
    }
    return `issued ${grant.generation}`
  }

  /** A client can end its own grants only. */
  revokeGrant(grantId: string, clientId: string): boolean {
    const grant = this.grants.find(({ id }) => id === grantId)
    if (grant?.clientId !== clientId) return false
    this.#end(grant)
    return true
  }

  #end(grant: ModelGrant): 'rejected' {
    this.grants = this.grants.filter((one) => one !== grant)
    return 'rejected'
  }
}

/** What a user decides on the consent page. */
interface ModelDecision {
  scope: readonly string[]
  declined: readonly string[]
}

/** An authorization request, after it was validated. */
export interface AuthorizationRequest {
  clientId: string
  scope: readonly string[]
  grantId: string
  /** 0 if the client does not require a prompt. */
  promptedSince: number
  forceConsent: boolean
  isSilent: boolean
}

export function now(): number {
  return Math.floor(Date.now() / 1000)
}
