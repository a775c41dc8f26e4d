import { createHash } from 'node:crypto'

/** The form in which an operator registers a client secret: SHA-256 in hex. */
export function secretDigest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
