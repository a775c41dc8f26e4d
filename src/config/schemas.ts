import * as z from 'zod/mini'
import { isLoopback } from './loopback.ts'

/*
 * Schemas of settings. Each error message completes a sentence that begins with the setting's name,
 * because the operator reads "AUTH_SECRET is missing."
 */

export const text = z.string({
  error: ({ input }) => (input === undefined ? 'is missing.' : 'must be text.'),
})

export const nonEmptyText = text.check(z.refine((value) => value !== '', 'is empty.'))

/** Control characters, among them those that change the direction of text (Unicode Standard Annex #9). */
const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** A name that is shown in titles and on buttons. */
export const shortName = nonEmptyText.check(
  z.refine((name) => name.length <= 64, 'is too long.'),
  z.refine((name) => !CONTROL_CHARACTERS.test(name), 'contains control characters.'),
)

export function oneOf<const Values extends readonly [string, ...string[]]>(...values: Values) {
  return z.enum(values, { error: `must be ${values.join(' or ')}.` })
}

export const flag = z.boolean({ error: 'must be true or false.' })

/** An address of an app or API. */
export const uri = text.check(
  z.refine(
    isSecureAddress,
    'must be an https address, or http on loopback, without a fragment or a user name.',
  ),
)

function isSecureAddress(address: string): boolean {
  const url = URL.parse(address)
  if (url === null) return false
  if (address.includes('#') || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(address))
}
