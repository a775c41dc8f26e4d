import { earliest, nowInSeconds } from '../../foundation/values/clock.ts'
import type { Config } from '../config/config.ts'
import { BINDING_WINDOW, PENDING_LIFETIME, renewalInterval } from '../config/lifetimes.ts'
import { hasPassed, type PassedSteps } from '../config/passed-steps.ts'
import { KvRecords, type ListedRecords } from '../storage/kv-records.ts'
import { acrOf } from '../tokens/acr.ts'
import { providerOfKey } from './account-reference.ts'
import {
  type Authentication,
  confirmedSignIn,
  type FoundSession,
  type OpenedSession,
  type PassedStep,
  type Session,
  type SessionBinding,
  type SessionOpening,
  type SessionSummary,
  type StepProof,
  type StepResult,
  type StepSession,
} from './session.ts'
import { digestOfKey, keyWithProof, proofOfKey } from './session-key.ts'
import { UsedAttempts } from './used-attempts.ts'
import type { UserRecord } from './user.ts'

/** More browsers than anyone uses. Beyond this number the oldest session ends. */
const MAX_SESSIONS = 100

/**
 * How many sign-ins of a user may wait for a step. Beyond this number the oldest ends, those of
 * unknown browsers first: whoever has only the first factor must not be able to end the owner's.
 */
const MAX_PENDING = 200

/** What the sessions of a user depend on. */
export interface SessionRules extends Pick<Config, 'lifetimes'> {
  steps: PassedSteps
  /** Whether a feature binds sessions to their browsers. */
  areBindable: boolean
}

/** A session that has just ended. Its key is that of its copy. */
export type EndedSession = { key: string } & Pick<StoredSession, 'sid' | 'account' | 'device'>

/**
 * The sessions of one user. Each method is one decision without an await. They are records instead
 * of a table, which would cost a page and two rows of every object. A user has few of them, so they
 * are searched one by one.
 *
 * A session is pending while a step of the deployment is missing: right after the sign-in, or
 * because the step, or its version, is newer than the session. Only the methods for steps return a
 * pending session; for all others there is none.
 *
 * A session can be bound to its browser. From the first request that proves the binding on, there is
 * no session for requests without the proof.
 */
export class Sessions {
  readonly #records: KvRecords<StoredSession>
  readonly #usedAttempts: UsedAttempts
  readonly #rules: () => SessionRules
  readonly #beforeEnd: (sids: string[]) => void

  /** `beforeEnd` is called when sessions end, but not when they have expired. */
  constructor(kv: SyncKvStorage, rules: () => SessionRules, beforeEnd: (sids: string[]) => void) {
    this.#rules = rules
    this.#beforeEnd = beforeEnd
    this.#records = new KvRecords(kv, 'session:')
    this.#usedAttempts = new UsedAttempts(kv)
  }

  /** Whether an attempt has already opened a session, which may have ended. */
  isUsed(attempt: string): boolean {
    return (
      this.#records.values().some((session) => session.attempt === attempt) ||
      this.#usedAttempts.has(attempt)
    )
  }

  /** Opens a session. Its attempt must not have opened one. */
  open(opening: SessionOpening): OpenedSession {
    const { secretDigest, sid, attempt, user, account, level, amr, device, place, steps } = opening
    const others = this.#records.values()
    const now = nowInSeconds()
    const session: StoredSession = {
      sid,
      attempt,
      account,
      device,
      place,
      level,
      renewedAt: now,
      number: 1 + Math.max(0, ...others.map(({ number }) => number)),
      authenticatedAt: Math.min(opening.authenticatedAt ?? now, now),
      ...(amr && level !== 'unconfirmed' && { amr }),
      ...this.#lifetime(now),
      ...(steps && { steps }),
      ...this.#bindable(now),
    }
    if (hasPassed(this.#rules().steps, steps)) {
      const stored = this.#start(secretDigest, session, opening)
      return { ...toSession(stored, user), ...bindingState(stored, secretDigest) }
    }
    const { isConfirmation, continuation, isKnownBrowser } = opening
    const expiresAt = now + PENDING_LIFETIME
    const times = { idleExpiresAt: expiresAt, expiresAt }
    const pending: StoredSession = {
      ...session,
      ...times,
      isPending: true,
      isKnownBrowser,
      isConfirmation,
      continuation,
    }
    this.#records.put(secretDigest, pending)
    this.#deleteSurplusPending()
    return { ...toSession(pending, user), isPending: true }
  }

  #deleteSurplusPending(): void {
    const rank = ({ isKnownBrowser }: StoredSession) => (isKnownBrowser ? 1 : 0)
    const waiting = this.#entriesWhere(({ isPending = false }) => isPending).toSorted(
      ([, a], [, b]) => rank(b) - rank(a) || b.number - a.number,
    )
    this.#delete(waiting.slice(MAX_PENDING))
  }

  #bindable(now: number): Pick<StoredSession, 'bindableUntil'> {
    return this.#rules().areBindable ? { bindableUntil: now + BINDING_WINDOW } : {}
  }

  #lifetime(now: number): Pick<Session, 'idleExpiresAt' | 'expiresAt'> {
    const { sessionIdle, sessionAbsolute } = this.#rules().lifetimes
    return { idleExpiresAt: now + sessionIdle, expiresAt: now + sessionAbsolute }
  }

  /**
   * Stores a session that counts, instead of the user's former one in this browser. For the apps, a
   * user who signs in again in the same browser continues the same session, unless it has expired.
   * A former one whose proof is missing ends.
   */
  #start(
    secretDigest: string,
    session: StoredSession,
    { replaces, isConfirmation }: Pick<SessionOpening, 'replaces' | 'isConfirmation'>,
  ): StoredSession {
    const former = replaces === undefined ? undefined : this.#findStarted(replaces)
    const confirmed = former && confirmedSignIn(former)
    const isUnconfirmed = session.level === 'unconfirmed'
    // What apps are told about the account of a session does not depend on an unconfirmed one.
    const isContinued = confirmed !== undefined && (isUnconfirmed || isConfirmation)
    const stored: StoredSession = {
      ...session,
      sid: former?.sid ?? session.sid,
      ...(isContinued && { account: former?.account, confirmedWith: session.account }),
      ...(confirmed && isUnconfirmed && { confirmed }),
    }
    this.#records.put(secretDigest, stored)
    if (replaces === undefined) return stored
    const replacedDigest = digestOfKey(replaces)
    if (former) this.#delete([[replacedDigest, former]])
    else this.#endWhere((other, key) => key === replacedDigest && other.binding !== undefined)
    return stored
  }

  /** A session that has not expired. */
  read(sessionKey: string, user: UserRecord): FoundSession | undefined {
    const found = this.#find(sessionKey)
    if (!found) return undefined
    const now = nowInSeconds()
    const { lifetimes } = this.#rules()
    const isDue = found.renewedAt <= now - renewalInterval(lifetimes)
    const renewed = { ...found, renewedAt: now, idleExpiresAt: now + lifetimes.sessionIdle }
    const isRenewed = isDue && this.#tryToPut(digestOfKey(sessionKey), renewed)
    const stored = isRenewed ? renewed : found
    const session = { ...toSession(stored, user), ...bindingState(stored, sessionKey) }
    return { session, isRenewed, method: methodOf(stored) }
  }

  /** A session that has not expired, also one that is pending, for the page of a step. */
  readForStep(sessionKey: string, user: UserRecord): StepSession | undefined {
    const found = this.#findUnexpired(sessionKey)
    if (!found) return undefined
    return {
      session: { ...toSession(found, user), ...bindingState(found, sessionKey) },
      isRenewed: false,
      method: methodOf(found),
      isPending: this.#isPending(found),
      isNewUser: found.continuation?.isNewUser ?? false,
    }
  }

  /**
   * Records steps that a session has passed. It gets a new secret, so that whoever knew the former
   * one has nothing. If no step is missing, it replaces the former session of this browser. Returns
   * undefined if there is no such session.
   */
  pass(sessionKey: string, passed: PassedStep, user: UserRecord): StepResult | undefined {
    const found = this.#findUnexpired(sessionKey)
    if (!found) return undefined
    const steps = { ...found.steps, ...passed.steps }
    const session: StoredSession = { ...found, ...withProof(found, passed), steps }
    this.#records.delete(digestOfKey(sessionKey))
    if (!hasPassed(this.#rules().steps, steps)) {
      this.#records.put(passed.newSecretDigest, session)
      return {
        session: { ...toSession(session, user), isPending: true },
        continuation: undefined,
      }
    }
    const { isPending, isKnownBrowser: _, isConfirmation, continuation, ...started } = session
    const now = nowInSeconds()
    const counting = isPending
      ? { ...started, renewedAt: now, ...this.#lifetime(now), ...this.#bindable(now) }
      : started
    const stored = this.#start(passed.newSecretDigest, counting, {
      ...(passed.replaces !== undefined && { replaces: passed.replaces }),
      isConfirmation: isConfirmation ?? false,
    })
    const newKey = keyWithProof(passed.newSecretDigest, proofOfKey(sessionKey))
    return {
      session: { ...toSession(stored, user), ...bindingState(stored, newKey) },
      continuation,
    }
  }

  /**
   * Binds a session that was opened a moment ago. `second` if it is bound already, undefined if there
   * is no such session, or it is too late.
   */
  bind(secretDigest: string, { proof, data }: SessionBinding): 'bound' | 'second' | undefined {
    const session = this.#records.get(secretDigest)
    const isOpen = session && !isExpired(session) && !this.#isPending(session)
    if (!isOpen || !isBindable(session)) return undefined
    if (session.binding) return 'second'
    this.#records.put(secretDigest, { ...session, binding: { proof, data, isProved: false } })
    return 'bound'
  }

  /** The session that is bound with this proof. */
  findBound(proof: string): { sid: string; secretDigest: string; data: string } | undefined {
    const [secretDigest] = this.#entriesWhere(({ binding }) => binding?.proof === proof)[0] ?? []
    if (secretDigest === undefined) return undefined
    const session = this.#findUnexpired(keyWithProof(secretDigest, proof))
    if (!session?.binding) return undefined
    return { sid: session.sid, secretDigest, data: session.binding.data }
  }

  /** Replaces what the feature has stored about the binding. */
  changeBinding({ proof, data }: SessionBinding): void {
    for (const [key, session] of this.#entriesWhere(({ binding }) => binding?.proof === proof)) {
      if (session.binding) {
        this.#records.put(key, { ...session, binding: { ...session.binding, data } })
      }
    }
  }

  /** Returns false if there is no space: a session that cannot be extended is still valid. */
  #tryToPut(secretDigest: string, session: StoredSession): boolean {
    try {
      this.#records.put(secretDigest, session)
      return true
    } catch (error) {
      console.error(JSON.stringify({ event: 'session_renewal_failed', cause: String(error) }))
      return false
    }
  }

  /** Whether this session has not ended. A step of it may be missing. */
  isOpen(sessionKey: string): boolean {
    return this.#findUnexpired(sessionKey) !== undefined
  }

  /** Whether a step of this session is missing. */
  isPending(sessionKey: string): boolean {
    const session = this.#findUnexpired(sessionKey)
    return session !== undefined && this.#isPending(session)
  }

  /** The key of the account the session was opened with. */
  accountKey(sessionKey: string): string | undefined {
    return this.#find(sessionKey)?.account
  }

  /** The same for apps, which are not told about an unconfirmed account. */
  accountKeyForApps(sessionKey: string): string | undefined {
    const session = this.#find(sessionKey)
    return session && confirmedSignIn(session) && session.account
  }

  /**
   * The id of a session that has not expired. Unlike reading the session, this does not extend it.
   */
  findSid(sessionKey: string): string | undefined {
    return this.#find(sessionKey)?.sid
  }

  /** The keys of all sessions, with which their copies are read. */
  keys(): string[] {
    return this.#records.entries().map(([key, session]) => copyKey(key, session))
  }

  has(sid: string): boolean {
    return this.list().some((session) => session.sid === sid)
  }

  /** The sessions that have not expired, the newest first. */
  list(): SessionSummary[] {
    return this.#newestFirst()
      .filter(([, session]) => !session.isPending && !isExpired(session))
      .map(([, { sid, device, place, account, authenticatedAt, renewedAt, binding }]) => ({
        sid,
        ...(binding?.isProved && { isBound: true as const }),
        device,
        place,
        provider: providerOfKey(account),
        authenticatedAt,
        lastUsedAt: renewedAt,
      }))
  }

  // Ending a session that has already ended is not an error. An expired session has ended, whether
  // or not it has been deleted: refresh tokens outlive it.

  /** Also without the proof of a session that is bound. */
  end(sessionKey: string): EndedSession[] {
    const digest = digestOfKey(sessionKey)
    return this.#endWhere((session, key) => key === digest && !isExpired(session))
  }

  endById(sid: string): EndedSession[] {
    return this.#endWhere((session) => session.sid === sid && !isExpired(session))
  }

  endAllExcept(sessionKey: string): EndedSession[] {
    return this.#endWhere((_, key) => key !== digestOfKey(sessionKey))
  }

  endAll(): EndedSession[] {
    return this.#endWhere(() => true)
  }

  /** For a deleted user, for whom no attempt can open a session anyway. */
  forgetUsedAttempts(): void {
    this.#usedAttempts.deleteAll()
  }

  /** Ends the oldest sessions if there are too many, and first those of unconfirmed accounts. */
  endSurplus(): EndedSession[] {
    const surplus = new Set(
      this.#newestFirst()
        .filter(([, { isPending }]) => !isPending)
        .toSorted(([, a], [, b]) => Number(isUnconfirmed(a)) - Number(isUnconfirmed(b)))
        .slice(MAX_SESSIONS)
        .map(([key]) => key),
    )
    return surplus.size > 0 ? this.#endWhere((_, key) => surplus.has(key)) : []
  }

  deleteExpired(): void {
    this.#delete(this.#entriesWhere(isExpired))
    this.#usedAttempts.deleteExpired()
  }

  /** When the next session, or the record of a used attempt, expires. */
  nextExpiry(listed: ListedRecords): number | undefined {
    return earliest([
      ...this.#records.values(listed).map(expiryOf),
      this.#usedAttempts.nextExpiry(listed),
    ])
  }

  #newestFirst(): [key: string, session: StoredSession][] {
    return this.#records
      .entries()
      .toSorted(([, a], [, b]) => b.authenticatedAt - a.authenticatedAt || b.number - a.number)
  }

  /**
   * The sessions are deleted last: if there is no space for what their end leads to, they stay, and
   * can be ended again.
   */
  #endWhere(isEnded: (session: StoredSession, key: string) => boolean): EndedSession[] {
    const entries = this.#entriesWhere(isEnded)
    if (entries.length === 0) return []
    const ended = entries
      .filter(([, { isPending }]) => !isPending)
      .map(([key, session]) => {
        const { sid, account, device } = session
        return { key: copyKey(key, session), sid, account, device }
      })
    this.#beforeEnd(ended.map(({ sid }) => sid))
    this.#delete(entries)
    return ended
  }

  #entriesWhere(
    condition: (session: StoredSession, key: string) => boolean,
  ): [key: string, session: StoredSession][] {
    return this.#records.entries().filter(([key, session]) => condition(session, key))
  }

  /**
   * Deletes sessions and remembers their attempts. A session that was renewed is treated as if it
   * had been opened then, which only keeps its attempt for longer.
   */
  #delete(entries: readonly [key: string, session: StoredSession][]): void {
    for (const [key, { attempt, renewedAt }] of entries) {
      this.#usedAttempts.add(attempt, renewedAt)
      this.#records.delete(key)
    }
  }

  /** A session that counts. */
  #find(sessionKey: string): StoredSession | undefined {
    const session = this.#findUnexpired(sessionKey)
    return session && !this.#isPending(session) ? session : undefined
  }

  /** A session that counts, or did before the deployment had another step. */
  #findStarted(sessionKey: string): StoredSession | undefined {
    const session = this.#findUnexpired(sessionKey)
    return session?.isPending ? undefined : session
  }

  /** Only for the browser that a session is bound to. The first proof establishes the binding. */
  #findUnexpired(key: string): StoredSession | undefined {
    const digest = digestOfKey(key)
    const session = this.#records.get(digest)
    if (!session || isExpired(session)) return undefined
    const { binding } = session
    if (!binding) return session
    if (proofOfKey(key) !== binding.proof) {
      return binding.isProved && !isBindable(session) ? undefined : session
    }
    if (binding.isProved) return session
    const proved: StoredSession = { ...session, binding: { ...binding, isProved: true } }
    this.#records.put(digest, proved)
    return proved
  }

  #isPending({ isPending = false, steps }: StoredSession): boolean {
    return isPending || !hasPassed(this.#rules().steps, steps)
  }
}

function toSession(stored: StoredSession, user: UserRecord): Session {
  const { sid, authenticatedAt, level, idleExpiresAt, expiresAt } = stored
  const { amr, acr, confirmed, steps } = stored
  return {
    sid,
    user,
    level,
    authenticatedAt,
    idleExpiresAt,
    expiresAt,
    ...(amr && { amr }),
    ...(acr && { acr }),
    ...(confirmed && { confirmed }),
    ...(steps && { steps }),
  }
}

/** What a caller with this key must know about the binding. */
function bindingState(stored: StoredSession, key: string): Pick<Session, 'unsettled' | 'isBound'> {
  const { binding } = stored
  if (binding?.isProved && proofOfKey(key) === binding.proof) return { isBound: true }
  return binding || isBindable(stored) ? { unsettled: { isBindable: !binding } } : {}
}

/** Whether the session was opened so recently that it can be bound. */
function isBindable({ bindableUntil = 0 }: StoredSession): boolean {
  return nowInSeconds() < bindableUntil
}

/** The key of the only copies that a session has. */
function copyKey(digest: string, { binding }: StoredSession): string {
  return keyWithProof(digest, binding?.proof)
}

function methodOf({ confirmedWith, account }: StoredSession): string | undefined {
  return confirmedWith ?? account
}

/**
 * A sign-in with what a step has proved. `acr` stays that of the first factor. Nothing counts for an
 * unconfirmed account.
 */
function withProof(
  signIn: Authentication,
  { amr: added = [], level }: StepProof,
): Partial<Authentication> {
  if (signIn.level === 'unconfirmed') return {}
  return {
    ...(level && { level }),
    ...(added.length > 0 && {
      amr: [...new Set([...(signIn.amr ?? []), ...added])],
      acr: acrOf(signIn),
    }),
  }
}

/** Whether only unconfirmed accounts have signed in. */
function isUnconfirmed(session: StoredSession): boolean {
  return confirmedSignIn(session) === undefined
}

function isExpired(session: StoredSession): boolean {
  return expiryOf(session) <= nowInSeconds()
}

function expiryOf({ idleExpiresAt, expiresAt }: StoredSession): number {
  return Math.min(idleExpiresAt, expiresAt)
}

/** Stored under the digest of the session's secret. */
interface StoredSession
  extends Authentication,
    Pick<Session, 'sid' | 'confirmed' | 'idleExpiresAt' | 'expiresAt'>,
    Pick<SessionOpening, 'attempt' | 'account' | 'device' | 'place' | 'steps' | 'continuation'> {
  renewedAt: number
  /** The key of the account with which the user has confirmed that they are present. */
  confirmedWith?: string | undefined
  /** Sorts sessions with the same `authenticatedAt`: a later one has a higher number. */
  number: number
  /** Whether it has never counted, because a step of the sign-in is missing. */
  isPending?: boolean
  isKnownBrowser?: boolean | undefined
  /** Until when it can be bound, and its secret is sufficient. */
  bindableUntil?: number
  /** `isProved` from the first request with the proof on. */
  binding?: SessionBinding & { isProved: boolean }
  /** Whether a pending session continues with the account of the one that it replaces. */
  isConfirmation?: boolean | undefined
}
