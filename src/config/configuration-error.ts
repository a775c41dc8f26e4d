/** The deployment is misconfigured. Lists all problems, without the values that cause them. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly string[]
  /** Where users get help: the page of this error cannot read it from the configuration. */
  readonly contact: string | undefined

  constructor(problems: readonly string[], contact?: string) {
    super(`The configuration has ${problems.length} problem(s): ${problems.join(' ')}`)
    this.problems = problems
    this.contact = contact
  }
}
