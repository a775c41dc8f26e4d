/** A series of Prometheus, `name{label="value"}`, and a number. */
export type Counts = Readonly<Record<string, number>>

/** How a provider answered a token request with our credentials. */
export interface CredentialsAnswer {
  /** The digest of the credentials. */
  credentials: string
  /** In milliseconds since 1970. */
  at: number
  /** The error with which the provider rejected them; absent if it accepted them. */
  error?: string | undefined
}

/**
 * The days on which clients have authenticated with secrets, such as 2026-11-18, by the id of the
 * client and that of the credential.
 */
export type SecretUses = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Sign-ins by the minute, since 1970, in which they ended. */
export type MinuteCounts = Readonly<Record<number, { succeeded: number; failed: number }>>

/** What an isolate has counted and noted since it sent the last report. */
export interface Report {
  counts: Record<string, number>
  answers: CredentialsAnswers
  secretUses: SecretUses
  signIns: MinuteCounts
}

/** The last answer of each provider, by its id. */
export type CredentialsAnswers = Readonly<Record<string, CredentialsAnswer>>
