import { digest } from './random.ts'

/** The one place where secrets are compared: on digests, in constant time. */
export async function isSameSecret(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([digest(one), digest(other)])
  return isSameDigest(a, b)
}

/** The same for who has the digests already and must not wait. Digests of one kind are of one length. */
export function isSameDigest(one: string, other: string): boolean {
  const [a, b] = [utf8.encode(one), utf8.encode(other)]
  return a.length === b.length && crypto.subtle.timingSafeEqual(a, b)
}

const utf8 = new TextEncoder()
