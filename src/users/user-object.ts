import { DurableObject } from 'cloudflare:workers'
import type { Config, ReadConfig } from '../config/config.ts'
import { ATTEMPT_LIFETIME } from '../config/lifetimes.ts'
import { type ConsentDecision, Consents } from '../grants/consents.ts'
import { type GrantTerms, withoutDeclined } from '../grants/grant.ts'
import {
  type CodeRedemption,
  Grants,
  type RedemptionResult,
  type RefreshRotation,
  type RotationResult,
} from '../grants/grants.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { nowInSeconds } from '../values/clock.ts'
import {
  type AuthorizationResult,
  type GrantRequest,
  missingContext,
  satisfies,
} from './authorization.ts'
import { deliverLogoutNotices } from './deliver-logout-notices.ts'
import { Disconnections } from './disconnections.ts'
import { KeptTokens, type ProviderTokenRejection } from './kept-tokens.ts'
import { LogoutOutbox } from './logout-outbox.ts'
import { type Passkey, Passkeys, type PasskeyUse, type PasskeyUseResult } from './passkeys.ts'
import type { ProviderToken } from './provider-token.ts'
import type { Session, SessionOpening } from './session.ts'
import { deleteCachedSession } from './session-cache.ts'
import { type EndedSession, Sessions } from './sessions.ts'
import { FORMAT_VERSION, rejectNewerFormat } from './storage-format.ts'
import {
  type AccountReference,
  type AccountSummary,
  providerOfKey,
  summarizeAccount,
  type UpstreamAccount,
  UpstreamAccounts,
} from './upstream-account.ts'
import type { UserRecord } from './user.ts'
import {
  type AccountOverview,
  readAccountOverview,
  readUserData,
  type UserData,
} from './user-data.ts'

const ALARM_RETRY_DELAY = 3_600_000 // milliseconds

/** The user of a grant, and the account they signed in with, if it was requested. */
export interface GrantHolder {
  user?: UserRecord | undefined
  account?: AccountSummary | undefined
}

/**
 * One user's sessions, grants and consents. The object is single-threaded, so every decision that
 * must be made once is made here, without an await between reading and writing. Data elsewhere is a
 * copy.
 */
export class UserObject extends DurableObject<Env> {
  readonly #readConfig: () => Config
  readonly #sessions: Sessions
  readonly #grants: Grants
  readonly #outbox: LogoutOutbox
  readonly #consents: Consents
  readonly #upstream: UpstreamAccounts
  readonly #keptTokens: KeptTokens
  readonly #disconnections: Disconnections
  readonly #passkeys: Passkeys

  constructor(ctx: DurableObjectState, env: Env, readConfig: ReadConfig) {
    super(ctx, env)
    this.#readConfig = () => readConfig(this.env)
    rejectNewerFormat(ctx.storage)
    const { kv, sql } = ctx.storage
    const lifetimes = () => this.#readConfig().lifetimes
    this.#sessions = new Sessions(ctx.storage, lifetimes)
    this.#grants = new Grants(sql, lifetimes)
    this.#outbox = new LogoutOutbox(kv)
    this.#consents = new Consents(kv)
    this.#upstream = new UpstreamAccounts(kv)
    this.#keptTokens = new KeptTokens(ctx, this.#readConfig, this.#upstream)
    this.#disconnections = new Disconnections(kv)
    this.#passkeys = new Passkeys(kv)
  }

  /**
   * Opens a session, unless its attempt has already opened one, or the user was blocked or deleted
   * or the account disconnected after the attempt had found the user.
   */
  async openSession(opening: SessionOpening): Promise<Session | undefined> {
    if (this.#isBlockedOrDeleted()) return undefined
    if (this.#disconnections.isBefore(opening.account, opening.claimedAt)) return undefined
    const session = this.#sessions.open(opening)
    if (!session) return undefined
    const { kv } = this.ctx.storage
    this.#writeVersion()
    kv.put('user', opening.user)
    if (opening.upstream) this.#upstream.put(opening.upstream)
    await this.#endGrantsAndCachedCopies(this.#sessions.endSurplus())
    return opening.includesAccount ? this.#withAccount(session, opening.secretDigest) : session
  }

  /**
   * A session that has not expired, and whether it has just been extended. The account is included
   * for callers that need it, because reading it has a price.
   */
  readSession(
    secretDigest: string,
    includesAccount = false,
  ): { session: Session; isRenewed: boolean } | undefined {
    const user = this.#user()
    const found = user && this.#sessions.read(secretDigest, user)
    if (!found || !includesAccount) return found
    return { ...found, session: this.#withAccount(found.session, secretDigest) }
  }

  #withAccount(session: Session, secretDigest: string): Session {
    return { ...session, account: this.#account(this.#sessions.accountKey(secretDigest)) ?? null }
  }

  /** What callbacks receive about an account: everything but its tokens. */
  #account(key: string | undefined): AccountSummary | undefined {
    const account = this.#upstream.find(key)
    return account && summarizeAccount(account)
  }

  /** Adds the address that the directory has recorded, unless the user has one. */
  addEmail(email: string): void {
    const user = this.#user()
    if (!user || user.email || this.#isBlockedOrDeleted()) return
    this.ctx.storage.kv.put<UserRecord>('user', { ...user, email })
  }

  /** Returns the provider that the session was opened with; undefined if the session had already ended. */
  async endSession(secretDigest: string): Promise<{ provider: string | undefined } | undefined> {
    const [ended] = this.#sessions.end(secretDigest)
    if (!ended) return undefined
    await this.#endGrantsOfSessions([ended.sid])
    return { provider: providerOfKey(ended.account) }
  }

  /**
   * Ends all sessions but one, with their grants, and the grants of sessions that have expired.
   * Returns false if there was no other session.
   */
  async endOtherSessions(secretDigest: string): Promise<boolean> {
    const keptSid = this.#sessions.findSid(secretDigest)
    const ended = this.#sessions.endAllExcept(secretDigest)
    const sidsWithGrants = this.#grants.sids().filter((sid) => sid !== keptSid)
    await this.#endGrantsAndCachedCopies(ended, sidsWithGrants)
    return ended.length > 0
  }

  /** Returns the browser that is signed out, as far as it is known; undefined if the session had already ended. */
  async endSessionById(sid: string): Promise<{ device: string | undefined } | undefined> {
    const ended = this.#sessions.endById(sid)
    await this.#endGrantsAndCachedCopies(ended)
    return ended[0] && { device: ended[0].device ?? undefined }
  }

  /**
   * Ends the grants of a session that has itself ended. A session that is still active is not
   * touched.
   */
  async endOrphanedGrants(sid: string): Promise<void> {
    if (!this.#sessions.has(sid)) await this.#endGrantsOfSessions([sid])
  }

  /**
   * Blocks the user: everything ends, and no session is opened until they are unblocked. Nothing is
   * issued without a session or grant, so only opening a session has to check this.
   */
  async block(): Promise<void> {
    if (!this.#isBlockedOrDeleted()) {
      this.#writeVersion()
      this.ctx.storage.kv.put('blocked', nowInSeconds())
    }
    await this.endAllSessions()
  }

  unblock(): void {
    this.ctx.storage.kv.delete('blocked')
  }

  /** Ends all sessions and grants. Their cached copies have been deleted when it returns. */
  async endAllSessions(): Promise<void> {
    const ended = this.#sessions.endAll()
    await this.#endGrantsOfSessions([...ended.map(({ sid }) => sid), ...this.#grants.sids()])
    await this.#deleteCachedCopies(ended)
  }

  /** Ends all sessions and grants, and revokes the provider tokens of these accounts. */
  async endEverything(revokedAccounts: readonly AccountReference[]): Promise<void> {
    this.#keptTokens.revoke(revokedAccounts)
    this.#upstream.deleteAll()
    await this.#endGrantsAndCachedCopies(this.#sessions.endAll(), this.#grants.sids())
  }

  /**
   * Ends everything because an account was disconnected, here or at the provider. Sign-ins with it,
   * or with an account whose tokens are revoked, that found the user before that time, by the
   * directory's clock, open no session.
   */
  async disconnect(
    account: AccountReference,
    disconnectedAt: number,
    revokedAccounts: readonly AccountReference[],
  ): Promise<void> {
    for (const disconnected of [account, ...revokedAccounts]) {
      this.#disconnections.add(disconnected, disconnectedAt)
    }
    await this.endEverything(revokedAccounts)
  }

  /** Deletes the user's data, except for the id, which logout notifications still need. */
  async deleteUserData(revokedAccounts: readonly AccountReference[]): Promise<void> {
    await this.endEverything(revokedAccounts)
    const { kv } = this.ctx.storage
    const user = this.#user()
    this.#consents.withdrawAll()
    this.#passkeys.deleteAll()
    this.unblock()
    this.#sessions.forgetUsedAttempts()
    if (user) kv.put<UserRecord>('user', { id: user.id })
    // Sign-ins that are already under way must not open a session for the deleted user.
    kv.put('erased', nowInSeconds() + ATTEMPT_LIFETIME)
    await this.#scheduleAlarm()
  }

  /** Returns false if the user has too many passkeys, or was blocked or deleted. */
  addPasskey(passkey: Passkey): boolean {
    if (this.#isBlockedOrDeleted()) return false
    this.#writeVersion()
    return this.#passkeys.add(passkey)
  }

  findPasskey(credentialId: string): Passkey | undefined {
    return this.#passkeys.find(credentialId)
  }

  listPasskeys(): Passkey[] {
    return this.#passkeys.list()
  }

  /** Records a verified assertion. Of two with the same counter, one is accepted. */
  usePasskey(use: PasskeyUse): PasskeyUseResult {
    return this.#passkeys.use(use)
  }

  /** Returns false if there is no such passkey. */
  renamePasskey(credentialId: string, name: string): boolean {
    return this.#passkeys.rename(credentialId, name)
  }

  removePasskey(credentialId: string): void {
    this.#passkeys.delete(credentialId)
  }

  /** What the account page shows. */
  readOverview(secretDigest: string): AccountOverview {
    return readAccountOverview(this.#stored(), this.readSession(secretDigest)?.session.sid)
  }

  /** What administrators see, and what an export contains. */
  readUserData(): UserData {
    return readUserData(this.#stored(), this.#blockedAt())
  }

  #stored() {
    return {
      sessions: this.#sessions,
      grants: this.#grants,
      outbox: this.#outbox,
      consents: this.#consents,
      upstream: this.#upstream,
      passkeys: this.#passkeys,
    }
  }

  /** Opens the grant of an authorization request, or returns what it lacks. */
  async authorize(secretDigest: string, request: GrantRequest): Promise<AuthorizationResult> {
    const session = this.readSession(secretDigest)?.session
    if (!session) return { kind: 'login_required' }
    const { clientId } = request.terms
    const isCovered =
      !request.consent ||
      this.#consents.covers(clientId, request.consent, request.clientRegisteredAt)
    const needsConsent = request.forceConsent || !isCovered
    const declined = this.#consents.declined(
      clientId,
      request.consent?.optional ?? [],
      request.clientRegisteredAt,
    )
    const consentRequired = {
      kind: 'consent_required',
      user: session.user,
      declined: declined.map(({ entry }) => entry),
    } as const
    // Any other error would tell a client without consent who is signed in, or since when.
    if (request.isSilent && needsConsent) return consentRequired
    if (!satisfies(session, request)) return { kind: 'login_required' }
    const missing = missingContext(session, request, () => !this.#passkeys.isEmpty())
    // Before the user has given consent, the client does not learn how they sign in.
    if (missing === 'context_unmet') return needsConsent ? consentRequired : { kind: missing }
    if (missing) return { kind: missing }
    const account = this.#sessions.accountKey(secretDigest)
    const upstreamScope = this.#upstream.find(account)?.scope ?? []
    if (!request.upstreamScope.every((scope) => upstreamScope.includes(scope))) {
      return { kind: 'upstream_scope_required' }
    }
    if (needsConsent) return consentRequired

    const { sid, authenticatedAt, amr } = session
    const terms = {
      ...withoutDeclined(request.terms, declined),
      sid,
      authenticatedAt,
      account,
      ...(amr && { amr }),
    }
    this.#grants.open(request.grantId, request.secretDigest, terms)
    this.#outbox.addParticipant({ sid, clientId })
    await this.#scheduleAlarm()
    return { kind: 'granted', scope: terms.scope }
  }

  /**
   * Records what the user has decided. If they decline what they had agreed to before, the client's
   * grants end, because they include it. Returns false if the session has ended.
   */
  grantConsent(
    secretDigest: string,
    clientId: string,
    decision: ConsentDecision,
    clientRegisteredAt?: number,
  ): boolean {
    if (!this.readSession(secretDigest)) return false
    const isReduced = this.#consents.record(clientId, decision, clientRegisteredAt)
    if (isReduced) this.#grants.endAllOfClient(clientId)
    return true
  }

  /** Withdraws a consent. Returns false if there was none, or the session has ended. */
  withdrawConsent(secretDigest: string, clientId: string): boolean {
    return this.readSession(secretDigest) !== undefined && this.#consents.withdraw(clientId)
  }

  /** Withdraws a client's consent, ends its grants and notifies it. Returns false if it had no consent. */
  async revokeClient(clientId: string): Promise<boolean> {
    const hadConsent = this.#consents.withdraw(clientId)
    this.#grants.endAllOfClient(clientId)
    this.#outbox.notifyClient(clientId)
    await this.#scheduleAlarm()
    return hadConsent
  }

  async redeemCode(
    redemption: CodeRedemption,
    includesAccount = false,
  ): Promise<RedemptionResult & GrantHolder> {
    const result = this.#grants.redeem(redemption)
    await this.#scheduleAlarm()
    return { ...result, ...this.#holder(result, includesAccount) }
  }

  async rotateRefreshToken(
    rotation: RefreshRotation,
    includesAccount = false,
  ): Promise<RotationResult & GrantHolder> {
    const result = this.#grants.rotate(rotation)
    await this.#scheduleAlarm()
    return { ...result, ...this.#holder(result, includesAccount) }
  }

  #holder(result: RedemptionResult | RotationResult, includesAccount: boolean): GrantHolder {
    const user = this.#user()
    if (!includesAccount || !('terms' in result)) return { user }
    return { user, account: this.#account(result.terms.account) }
  }

  /** A grant that is still valid, with its user. */
  readGrant(
    grantId: string,
  ): { terms: GrantTerms; user: UserRecord; upstream: UpstreamAccount | undefined } | undefined {
    const terms = this.#grants.read(grantId)
    const user = this.#user()
    return terms && user && { terms, user, upstream: this.#upstream.find(terms.account) }
  }

  /** Ends a grant of this client. Returns false if the client has no such grant. */
  endGrant(grantId: string, clientId: string): boolean {
    return this.#grants.endOfClient(grantId, clientId)
  }

  /** Lets the former refresh token be used again: its client did not receive the successor. */
  extendGracePeriod(grantId: string, generation: number): void {
    this.#grants.extendGracePeriod(grantId, generation)
  }

  /** The provider's access token for the account a grant was opened with. */
  async providerToken(
    grantId: string,
    provider: string,
  ): Promise<ProviderToken | ProviderTokenRejection> {
    const terms = this.#grants.read(grantId)
    if (!terms) return { rejected: 'grant_ended' }
    const token = await this.#keptTokens.read(terms.account, provider)
    // The grant may have ended while the provider refreshed the token.
    return 'rejected' in token || this.#grants.read(grantId) ? token : { rejected: 'grant_ended' }
  }

  /** Deletes expired data and delivers logout notices. */
  override async alarm(): Promise<void> {
    try {
      await this.#cleanUp()
    } catch (error) {
      // The runtime gives up on an alarm after six failures, but a misconfiguration may last
      // longer.
      console.error(JSON.stringify({ event: 'user_cleanup_failed', cause: String(error) }))
      await this.ctx.storage.setAlarm(Date.now() + ALARM_RETRY_DELAY)
    }
  }

  /** A user without sessions, grants and pending notices keeps only consents, passkeys, and that they are blocked. */
  async #cleanUp(): Promise<void> {
    this.#sessions.deleteExpired()
    this.#grants.deleteExpired()
    this.#disconnections.deleteExpired()
    const sidsWithGrants = this.#grants.sids()
    this.#outbox.deleteInactive((sid) => this.#sessions.has(sid) || sidsWithGrants.includes(sid))
    await deliverLogoutNotices(this.env, this.#readConfig(), {
      outbox: this.#outbox,
      userId: this.#user()?.id ?? '',
    })
    if (this.#nextEvent() !== undefined) return this.#scheduleAlarm()
    this.#upstream.deleteAll()
    this.ctx.storage.kv.delete('user')
    if (this.#consents.list().length > 0 || this.#blockedAt() !== undefined) return
    if (!this.#passkeys.isEmpty()) return
    this.#sessions.reset()
    this.#grants.reset()
    await this.ctx.storage.deleteAll()
  }

  /** Ends the grants of ended sessions and notifies their clients. */
  async #endGrantsOfSessions(sids: readonly string[]): Promise<void> {
    for (const sid of new Set(sids)) {
      this.#grants.endAllOfSession(sid)
      this.#outbox.notifyParticipants(sid)
    }
    await this.#scheduleAlarm()
  }

  /**
   * Also deletes the cached copies, for sessions of other browsers than the one that sent the
   * request. Sessions that ended earlier have no copy any more.
   */
  async #endGrantsAndCachedCopies(
    ended: readonly EndedSession[],
    sidsEndedEarlier: readonly string[] = [],
  ): Promise<void> {
    // Not awaited: tokens are issued by this object, and a remaining copy expires within an hour.
    this.ctx.waitUntil(this.#deleteCachedCopies(ended))
    await this.#endGrantsOfSessions([...ended.map(({ sid }) => sid), ...sidsEndedEarlier])
  }

  async #deleteCachedCopies(ended: readonly EndedSession[]): Promise<void> {
    await Promise.allSettled(ended.map(({ key }) => deleteCachedSession(this.env, key)))
  }

  #isBlockedOrDeleted(): boolean {
    return this.#blockedAt() !== undefined || this.#deletedUntil() !== undefined
  }

  /** Since when the user is blocked. */
  #blockedAt(): number | undefined {
    return this.ctx.storage.kv.get<number>('blocked')
  }

  #writeVersion(): void {
    const { kv } = this.ctx.storage
    if (kv.get('version') === undefined) kv.put('version', FORMAT_VERSION)
  }

  /** Until when sign-ins are rejected because the user was deleted. */
  #deletedUntil(): number | undefined {
    const until = this.ctx.storage.kv.get<number>('erased')
    return until !== undefined && until > nowInSeconds() ? until : undefined
  }

  #user(): UserRecord | undefined {
    return this.ctx.storage.kv.get<UserRecord>('user')
  }

  /**
   * Sets the alarm to the next event, or to now if there is nothing left. Writing an unchanged
   * alarm costs a row.
   */
  async #scheduleAlarm(): Promise<void> {
    const due = (this.#nextEvent() ?? nowInSeconds()) * 1000
    if ((await this.ctx.storage.getAlarm()) !== due) await this.ctx.storage.setAlarm(due)
  }

  #nextEvent(): number | undefined {
    const times = [
      this.#sessions.nextExpiry(),
      this.#grants.nextExpiry(),
      this.#outbox.nextDue(),
      this.#deletedUntil(),
      this.#disconnections.nextExpiry(),
    ].filter((time) => time !== undefined)
    return times.length > 0 ? Math.min(...times) : undefined
  }
}

/** The object that holds this user's sessions and grants. */
export function userObject(env: Env, userId: string): DurableObjectStub<UserObject> {
  return env.USERS.get(env.USERS.idFromName(userId))
}

/**
 * Calls the user's object. If it does not respond, the request fails with an `UnavailableError`.
 */
export function callUserObject<Result>(
  env: Env,
  userId: string,
  call: (object: DurableObjectStub<UserObject>) => Result,
): Promise<Awaited<Result>> {
  return requireStorage(() => call(userObject(env, userId)))
}
