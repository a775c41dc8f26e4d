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

/** The providers whose last answer was a rejection, once these answers are known, too. */
export function updateRejections(
  rejections: CredentialsAnswers,
  answers: CredentialsAnswers,
): CredentialsAnswers {
  const isNews = ([id, { at }]: [string, CredentialsAnswer]) => at >= (rejections[id]?.at ?? 0)
  const latest = { ...rejections, ...Object.fromEntries(Object.entries(answers).filter(isNews)) }
  return Object.fromEntries(Object.entries(latest).filter(([, { error }]) => error !== undefined))
}
