import { DurableObject } from 'cloudflare:workers'
import { addCounts, addMinutes } from '../../../core/metrics/count.ts'
import type {
  Counts,
  CredentialsAnswers,
  MinuteCounts,
  Report,
} from '../../../core/metrics/counts.ts'
import { namedObject } from '../../../core/storage/object-location.ts'
import { nowInSeconds } from '../../../foundation/values/clock.ts'
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

/** What is known about a secret of a client. */
export interface SecretRecord {
  /** In seconds since 1970. Absent if it was created before this was recorded. */
  createdAt?: number
  /** The last day on which the client authenticated with it, such as 2026-11-18, in UTC. */
  usedOn?: string
}

/** By the id of the credential. */
export type SecretRecords = Readonly<Record<string, SecretRecord>>

const SECRETS_PREFIX = 'secrets:'

/**
 * Adds up what the isolates have counted. Each report is written at once, because an object that
 * nobody calls is removed from memory after ten seconds.
 */
export class MetricsObject extends DurableObject<Env> {
  /** Adds what an isolate has counted and noted. */
  add({ counts, answers, secretUses, signIns }: Report): void {
    const { kv } = this.ctx.storage
    kv.put<Counts>('totals', addCounts(this.read(), counts))
    this.#update(answers)
    for (const [clientId, used] of Object.entries(secretUses)) this.#noteUses(clientId, used)
    if (Object.keys(signIns).length > 0) {
      kv.put<MinuteCounts>('minutes', addMinutes(this.readMinutes(), signIns))
    }
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

  /** The sign-ins of the last hour by minute, at most sixty. */
  readMinutes(): MinuteCounts {
    return addMinutes(this.ctx.storage.kv.get<MinuteCounts>('minutes') ?? {}, {})
  }

  /** What is known about the secrets of a client. */
  readSecrets(clientId: string): SecretRecords {
    return this.ctx.storage.kv.get<SecretRecords>(SECRETS_PREFIX + clientId) ?? {}
  }

  /** Forgets the secrets of a client other than these. The first of these was just created. */
  keepSecrets(clientId: string, ids: readonly string[], createdId?: string): void {
    const records = this.readSecrets(clientId)
    const kept = Object.entries(records).filter(([id]) => ids.includes(id))
    const created = createdId === undefined ? {} : { [createdId]: { createdAt: nowInSeconds() } }
    const left: SecretRecords = { ...Object.fromEntries(kept), ...created }
    const { kv } = this.ctx.storage
    if (Object.keys(left).length > 0) kv.put<SecretRecords>(SECRETS_PREFIX + clientId, left)
    else kv.delete(SECRETS_PREFIX + clientId)
  }

  /** At most one write for each secret and day. */
  #noteUses(clientId: string, used: Readonly<Record<string, string>>): void {
    const records = this.readSecrets(clientId)
    const news = Object.entries(used).filter(([id, day]) => day > (records[id]?.usedOn ?? ''))
    if (news.length === 0) return
    const changed = news.map(([id, usedOn]) => [id, { ...records[id], usedOn }])
    this.ctx.storage.kv.put<SecretRecords>(SECRETS_PREFIX + clientId, {
      ...records,
      ...Object.fromEntries(changed),
    })
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
