import type { Problem } from '../../foundation/values/problem.ts'
import { RegistrationError } from './registration-error.ts'

/** A registration without problems. Throws one error that lists everything wrong with it. */
export function requireValid<Value>({ data, problems }: Validated<Value>): Value {
  if (data === undefined || problems.length > 0) throw new RegistrationError(...problems)
  return data
}

/**
 * The same for one that is stored. What belongs to a feature that the deployment does not list has no
 * effect, as in the settings.
 */
export function requireEffective<Value>({ data, problems }: Validated<Value>): Value {
  const effective = problems.filter(({ code }) => code !== 'unlisted')
  return requireValid({ data, problems: effective })
}

interface Validated<Value> {
  data?: Value | undefined
  problems: readonly Problem[]
}
