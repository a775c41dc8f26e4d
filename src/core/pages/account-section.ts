/** A section of the account page, about something other than accounts. */
export interface AccountSection {
  title: string
  /** What is worth knowing, one line each. */
  facts: readonly string[]
  /** What the user has to do something about. */
  warning?: string
  links: readonly { path: string; label: string }[]
}
