import { encodeBase32 } from './base32.ts'

const NUMBER_OF_CODES = 10

/** Nobody guesses 80 bits, so that a digest needs no salt, and wrong codes need no delay. */
const LENGTH = 10 // bytes

/** Ten codes, such as `ABCD-EFGH-IJKL-MNOP`. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: NUMBER_OF_CODES }, () => {
    const characters = encodeBase32(crypto.getRandomValues(new Uint8Array(LENGTH)))
    return characters.replaceAll(/.{4}(?=.)/g, '$&-')
  })
}

/** What is stored of a code, however it is typed. */
export async function recoveryCodeDigest(code: string): Promise<string> {
  const characters = code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '')
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(characters))
  return new Uint8Array(digest).toHex()
}
