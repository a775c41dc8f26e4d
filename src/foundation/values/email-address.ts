/** Longer addresses cannot be delivered (RFC 5321 §4.5.3.1). */
export const MAX_EMAIL_LENGTH = 254
const MAX_LOCAL_LENGTH = 64

/**
 * The domain of placeholders for users without an address. No mail is ever delivered there, and
 * nobody can register it (RFC 6761 §6.4).
 */
export const PLACEHOLDER_DOMAIN = 'no-email.invalid'

/** What an address can contain only in quotes, or in a list of addresses, or invisibly. */
const FORBIDDEN_CHARACTERS = /[\s\p{C}@,;:<>()"[\]\\]/u

/** Labels in ASCII. The last begins with a letter, so that this is not an IP address. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The email address in this text, or `undefined` if it is not one. The domain is converted to lower
 * case and to ASCII (`xn--…`), so that domains that look the same are not confused. The local part
 * is unchanged; comparisons ignore the case of its ASCII letters.
 */
export function normalizeEmail(text: string | null | undefined): string | undefined {
  // First, because converting a domain takes long if it has thousands of combining characters.
  if (text && text.length > MAX_EMAIL_LENGTH) return undefined
  const [local = '', domain = '', ...rest] = (text ?? '').trim().split('@')
  const email = `${local}@${toAsciiDomain(domain)}`
  const isEmail =
    rest.length === 0 &&
    local !== '' &&
    local.length <= MAX_LOCAL_LENGTH &&
    email.length <= MAX_EMAIL_LENGTH &&
    // Apps and mail servers may convert a full-width character to the one that it stands for.
    !FORBIDDEN_CHARACTERS.test(local.normalize('NFKC')) &&
    !FORBIDDEN_CHARACTERS.test(local) &&
    DOMAIN.test(email.slice(local.length + 1))
  return isEmail ? email : undefined
}

/**
 * Whether two accounts with this normalized address may be the same person's. Characters outside of
 * ASCII have several spellings that look the same, which mail servers may or may not distinguish.
 */
export function isLinkable(email: string): boolean {
  return /^[\x21-\x7e]+$/.test(email)
}

/** Whether a normalized address is a placeholder. */
export function isPlaceholder(email: string): boolean {
  return email.endsWith(`@${PLACEHOLDER_DOMAIN}`)
}

/** The ASCII form of a domain (UTS #46), or an empty text if it is not one. */
function toAsciiDomain(domain: string): string {
  // Only a name: not a port, a path or a user name, which the URL parser would remove.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return ''
  return URL.parse(`https://${domain}`)?.hostname ?? ''
}
