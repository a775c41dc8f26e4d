import { zValidator } from '@hono/zod-validator'
import { safeParse } from 'zod/mini'
import type { $ZodType, output } from 'zod/v4/core'
import { SignInError } from '../errors.ts'
import { pairsOf, queryOf } from '../query.ts'
import type { AppContext } from './app-env.ts'

/** Checks the form of a request, before anything else is done with it; a person is told when it does not fit. */
export function validForm<Schema extends $ZodType>(schema: Schema) {
  return zValidator('form', schema, undefined, {
    validationFunction: (_, form) => ({ success: true as const, data: check(schema, form) }),
  })
}

/** The parameters of the address, checked. Of those that are ours, each comes once. */
export function readQuery<Schema extends $ZodType>(c: AppContext, schema: Schema): output<Schema> {
  const values: Record<string, string | null> = {}
  for (const [name, value] of pairsOf(queryOf(c.req.url))) {
    values[name] = Object.hasOwn(values, name) ? null : value
  }
  return check(schema, values)
}

/** At once: no schema of ours has anything to wait for. */
function check<Schema extends $ZodType>(schema: Schema, value: unknown): output<Schema> {
  const { error, data } = safeParse(schema, value)
  if (!error) return data
  const [name] = error.issues[0]?.path ?? []
  throw new SignInError('request_invalid', { cause: error, parameter: name?.toString() })
}
