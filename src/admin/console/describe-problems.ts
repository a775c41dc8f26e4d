import { RegistrationError } from '../../registrations/registration-error.ts'
import { RotationTooEarlyError } from '../../tokens/rotation-too-early-error.ts'
import type { Problem } from '../../values/problem.ts'

/** What the administrator can correct; anything else is thrown again. */
export function describeProblems(error: unknown): readonly Problem[] {
  if (error instanceof RegistrationError) return error.problems
  if (error instanceof RotationTooEarlyError) {
    return [{ path: [], code: 'invalid', message: error.message }]
  }
  throw error
}
