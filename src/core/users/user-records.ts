import type { ListedRecords } from '../storage/kv-records.ts'
import type { UserRecord } from './user.ts'

/**
 * Records that a feature keeps in the key-value storage of the user's object. A mixin of `UserObject`
 * creates them and passes them to `this.stored.addRecords`. They are kept until the user is deleted,
 * also while a deployment does not list the feature, unless they expire.
 */
export interface UserRecords {
  /** The keys of the accounts whose sign-ins resist phishing. */
  phishingResistantAccounts?(): string[]
  /** The fields that the user has in sessions and tokens, besides those of the directory. */
  userFields?(): Partial<UserRecord>
  /** Deletes what has expired. */
  deleteExpired?(): void
  /** When {@link deleteExpired} is to be called, in seconds since 1970. It may be called before. */
  nextExpiry?(listed: ListedRecords): number | undefined
  /** The fields of an export of the user's data, without secrets. */
  exportData?(): Readonly<Record<string, unknown>>
}
