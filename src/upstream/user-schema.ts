import * as z from 'zod/mini'
import { SignInError } from '../errors.ts'
import type { User } from '../providers/oauth-types.ts'

/**
 * What a `profile` callback returns, as far as it can be used. Created on first use, which keeps it out of
 * the cold start.
 */
const userSchema = z.lazy(() => {
  // Absent if the provider sent something else.
  const optionalText = z.catch(z.optional(z.nullable(z.string())), undefined)
  return z.object({
    id: z.pipe(z.union([z.string().check(z.minLength(1)), z.number()]), z.transform(String)),
    name: optionalText,
    email: optionalText,
    emailVerified: z.catch(z.optional(z.boolean()), undefined),
    image: optionalText,
    username: optionalText,
    url: optionalText,
    unionId: optionalText,
    extras: z.catch(
      z.optional(z.record(z.string(), z.optional(z.union([z.string(), z.number(), z.boolean()])))),
      undefined,
    ),
  })
})

/** Drops optional values of the wrong type. A user without an id cannot sign in. */
export function parseUser(value: unknown): User {
  const { data, error } = userSchema.safeParse(value)
  if (!data) throw new SignInError('provider_invalid', { cause: error })
  const { extras, ...user } = data
  return { ...user, ...(extras && { extras }) }
}
