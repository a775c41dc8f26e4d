import type { Revocation } from '../revocations/revocation.ts'
import { KvRecords } from '../storage/kv-records.ts'
import { earliest, nowInSeconds } from '../values/clock.ts'

/** When the alarm publishes a revocation again that could not be published. */
const RETRY_DELAY = 10 // seconds

interface StoredRevocation extends Revocation {
  dueAt: number
}

/**
 * What has ended and is not yet published. A record is written together with the end of the session
 * or grant and stays until it is published, so a crash loses nothing.
 */
export class PendingRevocations {
  readonly #records: KvRecords<StoredRevocation>

  constructor(kv: SyncKvStorage) {
    this.#records = new KvRecords(kv, 'revocation:')
  }

  add(revocation: Revocation): void {
    this.#records.put(revocation.id, { ...revocation, dueAt: nowInSeconds() + RETRY_DELAY })
  }

  list(): Revocation[] {
    return this.#records.values().map(({ dueAt: _, ...revocation }) => revocation)
  }

  /** Removes published revocations, unless one was replaced meanwhile. */
  removePublished(published: readonly Revocation[]): void {
    for (const { id, before } of published) {
      if (this.#records.get(id)?.before === before) this.#records.delete(id)
    }
  }

  /** Schedules the next attempt for all that can still be of use. */
  retryLater(): void {
    const now = nowInSeconds()
    for (const revocation of this.list()) {
      if (revocation.expiresAt > now) this.add(revocation)
      else this.#records.delete(revocation.id)
    }
  }

  /** When the next attempt is due. */
  nextDue(): number | undefined {
    return earliest(this.#records.values().map(({ dueAt }) => dueAt))
  }
}
