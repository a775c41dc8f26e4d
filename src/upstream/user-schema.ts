import * as z from 'zod/mini'
import { SignInError } from '../errors.ts'
import type { User } from '../providers/oauth-types.ts'

/**
 * What a `profile` callback returns, as far as it can be used. Created on first use, which keeps it out of
 * the cold start.
 */
const userSchema = z.lazy(() => {
  const optionalText = orAbsent(z.nullable(z.string()))
  return z.object({
    id: z.pipe(z.union([z.string().check(z.minLength(1)), z.number()]), z.transform(String)),
    name: optionalText,
    email: optionalText,
    emailVerified: orAbsent(z.boolean()),
    image: optionalText,
    username: optionalText,
    url: optionalText,
    unionId: optionalText,
    extras: orAbsent(
      z.record(z.string(), z.optional(z.union([z.string(), z.number(), z.boolean()]))),
    ),
  })
})

/**
 * A value that is absent if the provider sent something else. `z.catch` would do the same, but adds all of
 * zod's internal functions to the bundle (9 KB).
 */
function orAbsent<Value>(schema: z.ZodMiniType<Value>) {
  return z.optional(z.transform((value) => schema.safeParse(value).data))
}

/** Drops optional values of the wrong type. A user without an id cannot sign in. */
export function parseUser(value: unknown): User {
  const { data, error } = userSchema.safeParse(value)
  if (!data) throw new SignInError('provider_invalid', { cause: error })
  const { extras, ...user } = data
  return { ...user, ...(extras && { extras }) }
}
