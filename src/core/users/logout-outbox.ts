import { nowInSeconds } from '../../foundation/values/clock.ts'
import { KvRecords } from '../storage/kv-records.ts'
import { Outbox } from '../storage/outbox.ts'

/** A client that took part in a session. */
interface Participant {
  sid: string
  clientId: string
}

/** A logout notification that a client has not yet acknowledged. */
export interface LogoutNotice extends Participant {
  attempts: number
  dueAt: number
}

/**
 * The last attempt is about a day after the first (22.8 hours). A client that has not responded by
 * then is given up.
 */
const MAX_ATTEMPTS = 14

/** The delay doubles after each failed attempt: 10 seconds, 20, 40, … */
const FIRST_RETRY_DELAY = 10 // seconds

/**
 * A notice in delivery is not sent again for twice the delivery timeout; after a crash it waits no
 * longer.
 */
const LEASE = 10 // seconds

/** A Durable Object can have six connections at once. */
const MAX_CONCURRENT_DELIVERIES = 5

/**
 * Which clients took part in which session, and the notices to those that have not yet acknowledged
 * that it ended.
 */
export class LogoutOutbox extends Outbox<LogoutNotice> {
  readonly #participants: KvRecords<Participant>

  constructor(kv: SyncKvStorage) {
    super(kv, 'logout:')
    this.#participants = new KvRecords(kv, 'participant:')
  }

  /** Records that a client takes part in a session. */
  addParticipant(participant: Participant): void {
    const key = this.keyOf(participant)
    if (this.#participants.get(key) === undefined) this.#participants.put(key, participant)
  }

  participants(): Participant[] {
    return this.#participants.values()
  }

  /** Schedules a notice to every client of a session that has ended. */
  notifyParticipants(sid: string): void {
    this.#notify(this.participants().filter((participant) => participant.sid === sid))
  }

  /** Schedules notices to a client for all sessions it took part in. */
  notifyClient(clientId: string): void {
    this.#notify(this.participants().filter((participant) => participant.clientId === clientId))
  }

  #notify(participants: readonly Participant[]): void {
    for (const participant of participants) {
      this.put({ ...participant, attempts: 0, dueAt: nowInSeconds() })
      this.#participants.delete(this.keyOf(participant))
    }
  }

  /** Deletes the participants of sessions for which `isActive` returns false. */
  deleteInactive(isActive: (sid: string) => boolean): void {
    for (const participant of this.participants()) {
      if (!isActive(participant.sid)) this.#participants.delete(this.keyOf(participant))
    }
  }

  /**
   * Returns the notices that are due, and postpones them so that no other call returns them
   * meanwhile.
   */
  takeDue(): LogoutNotice[] {
    const now = nowInSeconds()
    const due = this.list()
      .filter(({ dueAt }) => dueAt <= now)
      .sort((a, b) => a.dueAt - b.dueAt)
      .slice(0, MAX_CONCURRENT_DELIVERIES)
      .map((notice) => ({ ...notice, dueAt: now + LEASE }))
    for (const notice of due) this.put(notice)
    return due
  }

  protected override keyOf({ sid, clientId }: Participant): string {
    return `${sid} ${clientId}`
  }

  protected override postpone(notice: LogoutNotice): LogoutNotice | undefined {
    const attempts = notice.attempts + 1
    if (attempts >= MAX_ATTEMPTS) return undefined
    const dueAt = nowInSeconds() + FIRST_RETRY_DELAY * 2 ** notice.attempts
    return { ...notice, attempts, dueAt }
  }
}
