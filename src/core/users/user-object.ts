import { DurableObject } from 'cloudflare:workers'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import type { Config, ReadConfig } from '../config/config.ts'
import type { ConsentDecision } from '../grants/consents.ts'
import type { GrantTerms } from '../grants/grant.ts'
import type {
  CodeRedemption,
  PresentedRefreshToken,
  RedemptionResult,
  RefreshRotation,
  RotationResult,
} from '../grants/grants.ts'
import { publishRevocations } from '../revocations/revocations-object.ts'
import { namedObject } from '../storage/object-location.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { type AccountReference, providerOfKey } from './account-reference.ts'
import { type AuthorizationResult, authorizeRequest, type GrantRequest } from './authorization.ts'
import { deliverLogoutNotices } from './back-channel-logout.ts'
import type { FeatureRecord, RecordChange, RecordResult } from './feature-records.ts'
import type { MethodChange } from './method-changes.ts'
import type {
  FoundSession,
  OpenedSession,
  PassedStep,
  Session,
  SessionOpening,
  StepResult,
  StepSession,
} from './session.ts'
import { deleteSessionCopy } from './session-copies.ts'
import { digestOfKey, keyWithProof, proofOfKey } from './session-key.ts'
import type { EndedSession } from './sessions.ts'
import { rejectNewerFormat } from './storage-format.ts'
import type { AccountSummary, UpstreamAccount } from './upstream-account.ts'
import type { UserRecord } from './user.ts'
import {
  type AccountOverview,
  readAccountOverview,
  readUserData,
  type UserData,
} from './user-data.ts'
import { UserStorage } from './user-storage.ts'

const ALARM_RETRY_DELAY = 3_600_000 // milliseconds

/** The user of a grant, and the account they signed in with, if it was requested. */
export interface GrantHolder {
  user?: UserRecord | undefined
  account?: AccountSummary | undefined
}

declare module '../storage/extensible-objects.ts' {
  interface ExtensibleObjects {
    UserObject: typeof UserObject
  }
}

/**
 * One user's sessions, grants and consents. The object is single-threaded, so every decision that
 * must be made once is made here, without an await between reading and writing. Data elsewhere is a
 * copy.
 */
export class UserObject extends DurableObject<Env> {
  protected readonly readConfig: () => Config
  protected readonly stored: UserStorage

  constructor(ctx: DurableObjectState, env: Env, readConfig: ReadConfig) {
    super(ctx, env)
    this.readConfig = () => readConfig(this.env)
    rejectNewerFormat(ctx.storage)
    this.stored = new UserStorage(ctx.storage, this.readConfig)
  }

  /**
   * Opens a session, unless its attempt has already opened one, or the user was blocked or deleted
   * or the account disconnected after the attempt had found the user.
   */
  async openSession(opening: SessionOpening): Promise<OpenedSession | undefined> {
    const { status, disconnections, sessions, upstream, methodChanges } = this.stored
    if (status.isBlockedOrDeleted()) return undefined
    if (disconnections.isBefore(opening.account, opening.claimedAt)) return undefined
    if (sessions.isUsed(opening.attempt)) return undefined
    status.putUser(opening.user)
    const finish = this.applySignIn(opening)
    const session = sessions.open({ ...opening, user: this.stored.user() ?? opening.user })
    if (opening.upstream) upstream.put(opening.upstream)
    await this.#publishAndDeleteCopies(sessions.endSurplus())
    const { addedMethod, account, secretDigest } = opening
    if (addedMethod) {
      methodChanges.add({ kind: 'added', ...addedMethod, account, session: secretDigest })
    }
    await finish()
    const shown = opening.includesAccount ? this.stored.withAccount(session, secretDigest) : session
    return this.#withMethodsChangedAt(shown, { account, secretDigest })
  }

  /**
   * For a feature that changes the user at a sign-in, before it is decided whether a step is missing.
   * What it returns is awaited once the session is open.
   */
  protected applySignIn(_opening: SessionOpening): () => Promise<void> {
    return async () => {}
  }

  /** What {@link openSession} has returned, for a request that is sent again. */
  readOpenedSession(secretDigest: string): OpenedSession | undefined {
    const found = this.readSessionForStep(secretDigest)
    if (found?.isPending) return { ...found.session, isPending: true }
    const account = this.stored.sessions.accountKey(secretDigest)
    return found && this.#withMethodsChangedAt(found.session, { account, secretDigest })
  }

  /** A session of which a step may be missing, for the page of the step and for nothing else. */
  readSessionForStep(sessionKey: string): StepSession | undefined {
    const user = this.stored.user()
    return user && this.stored.sessions.readForStep(sessionKey, user)
  }

  /**
   * Records steps that a session has passed. If none is missing, the session counts from now on, with
   * a new secret. Returns undefined if it has ended.
   */
  async passStep(sessionKey: string, passed: PassedStep): Promise<StepResult | undefined> {
    const user = this.stored.user()
    const result = user && this.stored.sessions.pass(sessionKey, passed, user)
    if (!result) return undefined
    this.stored.methodChanges.moveSession(digestOfKey(sessionKey), passed.newSecretDigest)
    if (result.session.isPending) return result
    await this.#publishAndDeleteCopies(this.stored.sessions.endSurplus())
    const { newSecretDigest, includesAccount } = passed
    const newKey = keyWithProof(newSecretDigest, proofOfKey(sessionKey))
    const { session, continuation } = result
    const account = this.stored.sessions.accountKey(newKey)
    const shown = includesAccount ? this.stored.withAccount(session, newKey) : session
    return {
      session: this.#withMethodsChangedAt(shown, { account, secretDigest: newSecretDigest }),
      continuation,
      ownChangeAt: this.stored.methodChanges.lastOf(newSecretDigest),
    }
  }

  #withMethodsChangedAt(
    session: Session,
    { account, secretDigest }: Pick<SessionOpening, 'account' | 'secretDigest'>,
  ): OpenedSession {
    const methodsChangedAt = this.stored.methodChanges.lastUnknown(account, secretDigest)
    return { ...session, ...(methodsChangedAt !== undefined && { methodsChangedAt }) }
  }

  /**
   * A session that has not expired. The account is included for callers that need it, because reading
   * it has a price.
   */
  readSession(sessionKey: string, includesAccount = false): FoundSession | undefined {
    const found = this.stored.readSession(sessionKey)
    if (!found || !includesAccount) return found
    return { ...found, session: this.stored.withAccount(found.session, sessionKey) }
  }

  /** Adds the email address that the directory has recorded, unless the user has one. */
  addEmail(email: string): void {
    const { status } = this.stored
    const user = status.user()
    if (user && !user.email && !status.isBlockedOrDeleted()) status.putUser({ ...user, email })
  }

  /** Returns the provider that the session was opened with; undefined if it had already ended. */
  async endSession(sessionKey: string): Promise<{ provider: string | undefined } | undefined> {
    const [ended] = this.stored.sessions.end(sessionKey)
    if (!ended) return undefined
    await this.#publishAndScheduleAlarm()
    // The caller deletes the copy that has its own key.
    if (ended.key !== sessionKey) await this.#deleteCopies([ended])
    return { provider: providerOfKey(ended.account) }
  }

  /**
   * Ends all sessions but one, with their grants, and the grants of sessions that have expired.
   * Returns false if there was no other session.
   */
  async endOtherSessions(sessionKey: string): Promise<boolean> {
    const { sessions, grants } = this.stored
    const keptSid = sessions.findSid(sessionKey)
    const ended = sessions.endAllExcept(sessionKey)
    this.stored.endGrantsOfSessions(grants.sids().filter((sid) => sid !== keptSid))
    await this.#publishAndDeleteCopies(ended)
    return ended.length > 0
  }

  /**
   * Returns the browser that is signed out, as far as it is known; undefined if the session had
   * already ended.
   */
  async endSessionById(sid: string): Promise<{ device: string | undefined } | undefined> {
    const ended = this.stored.sessions.endById(sid)
    await this.#publishAndDeleteCopies(ended)
    return ended[0] && { device: ended[0].device }
  }

  /**
   * Ends the grants of a session that has itself ended. A session that is still active is not
   * touched.
   */
  async endOrphanedGrants(sid: string): Promise<void> {
    if (this.stored.sessions.has(sid)) return
    this.stored.endGrantsOfSessions([sid])
    await this.#publishAndScheduleAlarm()
  }

  /**
   * Blocks the user: everything ends, and no session is opened until they are unblocked. Nothing is
   * issued without a session or grant, so only opening a session has to check this. Returns how many
   * sessions have ended.
   */
  async block(): Promise<number> {
    if (!this.stored.status.isBlockedOrDeleted()) this.stored.status.block()
    return this.endAllSessions()
  }

  isBlocked(): boolean {
    return this.stored.status.blockedAt() !== undefined
  }

  unblock(): void {
    this.stored.status.unblock()
  }

  /**
   * Ends all sessions and grants. Their copies have been deleted when it returns. Returns how many
   * sessions have ended.
   */
  async endAllSessions(): Promise<number> {
    const { sessions, grants } = this.stored
    this.stored.revokeAllTokens(this.#userId())
    const ended = sessions.endAll()
    this.stored.endGrantsOfSessions(grants.sids())
    await this.#publishAndScheduleAlarm()
    await this.#deleteCopies(ended)
    return ended.length
  }

  /** Ends all sessions and grants. A feature that keeps tokens of these accounts revokes them. */
  async endEverything(_revokedAccounts: readonly AccountReference[]): Promise<void> {
    const { sessions, grants, upstream } = this.stored
    this.stored.revokeAllTokens(this.#userId())
    upstream.deleteAll()
    const ended = sessions.endAll()
    this.stored.endGrantsOfSessions(grants.sids())
    await this.#publishAndDeleteCopies(ended)
  }

  /**
   * Decides about a way to sign in that the directory has just stored, and records it. Returns false
   * if the session in which it was added has ended meanwhile.
   */
  keepAddedMethod(
    sessionKey: string,
    method: Pick<MethodChange, 'provider' | 'account' | 'label'>,
  ): boolean {
    const { sessions, methodChanges } = this.stored
    if (sessions.findSid(sessionKey) === undefined) return false
    methodChanges.add({ kind: 'added', ...method, session: digestOfKey(sessionKey) })
    return true
  }

  /** Records that a way to sign in was removed, and deletes a feature's record, such as a passkey. */
  async removeMethod(account: AccountReference & Pick<MethodChange, 'label'>): Promise<void> {
    const { provider, accountId, label } = account
    this.stored.deleteFeatureRecord(`${provider}:${accountId}`)
    await this.addMethodChange({ kind: 'removed', provider, label })
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
      this.stored.disconnections.add(disconnected, disconnectedAt)
    }
    await this.endEverything(revokedAccounts)
  }

  /** Deletes the user's data. */
  async deleteUserData(revokedAccounts: readonly AccountReference[]): Promise<void> {
    await this.endEverything(revokedAccounts)
    const { consents, methodChanges, sessions, status } = this.stored
    consents.withdrawAll()
    methodChanges.deleteAll()
    this.stored.deleteFeatureRecords()
    sessions.forgetUsedAttempts()
    status.markDeleted()
    await this.#publishAndScheduleAlarm()
  }

  /** What a feature keeps about the user under this key. */
  readRecord(feature: string, key: string): FeatureRecord | undefined {
    return this.stored.records.read(feature, key)
  }

  /** Changes what a feature keeps about the user. */
  async changeRecord(change: RecordChange): Promise<RecordResult> {
    const { status, sessions, records } = this.stored
    if (status.deletedUntil() !== undefined) return 'ended'
    if (change.session !== undefined && !sessions.isOpen(change.session)) return 'ended'
    if (!records.change(change)) return 'conflict'
    if (change.expiresAt !== undefined) await this.#scheduleAlarm()
    return 'stored'
  }

  /** Records what was added to how the user signs in, or removed. Nothing is kept of a deleted user. */
  async addMethodChange(change: Omit<MethodChange, 'at'>): Promise<void> {
    const { status, methodChanges } = this.stored
    if (status.deletedUntil() !== undefined) return
    const { session } = change
    methodChanges.add({ ...change, ...(session && { session: digestOfKey(session) }) })
    await this.#scheduleAlarm()
  }

  /** What the account page shows. */
  readOverview(sessionKey: string): AccountOverview {
    return readAccountOverview(this.stored, sessionKey)
  }

  /** What administrators see, and what an export contains. */
  readUserData(): UserData {
    return readUserData(this.stored)
  }

  /** Opens the grant of an authorization request, or returns what it lacks. */
  async authorize(sessionKey: string, request: GrantRequest): Promise<AuthorizationResult> {
    if (this.stored.sessions.isPending(sessionKey)) return { kind: 'step_required' }
    const result = authorizeRequest(this.stored, sessionKey, request)
    if (result.kind === 'granted') await this.#publishAndScheduleAlarm()
    return result
  }

  /**
   * Records what the user has decided. If they decline what they had agreed to before, the client's
   * grants end, because they include it. Returns false if the session has ended.
   */
  async grantConsent(
    sessionKey: string,
    clientId: string,
    decision: ConsentDecision,
    since?: number | undefined,
  ): Promise<boolean> {
    const { consents, grants } = this.stored
    if (!this.readSession(sessionKey)) return false
    const isReduced = consents.record(clientId, decision, since)
    if (isReduced) {
      grants.endAllOfClient(clientId)
      await this.#publishAndScheduleAlarm()
    }
    return true
  }

  /** Whether the user of this session has allowed a client something. */
  hasConsent(sessionKey: string, clientId: string, since?: number | undefined): boolean {
    const consent = this.stored.consents.find(clientId, since)
    return this.readSession(sessionKey) !== undefined && consent !== undefined
  }

  /**
   * Withdraws a client's consent, ends its grants and notifies it. Returns false if it had neither
   * a consent nor a grant.
   */
  async revokeClient(clientId: string): Promise<boolean> {
    const { consents, grants, outbox } = this.stored
    // The consent is withdrawn last: if there is no space for what its end leads to, it stays.
    outbox.notifyClient(clientId)
    const endedGrants = grants.endAllOfClient(clientId)
    const hadConsent = consents.withdraw(clientId)
    await this.#publishAndScheduleAlarm()
    return hadConsent || endedGrants > 0
  }

  async redeemCode(
    redemption: CodeRedemption,
    includesAccount = false,
  ): Promise<RedemptionResult & GrantHolder> {
    const result = this.redeem(redemption)
    await this.#publishAndScheduleAlarm()
    return { ...result, ...this.#holder(result, includesAccount) }
  }

  async rotateRefreshToken(
    rotation: RefreshRotation,
    includesAccount = false,
  ): Promise<RotationResult & GrantHolder> {
    const result = this.rotate(rotation)
    // A rotation only postpones the expiry of its grant, and an alarm that comes too early sets the
    // next one. A rejection may have ended the grant.
    if ('rejected' in result) await this.#publishAndScheduleAlarm()
    return { ...result, ...this.#holder(result, includesAccount) }
  }

  /** The decision about a code, which a feature can make in the same moment. */
  protected redeem(redemption: CodeRedemption): RedemptionResult {
    return this.stored.grants.redeem(redemption)
  }

  /** The same for a refresh token. */
  protected rotate(rotation: RefreshRotation): RotationResult {
    return this.stored.grants.rotate(rotation)
  }

  #holder(result: RedemptionResult | RotationResult, includesAccount: boolean): GrantHolder {
    const { upstream } = this.stored
    const user = this.stored.user()
    if (!includesAccount || !('terms' in result)) return { user }
    return { user, account: upstream.summary(result.terms.account) }
  }

  /** A refresh token that could be used now. Reading it changes nothing. */
  readRefreshToken(
    presented: PresentedRefreshToken,
  ): { terms: GrantTerms; user: UserRecord; expiresAt: number } | undefined {
    const user = this.stored.user()
    const found = this.stored.grants.readRefreshToken(presented)
    return user && found && { ...found, user }
  }

  /** A grant that is still valid, with its user. */
  readGrant(
    grantId: string,
  ): { terms: GrantTerms; user: UserRecord; upstream: UpstreamAccount | undefined } | undefined {
    const { grants, upstream } = this.stored
    const terms = grants.read(grantId)
    const user = this.stored.user()
    return terms && user && { terms, user, upstream: upstream.find(terms.account) }
  }

  /** Ends a grant of this client. Returns false if the client has no such grant. */
  async endGrant(grantId: string, clientId: string): Promise<boolean> {
    const isEnded = this.stored.grants.endOfClient(grantId, clientId)
    if (isEnded) await this.#publishAndScheduleAlarm()
    return isEnded
  }

  /** Lets the former refresh token be used again: its client did not receive the successor. */
  extendGracePeriod(grantId: string, generation: number): void {
    this.stored.grants.extendGracePeriod(grantId, generation)
  }

  /** Deletes expired data, publishes revocations and delivers logout notices. */
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

  async #cleanUp(): Promise<void> {
    this.stored.deleteExpired()
    await Promise.all([
      this.#publishRevocations(),
      deliverLogoutNotices(this.env, this.readConfig(), {
        outbox: this.stored.outbox,
        userId: this.#userId(),
      }),
    ])
    if (this.stored.nextEvent() !== undefined) return this.#scheduleAlarm()
    if (this.stored.deleteInactive()) {
      const due = this.stored.nextExpiryWhileInactive()
      if (due !== undefined) await this.ctx.storage.setAlarm(due * 1000)
      return
    }
    this.stored.reset()
    await this.ctx.storage.deleteAll()
  }

  /**
   * Also deletes the copies, for sessions of other browsers than the one that sent the request.
   */
  async #publishAndDeleteCopies(ended: readonly EndedSession[]): Promise<void> {
    // Not awaited: tokens are issued by this object, and a remaining copy expires within an hour.
    this.ctx.waitUntil(this.#deleteCopies(ended))
    await this.#publishAndScheduleAlarm()
  }

  async #deleteCopies(ended: readonly Pick<EndedSession, 'key'>[]): Promise<void> {
    await Promise.allSettled(ended.map(({ key }) => deleteSessionCopy(this.env, key)))
  }

  /**
   * For a feature that has changed the user: sessions are copied again. Tokens that are issued until
   * this time, in seconds since 1970, are rejected. Sessions and grants continue, with new ones.
   */
  protected async userChanged(tokensRevokedUntil?: number): Promise<void> {
    if (tokensRevokedUntil !== undefined) {
      this.stored.revokeAllTokens(this.#userId(), tokensRevokedUntil)
    }
    await this.#publishAndScheduleAlarm()
    await this.#deleteCopies(this.stored.sessions.keys().map((key) => ({ key })))
  }

  /**
   * Publishes what has ended. The caller does not wait for it: if it fails, or the object stops, the
   * alarm does it again.
   */
  async #publishAndScheduleAlarm(): Promise<void> {
    await this.#scheduleAlarm()
    if (this.stored.revocations.nextDue() === undefined) return
    this.ctx.waitUntil(this.#publishRevocations().then(() => this.#scheduleAlarm()))
  }

  async #publishRevocations(): Promise<void> {
    const { revocations } = this.stored
    const pending = revocations.list()
    if (pending.length === 0) return
    try {
      const published = pending.map(({ dueAt: _, ...revocation }) => revocation)
      const areAllRevoked = await publishRevocations(this.env, published, this.#userId())
      for (const revocation of pending) revocations.remove(revocation)
      if (areAllRevoked) await this.#signOut()
    } catch (error) {
      console.error(JSON.stringify({ event: 'revocations_delayed', cause: String(error) }))
      for (const revocation of pending) revocations.retryLater(revocation)
    }
  }

  /**
   * So many sessions have ended, or grants of so many apps, that all tokens were revoked, including
   * those of sessions that have not ended.
   */
  async #signOut(): Promise<void> {
    console.warn(JSON.stringify({ event: 'revocations_replaced', userId: this.#userId() }))
    await this.endAllSessions()
  }

  /** The id of its user is the name of the object, which the runtime also knows in an alarm. */
  #userId(): string {
    const { name } = this.ctx.id
    if (name === undefined) throw new Error('The object of a user has no name.')
    return name
  }

  /** For a feature that keeps something which expires: the alarm comes at this time or earlier. */
  protected async cleanUpBy(time: number): Promise<void> {
    const alarm = await this.ctx.storage.getAlarm()
    if (alarm === null || alarm > time * 1000) await this.ctx.storage.setAlarm(time * 1000)
  }

  /**
   * Sets the alarm to the next event, or to now if there is nothing left. Writing an unchanged
   * alarm costs a row.
   */
  async #scheduleAlarm(): Promise<void> {
    const due = (this.stored.nextCleanUp() ?? nowInSeconds()) * 1000
    if ((await this.ctx.storage.getAlarm()) !== due) await this.ctx.storage.setAlarm(due)
  }
}

/** The object that holds this user's sessions and grants. */
export function userObject(env: Env, userId: string): DurableObjectStub<UserObject> {
  return namedObject(env, env.USERS, userId)
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
