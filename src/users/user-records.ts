/**
 * Records that a feature keeps in the user's object. A mixin of `UserObject` creates them and passes
 * them to `this.stored.addRecords`.
 */
export interface UserRecords {
  /** Whether nothing is left that a user without sessions and grants keeps. */
  isEmpty(): boolean
  /** Is called when the user is deleted. */
  deleteAll(): void
  /** Whether the user has a way to sign in that resists phishing. */
  hasPhishingResistantMethod?(): boolean
  /** The fields of an export of the user's data, without secrets. */
  exportData?(): Readonly<Record<string, unknown>>
}
