import { zValidator } from '@hono/zod-validator'
import type { ValidationTargets } from 'hono'
import type { $ZodType } from 'zod/v4/core'
import { SignInError } from '../errors.ts'

/** Checks a part of the request; a person is told when it does not fit. */
export function validate<Schema extends $ZodType, Target extends keyof ValidationTargets>(
  target: Target,
  schema: Schema,
) {
  return zValidator(target, schema, (result) => {
    if (result.success) return
    const [name] = result.error.issues[0]?.path ?? []
    throw new SignInError('request_invalid', { cause: result.error, parameter: name?.toString() })
  })
}
