import { nowInSeconds } from '../../foundation/values/clock.ts'
import { ExpiringRecords } from '../storage/expiring-records.ts'
import type { ListedRecords } from '../storage/kv-records.ts'

/** Something that a feature keeps about a user. */
export interface FeatureRecord {
  /** As JSON. */
  value: string
  /** Changes whenever the record is stored. */
  version: string
}

/** A change of a record, which is made only if nobody has changed the record meanwhile. */
export interface RecordChange {
  /** The id of the feature. */
  feature: string
  key: string
  /** As JSON; undefined deletes the record. */
  value: string | undefined
  /** In seconds since 1970. */
  expiresAt?: number | undefined
  /** The version that was read; undefined if there was no record. */
  version: string | undefined
  /** The digest of the secret of a session that must not have ended. It may wait for a step. */
  session?: string | undefined
}

/** `conflict`: the record was changed meanwhile. `ended`: the session has ended. */
export type RecordResult = 'stored' | 'conflict' | 'ended'

interface StoredRecord extends FeatureRecord {
  expiresAt?: number
}

/** What features keep about one user by key. Each method is one decision without an await. */
export class FeatureRecords {
  readonly #records: ExpiringRecords<StoredRecord>

  constructor(kv: SyncKvStorage) {
    this.#records = new ExpiringRecords(kv, 'record:', ({ expiresAt }) => expiresAt)
  }

  read(feature: string, key: string): FeatureRecord | undefined {
    const record = this.#records.get(recordKey(feature, key))
    return record && !isExpired(record) ? record : undefined
  }

  /** Returns false if the record is not the one of this version. */
  change({ feature, key, value, expiresAt, version }: RecordChange): boolean {
    if (this.read(feature, key)?.version !== version) return false
    if (value === undefined) this.#records.delete(recordKey(feature, key))
    else {
      this.#records.put(recordKey(feature, key), {
        value,
        version: crypto.randomUUID(),
        ...(expiresAt !== undefined && { expiresAt }),
      })
    }
    return true
  }

  /** The values of a feature by key. */
  list(feature: string): Record<string, unknown> {
    const prefix = recordKey(feature, '')
    const ofFeature = this.#records
      .entries()
      .filter(([key, record]) => key.startsWith(prefix) && !isExpired(record))
    return Object.fromEntries(
      ofFeature.map(([key, { value }]) => [key.slice(prefix.length), JSON.parse(value)]),
    )
  }

  deleteExpired(): void {
    this.#records.deleteExpired()
  }

  nextExpiry(listed?: ListedRecords): number | undefined {
    return this.#records.nextExpiry(listed)
  }
}

function isExpired({ expiresAt }: StoredRecord): boolean {
  return expiresAt !== undefined && expiresAt <= nowInSeconds()
}

/** Ids of features have no spaces. */
function recordKey(feature: string, key: string): string {
  return `${feature} ${key}`
}
