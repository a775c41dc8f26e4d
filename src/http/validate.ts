import { zValidator } from '@hono/zod-validator'
import type { ValidationTargets } from 'hono'
import { safeParse } from 'zod/mini'
import type { $ZodType } from 'zod/v4/core'
import { SignInError } from '../errors.ts'

/** Checks a part of the request; a person is told when it does not fit. */
export function validate<Schema extends $ZodType, Target extends keyof ValidationTargets>(
  target: Target,
  schema: Schema,
) {
  return zValidator(target, schema, undefined, { validationFunction })
}

/** At once: no schema of ours has anything to wait for. */
function validationFunction(schema: $ZodType, value: unknown) {
  const { error, data } = safeParse(schema, value)
  if (!error) return { success: true as const, data }
  const [name] = error.issues[0]?.path ?? []
  throw new SignInError('request_invalid', { cause: error, parameter: name?.toString() })
}
