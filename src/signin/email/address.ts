import type { EmailConfig } from '../../providers/local-types.ts'

/** Longer addresses cannot be delivered (RFC 5321 §4.5.3.1). */
const MAX_LENGTH = 254
const MAX_LOCAL_LENGTH = 64

/**
 * The local part without quotes: a dot-string of ASCII characters (RFC 5321 §4.1.2). Mailboxes with other
 * characters exist, but not every sender and server delivers to them.
 */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

/** A name with at least one dot. Addresses in brackets are not accepted. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/

/**
 * The canonical spelling of an address that a user entered, or `undefined` if it is not one. It is normalized before
 * it is validated; otherwise normalizing could turn a validated address into a different one. The case is
 * ignored, as every large provider does. A domain with other characters than ASCII is converted to its ASCII form
 * (`xn--…`), so that domains that look the same are not confused.
 */
export function normalizeAddress(text: string): string | undefined {
  const [local = '', domain = '', ...rest] = text.normalize('NFKC').trim().toLowerCase().split('@')
  if (rest.length > 0) return undefined
  const address = `${local}@${toAsciiDomain(domain)}`
  return isSafeAddress(address) ? address : undefined
}

/**
 * The spelling of an address under which the provider stores its account. Addresses that the deployment
 * normalizes itself must be as safe as ours.
 */
export function normalizeIdentifier(
  { normalizeIdentifier: normalize }: Pick<EmailConfig, 'normalizeIdentifier'>,
  text: string,
): string | undefined {
  if (!normalize) return normalizeAddress(text)
  try {
    const address = normalize(text)
    return typeof address === 'string' && isSafeAddress(address) ? address : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether an address is one mailbox in ASCII, without anything that a mail server or a sender's API would
 * interpret: line breaks, commas, quotes, comments or a display name.
 */
export function isSafeAddress(address: string): boolean {
  const [local = '', domain = '', ...rest] = address.split('@')
  return (
    rest.length === 0 &&
    address.length <= MAX_LENGTH &&
    local.length <= MAX_LOCAL_LENGTH &&
    LOCAL_PART.test(local.toLowerCase()) &&
    DOMAIN.test(domain)
  )
}

/** The ASCII form of a domain (UTS #46), or an empty text if it is not one. */
function toAsciiDomain(domain: string): string {
  // Only a name: not a port, a path or a user name, which the URL parser would remove.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return ''
  return URL.parse(`https://${domain}`)?.hostname ?? ''
}
