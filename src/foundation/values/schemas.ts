import * as z from 'zod/mini'
import { hasControlCharacters } from './control-characters.ts'
import { parseColor } from './css-color.ts'
import { hasPlainHost } from './image-url.ts'
import { isLoopback } from './loopback.ts'

/*
 * Schemas of options, settings and registrations. Each message completes a sentence that begins
 * with the name, because the operator reads "AUTH_SECRET is empty."
 */

type Rule = readonly [isMet: (value: string) => boolean, message: string]

/** Text that meets every rule. The first one it does not meet is reported. */
export function text(...rules: readonly Rule[]) {
  const [expected] = rules
  // A value of another type does not meet the rule either.
  const error = ({ input }: { input?: unknown }) =>
    input === undefined || rules.length > 1 ? undefined : expected?.[1]
  return z.string({ error }).check(({ value, issues }) => {
    const unmet = rules.find(([isMet]) => !isMet(value))
    if (unmet) issues.push({ code: 'custom', input: value, message: unmet[1] })
  })
}

/** The message for a table that is set as text, as secrets are. */
export const NOT_JSON = 'is text that is not valid JSON.'

export const NOT_EMPTY: Rule = [(value) => value.trim() !== '', 'is empty.']

/** Builds a schema when it is first used, because an isolate starts faster without it. */
export function onFirstUse<Schema>(build: () => Schema): () => Schema {
  let schema: Schema | undefined
  return () => {
    schema ??= build()
    return schema
  }
}

/** One schema for every field of a type. The compiler reports those that are missing or unknown. */
export type Shape<Type> = Record<keyof Type, z.ZodMiniType>

/** A function. What it takes and returns is checked when it is called. */
// biome-ignore lint/suspicious/noExplicitAny: each function has its own type.
export const anyFunction = z.custom<any>((value) => typeof value === 'function', {
  error: ({ input }) => (input === undefined ? undefined : 'must be a function.'),
})

export const callback = z.optional(anyFunction)

/** An option of the interface that is rejected with a reason. */
export function unsupported(reason: string) {
  return z.optional(z.never(reason))
}

/** A whole number of seconds. */
export function seconds(min: number, max: number) {
  const error = `must be a whole number of seconds from ${min} to ${max}.`
  return z.number(error).check(({ value, issues }) => {
    const isValid = Number.isInteger(value) && value >= min && value <= max
    if (!isValid) issues.push({ code: 'custom', input: value, message: error })
  })
}

/** The colour of a button or of a page. */
export const hexColor = text([
  (color) => parseColor(color) !== undefined,
  'must be a hex colour such as #1a73e8.',
])

export const NO_CONTROL_CHARACTERS: Rule = [
  (value) => !hasControlCharacters(value),
  'contains control characters.',
]

/** Longer names do not fit on a button. */
const MAX_NAME_LENGTH = 64 // characters

/** A name that is shown in titles and on buttons. */
export const shortName = text(
  NOT_EMPTY,
  [(name) => name.length <= MAX_NAME_LENGTH, 'is too long.'],
  NO_CONTROL_CHARACTERS,
)

export const SECURE_ADDRESS: Rule = [
  isSecureAddress,
  'must be an https URL, or http on loopback, without a fragment, a user name or spaces.',
]

/** An address of an app or API. */
export const uri = text(SECURE_ADDRESS)

/** The address of an image. Its origin is listed in the Content-Security-Policy of pages. */
export const imageUri = text(SECURE_ADDRESS, [
  hasPlainHost,
  'must have a host of letters, digits, dots and hyphens.',
])

function isSecureAddress(address: string): boolean {
  const protocol = URL.parse(address)?.protocol
  const isSecure = protocol === 'https:' || (protocol === 'http:' && isLoopback(address))
  return isSecure && isPlainUrl(address)
}

/** Whether a text is a URL without a fragment, a user name or spaces. */
export function isPlainUrl(address: string): boolean {
  const url = URL.parse(address)
  // The parser ignores line breaks, and spaces at the ends. Addresses are compared as they are.
  if (url === null || /[\s\p{Cc}\\]/u.test(address)) return false
  return !address.includes('#') && url.username === '' && url.password === ''
}

/** {@link https://www.rfc-editor.org/rfc/rfc6749#section-3.3} */
export const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** Prints the SHA-256 of a secret, and nothing if the variable is not set. */
export const DIGEST_COMMAND = `: "\${SECRET:?}" && printf %s "$SECRET" | sha256sum`

/** What a command prints if its variable is not set: of no text, `\n` and `\r\n`. */
const DIGESTS_OF_NOTHING = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b',
  '7eb70257593da06f682a3ddda54a9d260d4fc514f645237f5ca74b08f8da61a6',
]

/** The digest of a client's secret. Secrets of apps are random; doctor reports common words. */
export const sha256 = text(
  [
    (digest) => /^[0-9a-f]{64}$/.test(digest),
    `must be the SHA-256 of a secret in hex, as \`${DIGEST_COMMAND}\` prints it.`,
  ],
  [
    (digest) => !DIGESTS_OF_NOTHING.includes(digest),
    `is the SHA-256 of an empty secret, with which anyone could pose as the app. Create a secret, and enter what \`${DIGEST_COMMAND}\` prints.`,
  ],
)
