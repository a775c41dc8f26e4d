import { RegistrationError } from '../../registrations/registration-error.ts'
import { RotationTooEarlyError } from '../../tokens/rotation-too-early-error.ts'

/** What the administrator can correct; anything else is thrown again. */
export function describeProblems(error: unknown): readonly string[] {
  if (error instanceof RegistrationError) return error.problems
  if (error instanceof RotationTooEarlyError) return [error.message]
  throw error
}
