import { ExpiringRecords } from '../storage/expiring-records.ts'
import { nowInSeconds } from '../values/clock.ts'

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
    if (!record || (record.expiresAt ?? Number.POSITIVE_INFINITY) <= nowInSeconds())
      return undefined
    return { value: record.value, version: record.version }
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
    const keys = this.#records.entries().map(([key]) => key)
    const prefix = recordKey(feature, '')
    return Object.fromEntries(
      keys
        .filter((key) => key.startsWith(prefix))
        .map((key) => key.slice(prefix.length))
        .flatMap((key) => {
          const record = this.read(feature, key)
          return record ? [[key, JSON.parse(record.value)]] : []
        }),
    )
  }

  deleteExpired(): void {
    this.#records.deleteExpired()
  }

  nextExpiry(): number | undefined {
    return this.#records.nextExpiry()
  }
}

/** Ids of features have no spaces. */
function recordKey(feature: string, key: string): string {
  return `${feature} ${key}`
}
