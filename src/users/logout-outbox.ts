import { seconds } from '../clock.ts'
import type { Tables } from './schema.ts'

/** A client that has to be told that a session has ended. */
export interface LogoutNotice {
  id: number
  client_id: string
  sid: string
  attempts: number
}

/** After the last of these, about a day in all, a client that never answers is given up. */
const MOST_ATTEMPTS = 12

/** Ten seconds, twenty, forty, … between attempts. */
const FIRST_PAUSE = 10 // seconds

/** A client that is being told is left alone for twice as long as it may take; after a crash it waits no longer. */
const LEASE = 10 // seconds

/** How many clients are told at once: a Durable Object has six connections. */
const AT_ONCE = 5

/**
 * Who took part in a session, and who has yet to be told that it ended. A notice is written in the same
 * breath as the end of the session, and stays until the client has answered: a crash loses nothing.
 */
export class LogoutOutbox {
  readonly #sql: Tables

  constructor(sql: Tables) {
    this.#sql = sql
  }

  /** A client has been let into a session. */
  join(sid: string, clientId: string): void {
    this.#sql.exec(
      'INSERT INTO participants (sid, client_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
      sid,
      clientId,
    )
  }

  /** A session has ended: everybody in it will be told. */
  announce(sid: string): void {
    this.#sql.exec(
      'INSERT INTO outbox (client_id, sid, attempts, due_at) SELECT client_id, sid, 0, ? FROM participants WHERE sid = ?',
      seconds(),
      sid,
    )
    this.#sql.exec('DELETE FROM participants WHERE sid = ?', sid)
  }

  /** A client is let in no more: it will be told that its sessions have ended. */
  announceTo(clientId: string): void {
    this.#sql.exec(
      'INSERT INTO outbox (client_id, sid, attempts, due_at) SELECT client_id, sid, 0, ? FROM participants WHERE client_id = ?',
      seconds(),
      clientId,
    )
    this.#sql.exec('DELETE FROM participants WHERE client_id = ?', clientId)
  }

  /** Who has been let into which session. */
  participants(): { sid: string; client_id: string }[] {
    return [
      ...this.#sql.exec<{ sid: string; client_id: string }>(
        'SELECT sid, client_id FROM participants',
      ),
    ]
  }

  /** Forgets who took part in sessions that are no more. */
  sweep(): void {
    this.#sql.exec(
      'DELETE FROM participants WHERE sid NOT IN (SELECT sid FROM sessions UNION SELECT sid FROM grants)',
    )
  }

  /** What is due, taken for as long as a client may take to answer: nobody else takes it meanwhile. */
  take(): LogoutNotice[] {
    const now = seconds()
    const rows = this.#sql.exec<LogoutNotice & Record<string, SqlStorageValue>>(
      `UPDATE outbox SET due_at = ? WHERE id IN (SELECT id FROM outbox WHERE due_at <= ? ORDER BY due_at LIMIT ?)
       RETURNING id, client_id, sid, attempts`,
      now + LEASE,
      now,
      AT_ONCE,
    )
    return [...rows]
  }

  delivered({ id }: LogoutNotice): void {
    this.#sql.exec('DELETE FROM outbox WHERE id = ?', id)
  }

  /** Tries again later, and in the end no more. Says whether it has been given up. */
  failed(notice: LogoutNotice): boolean {
    const attempts = notice.attempts + 1
    if (attempts >= MOST_ATTEMPTS) {
      this.delivered(notice)
      return true
    }
    const due = seconds() + FIRST_PAUSE * 2 ** notice.attempts
    this.#sql.exec(
      'UPDATE outbox SET attempts = ?, due_at = ? WHERE id = ?',
      attempts,
      due,
      notice.id,
    )
    return false
  }

  /** When there is something to send, in seconds. */
  nextDue(): number | undefined {
    return (
      this.#sql.exec<{ next: number | null }>('SELECT min(due_at) AS next FROM outbox').one()
        .next ?? undefined
    )
  }
}
