import { zValidator } from '@hono/zod-validator'
import * as z from 'zod/mini'
import type { $ZodError, $ZodType } from 'zod/v4/core'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'

/** A parameter that may be missing. */
export const optionalText = z.optional(z.string())

/** Validates the query. A parameter that is sent twice is an array and fails `z.string()`. */
export function validateQuery<Schema extends $ZodType>(schema: Schema) {
  return zValidator('query', schema, (result) => {
    if (!result.success) throw invalidRequest(result.error)
  })
}

/** Validates the form in the body. */
export function validateForm<Schema extends $ZodType>(schema: Schema) {
  return zValidator('form', schema, (result) => {
    if (!result.success) throw invalidRequest(result.error)
  })
}

/** Informs the user, and names the first invalid parameter. */
function invalidRequest(error: $ZodError): SignInError {
  const [parameter] = error.issues[0]?.path ?? []
  return new SignInError('request_invalid', { cause: error, parameter: parameter?.toString() })
}
