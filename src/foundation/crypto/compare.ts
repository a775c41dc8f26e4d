import { digest } from './digest.ts'

const utf8 = new TextEncoder()

/** Compares two secrets by their digests, in constant time. */
export async function isSameSecret(first: string, second: string): Promise<boolean> {
  return isSameDigest(await digest(first), await digest(second))
}

/** Compares two digests in constant time. */
export function isSameDigest(first: string, second: string): boolean {
  const [a, b] = [utf8.encode(first), utf8.encode(second)]
  return a.length === b.length && crypto.subtle.timingSafeEqual(a, b)
}
