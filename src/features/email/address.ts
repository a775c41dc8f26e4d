import { MAX_EMAIL_LENGTH, normalizeEmail } from '../../foundation/values/email-address.ts'
import type { EmailConfig } from '../../provider-interface/local-types.ts'

/**
 * A local part without quotes: a dot-string of ASCII characters (RFC 5321 §4.1.2). Mailboxes with
 * other characters exist, but not every sender and server delivers to them.
 */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i

/**
 * The address in what a user entered, or `undefined` if messages are not sent to it. What the
 * deployment's own function returns must be normalized like any other address.
 */
export function normalizeIdentifier(
  { normalizeIdentifier: normalize }: Pick<EmailConfig, 'normalizeIdentifier'>,
  text: string,
): string | undefined {
  if (text.length > MAX_EMAIL_LENGTH) return undefined
  try {
    const address = normalize ? normalize(text) : normalizeEmail(text)
    return typeof address === 'string' && isMailbox(address) ? address : undefined
  } catch {
    return undefined
  }
}

/** The id of the account with this address. It does not depend on upper and lower case. */
export function toAccountId(address: string): string {
  return address.toLowerCase()
}

/**
 * Whether this is a normalized address with a local part in ASCII and a domain with a dot. It has
 * nothing that a mail server or the API of a sender would interpret, such as a line break, a comma
 * or a quote.
 */
export function isMailbox(address: string): boolean {
  const [local = '', domain = ''] = address.split('@')
  return normalizeEmail(address) === address && LOCAL_PART.test(local) && /\.[^.]{2,}$/.test(domain)
}
