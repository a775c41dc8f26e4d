import { earliest, nowInSeconds } from '../../foundation/values/clock.ts'
import type { Config } from '../config/config.ts'
import { stepsOf } from '../config/passed-steps.ts'
import { Consents } from '../grants/consents.ts'
import { Grants } from '../grants/grants.ts'
import { EXPIRY_MARGIN } from '../revocations/revocation.ts'
import type { ListedRecords } from '../storage/kv-records.ts'
import { Disconnections } from './disconnections.ts'
import { FeatureRecords } from './feature-records.ts'
import { LogoutOutbox } from './logout-outbox.ts'
import { MethodChanges } from './method-changes.ts'
import { PendingRevocations } from './pending-revocations.ts'
import type { FoundSession, Session } from './session.ts'
import { type SessionRules, Sessions } from './sessions.ts'
import { UpstreamAccounts } from './upstream-account.ts'
import type { UserRecord } from './user.ts'
import type { UserRecords } from './user-records.ts'
import { UserStatus } from './user-status.ts'

/** The keys of the core. All others are those of features, including features that are not listed. */
const CORE_KEYS =
  /^(user|blocked|erased|version|(session|attempt|participant|logout|revocation|disconnected|upstream|method-change|consent):.*)$/

/** What the storage depends on. */
type StorageRules = Pick<Config, 'lifetimes' | 'steps' | 'features'>

/** Everything that one user's object stores. No method waits for anything. */
export class UserStorage {
  readonly status: UserStatus
  readonly sessions: Sessions
  readonly grants: Grants
  readonly outbox: LogoutOutbox
  readonly consents: Consents
  readonly upstream: UpstreamAccounts
  readonly disconnections: Disconnections
  readonly methodChanges: MethodChanges
  readonly revocations: PendingRevocations
  readonly records: FeatureRecords
  readonly #featureRecords: UserRecords[] = []
  readonly #kv: SyncKvStorage
  readonly #rules: () => StorageRules

  constructor({ kv, sql }: DurableObjectStorage, rules: () => StorageRules) {
    this.#rules = rules
    this.#kv = kv
    this.status = new UserStatus(kv)
    this.sessions = new Sessions(
      kv,
      () => this.#sessionRules(),
      (sids) => this.endGrantsOfSessions(sids),
    )
    this.revocations = new PendingRevocations(kv)
    this.grants = new Grants(sql, ({ id, tokenLifetime, ...part }) =>
      this.revocations.add({ id, expiresAt: revokedUntil(tokenLifetime), part }),
    )
    this.outbox = new LogoutOutbox(kv)
    this.consents = new Consents(kv)
    this.upstream = new UpstreamAccounts(kv)
    this.disconnections = new Disconnections(kv)
    this.methodChanges = new MethodChanges(kv)
    this.records = new FeatureRecords(kv)
  }

  /** Which steps a session must have passed can depend on the user. */
  #sessionRules(): SessionRules {
    const { lifetimes, steps, features } = this.#rules()
    const areBindable = features.some(({ boundSessions }) => boundSessions)
    return { lifetimes, steps: stepsOf(steps, () => this.user()), areBindable }
  }

  /** Adds records of a feature. */
  addRecords<Records extends UserRecords>(records: Records): Records {
    this.#featureRecords.push(records)
    return records
  }

  /** The user, with the fields that features add. Absent without sessions and grants. */
  user(): UserRecord | undefined {
    const user = this.status.user()
    return user && Object.assign({ ...user }, ...this.#featureRecords.map(fieldsOf))
  }

  /** A session that has not expired. */
  readSession(sessionKey: string): FoundSession | undefined {
    const user = this.user()
    return user && this.sessions.read(sessionKey, user)
  }

  /** Adds what callbacks receive about the account that the session was opened with. */
  withAccount(session: Session, sessionKey: string): Session {
    const account = this.upstream.summary(this.sessions.accountKeyForApps(sessionKey))
    return { ...session, account: account ?? null }
  }

  /**
   * Ends the grants of sessions, revokes their tokens, and schedules notices to their clients.
   * Called for each session that ends.
   */
  endGrantsOfSessions(sids: Iterable<string>): void {
    const expiresAt = revokedUntil(this.#longestTokenLifetime())
    for (const sid of new Set(sids)) {
      this.revocations.add({ id: sid, expiresAt })
      this.outbox.notifyParticipants(sid)
      this.grants.endAllOfSession(sid)
    }
  }

  /**
   * Revokes all tokens that the user has been issued. Most name a session or a grant that ends, but
   * a session that expired a minute ago may also have some.
   */
  revokeAllTokens(userId: string, before = nowInSeconds()): void {
    const expiresAt = revokedUntil(this.#longestTokenLifetime())
    this.revocations.add({ id: userId, before, expiresAt })
  }

  /** How long any token of the user can be valid, in seconds. */
  #longestTokenLifetime(): number {
    const { accessToken, sessionToken, trustCopyFor } = this.#rules().lifetimes
    // A session token can still be issued from a copy of a session that has ended.
    return Math.max(accessToken, trustCopyFor + sessionToken, this.grants.longestTokenLifetime())
  }

  /** When something expires or is due; undefined if nothing ever will. */
  nextEvent(listed = this.#listRecords()): number | undefined {
    return earliest([
      this.sessions.nextExpiry(listed),
      this.grants.nextExpiry(),
      this.outbox.nextDue(listed),
      this.status.deletedUntil(),
      this.disconnections.nextExpiry(listed),
      this.revocations.nextDue(listed),
    ])
  }

  /** The same, including what stays without sessions and grants until it expires. */
  nextCleanUp(): number | undefined {
    const listed = this.#listRecords()
    const next = this.nextEvent(listed)
    return next === undefined ? undefined : earliest([next, this.nextExpiryWhileInactive(listed)])
  }

  deleteExpired(): void {
    this.status.deleteExpired()
    this.sessions.deleteExpired()
    this.grants.deleteExpired()
    this.disconnections.deleteExpired()
    this.methodChanges.deleteExpired()
    this.records.deleteExpired()
    for (const records of this.#featureRecords) records.deleteExpired?.()
    const sidsWithGrants = this.grants.sids()
    this.outbox.deleteInactive((sid) => this.sessions.has(sid) || sidsWithGrants.includes(sid))
  }

  /**
   * Deletes what a user without sessions and grants does not need. Returns whether anything is
   * left.
   */
  deleteInactive(): boolean {
    this.upstream.deleteAll()
    this.status.forgetUser()
    return (
      this.consents.list().length > 0 ||
      this.status.blockedAt() !== undefined ||
      this.nextExpiryWhileInactive() !== undefined ||
      this.#featureKeys().length > 0
    )
  }

  /** When something expires that stays without sessions and grants. */
  nextExpiryWhileInactive(listed = this.#listRecords()): number | undefined {
    const ofFeatures = this.#featureRecords.map((records) => records.nextExpiry?.(listed))
    return earliest([
      this.methodChanges.nextExpiry(listed),
      this.records.nextExpiry(listed),
      ...ofFeatures,
    ])
  }

  /** The keys of the accounts with which the user can resist phishing. */
  phishingResistantAccounts(): string[] {
    return this.#featureRecords.flatMap((records) => records.phishingResistantAccounts?.() ?? [])
  }

  deleteFeatureRecord(key: string): void {
    if (!CORE_KEYS.test(key)) this.#kv.delete(key)
  }

  deleteFeatureRecords(): void {
    for (const key of this.#featureKeys()) this.#kv.delete(key)
  }

  /** What an export contains of features. */
  exportFeatureRecords(): Record<string, unknown> {
    return Object.assign(
      {},
      ...this.#featureRecords.map((records) => records.exportData?.()),
      ...this.#rules().features.map(({ id, exportRecords }) => {
        const records = this.records.list(id)
        return Object.keys(records).length > 0 && exportRecords?.(records)
      }),
    )
  }

  #featureKeys(): string[] {
    return this.#listRecords()
      .map(([key]) => key)
      .filter((key) => !CORE_KEYS.test(key))
  }

  #listRecords(): ListedRecords {
    return [...this.#kv.list()]
  }

  /** To be called when the object's storage has been deleted. */
  reset(): void {
    this.grants.reset()
  }
}

function fieldsOf(records: UserRecords): Partial<UserRecord> | undefined {
  return records.userFields?.()
}

function revokedUntil(tokenLifetime: number): number {
  return nowInSeconds() + tokenLifetime + EXPIRY_MARGIN
}
