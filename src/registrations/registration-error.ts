import { formatProblem, type Problem } from '../values/problem.ts'

/** A client or API cannot be registered or changed like this: the administrator is informed. */
export class RegistrationError extends Error {
  override readonly name = 'RegistrationError'
  readonly problems: readonly Problem[]

  constructor(...problems: readonly Problem[]) {
    super(problems.map(formatProblem).join(' '))
    this.problems = problems
  }
}

/** Rejects changes of fields that an update cannot change. */
export function rejectFields(changes: object, fields: readonly string[]): void {
  const problems = fields
    .filter((field) => field in changes)
    .map(
      (field): Problem => ({
        path: [field],
        code: 'invalid',
        message: 'cannot be changed like this.',
      }),
    )
  if (problems.length > 0) throw new RegistrationError(...problems)
}
