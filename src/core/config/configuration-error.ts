import { formatProblem, type Problem } from '../../foundation/values/problem.ts'

/** The deployment is misconfigured. Lists all problems, without the values that cause them. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly Problem[]
  /** Where users get help: the page of this error cannot read it from the configuration. */
  readonly contact: string | undefined

  constructor(problems: readonly Problem[], contact?: string) {
    super(
      `The configuration has ${problems.length} problem(s): ${problems.map(formatProblem).join(' ')}`,
    )
    this.problems = problems
    this.contact = contact
  }
}
