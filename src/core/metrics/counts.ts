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

/** The last answer of each provider, by its id. */
export type CredentialsAnswers = Readonly<Record<string, CredentialsAnswer>>
