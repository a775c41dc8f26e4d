import { replaceControlCharacters } from '../../foundation/values/control-characters.ts'
import { isPlaceholder, normalizeEmail } from '../../foundation/values/email-address.ts'
import { isLoopback } from '../../foundation/values/loopback.ts'
import type { User } from '../../provider-interface/oauth-types.ts'

/** Longer than any real name. Names are part of every token, so their length is limited. */
const MAX_NAME_LENGTH = 200
const MAX_URL_LENGTH = 2048

/**
 * A profile as it is stored: texts are limited and have no control characters, unsafe URLs and
 * unverified addresses left out.
 */
export interface StoredProfile {
  name: string | null
  username: string | null
  email: string | null
  image: string | null
  url: string | null
  /** The user's name at the provider, to distinguish accounts. */
  label: string | null
}

/** What is stored of a provider's profile. */
export function toStoredProfile(user: User): StoredProfile {
  return {
    name: toStoredName(user.name),
    username: toStoredName(user.username),
    email: verifiedEmail(user) ?? null,
    image: safeUrl(user.image),
    url: safeUrl(user.url),
    label: toStoredName(user.name ?? user.username),
  }
}

/**
 * An unverified address is not stored, because apps would treat it as proof of ownership. Nobody can
 * verify a placeholder, which would be that of another user of ours.
 */
export function verifiedEmail({ email, emailVerified }: User): string | undefined {
  const address = emailVerified === true ? normalizeEmail(email) : undefined
  return address && isPlaceholder(address) ? undefined : address
}

/**
 * A name as it is stored; null if nothing is left of it. Control characters would change the
 * terminals, logs and pages of apps that print the name.
 */
export function toStoredName(name: string | null | undefined): string | null {
  const text = replaceControlCharacters(name ?? '', '')
    .trim()
    .toWellFormed()
  return [...text].slice(0, MAX_NAME_LENGTH).join('') || null
}

/**
 * Frontends use these URLs in their pages, so only https is accepted, and http on loopback for the
 * stand-in.
 */
function safeUrl(text: string | null | undefined): string | null {
  const url = URL.parse(text ?? '')
  if (!url || url.href.length > MAX_URL_LENGTH) return null
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.href))
    ? url.href
    : null
}
