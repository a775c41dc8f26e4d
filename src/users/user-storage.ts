import type { Lifetimes } from '../config/lifetimes.ts'
import { Consents } from '../grants/consents.ts'
import { Grants } from '../grants/grants.ts'
import { earliest } from '../values/clock.ts'
import { Disconnections } from './disconnections.ts'
import { LogoutOutbox } from './logout-outbox.ts'
import { MethodChanges } from './method-changes.ts'
import { Passkeys } from './passkeys.ts'
import type { Session } from './session.ts'
import { Sessions } from './sessions.ts'
import { UpstreamAccounts } from './upstream-account.ts'
import { UserStatus } from './user-status.ts'

/** Everything that one user's object stores. No method waits for anything. */
export class UserStorage {
  readonly status: UserStatus
  readonly sessions: Sessions
  readonly grants: Grants
  readonly outbox: LogoutOutbox
  readonly consents: Consents
  readonly upstream: UpstreamAccounts
  readonly disconnections: Disconnections
  readonly passkeys: Passkeys
  readonly methodChanges: MethodChanges

  constructor({ kv, sql }: DurableObjectStorage, lifetimes: () => Lifetimes) {
    this.status = new UserStatus(kv)
    this.sessions = new Sessions(kv, lifetimes)
    this.grants = new Grants(sql, lifetimes)
    this.outbox = new LogoutOutbox(kv)
    this.consents = new Consents(kv)
    this.upstream = new UpstreamAccounts(kv)
    this.disconnections = new Disconnections(kv)
    this.passkeys = new Passkeys(kv)
    this.methodChanges = new MethodChanges(kv)
  }

  /** A session that has not expired, and whether it has just been extended. */
  readSession(secretDigest: string): { session: Session; isRenewed: boolean } | undefined {
    const user = this.status.user()
    return user && this.sessions.read(secretDigest, user)
  }

  /** Adds what callbacks receive about the account that the session was opened with. */
  withAccount(session: Session, secretDigest: string): Session {
    const account = this.upstream.summary(this.sessions.accountKey(secretDigest))
    return { ...session, account: account ?? null }
  }

  /** Ends the grants of ended sessions, and schedules notices to their clients. */
  endGrantsOfSessions(sids: Iterable<string>): void {
    for (const sid of new Set(sids)) {
      this.grants.endAllOfSession(sid)
      this.outbox.notifyParticipants(sid)
    }
  }

  /** When something expires or is due; undefined if nothing ever will. */
  nextEvent(): number | undefined {
    return earliest([
      this.sessions.nextExpiry(),
      this.grants.nextExpiry(),
      this.outbox.nextDue(),
      this.status.deletedUntil(),
      this.disconnections.nextExpiry(),
    ])
  }

  deleteExpired(): void {
    this.sessions.deleteExpired()
    this.grants.deleteExpired()
    this.disconnections.deleteExpired()
    this.methodChanges.deleteExpired()
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
      !this.passkeys.isEmpty() ||
      this.methodChanges.nextExpiry() !== undefined
    )
  }

  /** To be called when the object's storage has been deleted. */
  reset(): void {
    this.grants.reset()
  }
}
