import { formatProblem, type Problem } from '../../foundation/values/problem.ts'

/**
 * A client, API, webhook or administrator cannot be registered or changed like this: the administrator is
 * informed.
 */
export class RegistrationError extends Error {
  override readonly name = 'RegistrationError'
  readonly problems: readonly Problem[]

  constructor(...problems: readonly Problem[]) {
    super(problems.map(formatProblem).join(' '))
    this.problems = problems
  }
}
