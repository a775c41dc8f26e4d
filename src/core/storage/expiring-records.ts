import { earliest, nowInSeconds } from '../../foundation/values/clock.ts'
import { KvRecords, type ListedRecords } from './kv-records.ts'

/**
 * Records that expire, each at the time that `expiryOf` returns, in seconds since 1970; undefined if
 * it never does.
 */
export class ExpiringRecords<Value> extends KvRecords<Value> {
  readonly #expiryOf: (value: Value) => number | undefined

  constructor(kv: SyncKvStorage, prefix: string, expiryOf: (value: Value) => number | undefined) {
    super(kv, prefix)
    this.#expiryOf = expiryOf
  }

  deleteExpired(): void {
    const now = nowInSeconds()
    for (const [key, value] of this.entries()) {
      if ((this.#expiryOf(value) ?? now + 1) <= now) this.delete(key)
    }
  }

  /** When the next record can be deleted. */
  nextExpiry(listed?: ListedRecords): number | undefined {
    return earliest(this.values(listed).map(this.#expiryOf))
  }
}
