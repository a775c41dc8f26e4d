import { RegistrationError, RotationTooEarlyError } from '../../errors.ts'

/** What the administrator can correct; anything else is thrown again. */
export function describeProblems(error: unknown): readonly string[] {
  if (error instanceof RegistrationError) return error.problems
  if (error instanceof RotationTooEarlyError) return [error.message]
  throw error
}
