import { DurableObject } from 'cloudflare:workers'
import { addCounts } from '../../../core/metrics/count.ts'
import type { Counts, CredentialsAnswers } from '../../../core/metrics/counts.ts'
import { namedObject } from '../../../core/storage/object-location.ts'
import { updateRejections } from './rejections.ts'

const HOUR = 3_600_000 // milliseconds

/** What the overview of the console shows. */
const STORED_HOURS = 30 * 24

/** Emails are also counted per hour. The keys sort by time until the year 3110. */
const EMAILS = 'vestibule_emails_total'
const EMAIL_PREFIX = 'emails:'

function emailKey(hour: number): string {
  return EMAIL_PREFIX + String(hour).padStart(7, '0')
}

/**
 * Adds up what the isolates have counted. Each report is written at once, because an object that
 * nobody calls is removed from memory after ten seconds.
 */
export class MetricsObject extends DurableObject<Env> {
  /** Adds the counts of an isolate, and what providers answered it. */
  add(counts: Counts, answers: CredentialsAnswers = {}): void {
    const { kv } = this.ctx.storage
    kv.put<Counts>('totals', addCounts(this.read(), counts))
    this.#update(answers)
    const emails = Object.entries(counts).filter(([series]) => series.startsWith(EMAILS))
    if (emails.length === 0) return
    const hour = Math.floor(Date.now() / HOUR)
    const present = kv.get<Counts>(emailKey(hour))
    kv.put<Counts>(emailKey(hour), addCounts(present ?? {}, Object.fromEntries(emails)))
    if (present) return
    const expired = kv.list({ prefix: EMAIL_PREFIX, end: emailKey(hour - STORED_HOURS) })
    for (const [key] of [...expired]) kv.delete(key)
  }

  /** The emails of the last hours, at most those of thirty days. */
  readEmails(hours: number): Counts {
    const start = emailKey(Math.floor(Date.now() / HOUR) - hours + 1)
    const counts = this.ctx.storage.kv.list<Counts>({ prefix: EMAIL_PREFIX, start })
    return [...counts].map(([, count]) => count).reduce(addCounts, {})
  }

  read(): Counts {
    return this.ctx.storage.kv.get<Counts>('totals') ?? {}
  }

  /** The providers that rejected our credentials, and have accepted none since. */
  readRejections(): CredentialsAnswers {
    return this.ctx.storage.kv.get<CredentialsAnswers>('rejections') ?? {}
  }

  #update(answers: CredentialsAnswers): void {
    const before = this.readRejections()
    const after = updateRejections(before, answers)
    // Usually both are empty: nothing is written while providers accept our credentials.
    if (Object.keys({ ...before, ...after }).length > 0) {
      this.ctx.storage.kv.put<CredentialsAnswers>('rejections', after)
    }
  }
}

/** The only object of its class. */
export function metricsObject(env: Env): DurableObjectStub<MetricsObject> {
  return namedObject(env, env.METRICS, 'metrics')
}
