import * as z from 'zod/mini'
import { text } from '../../foundation/values/schemas.ts'

/** The length of a 2048-bit modulus in base64url, the minimum that RFC 7518 §3.3 allows. */
const MIN_MODULUS_LENGTH = 342

/** The message for a key that its owner alone may have. */
export const PRIVATE_KEY_FOUND = 'contains a private key or a secret: only the app may have it.'

/** A key that clients can sign assertions with. */
export const publicKey = z.lazy(() => {
  const keyMember = z.optional(z.string())
  return z
    .object({
      kty: z.enum(['EC', 'RSA', 'OKP']),
      kid: keyMember,
      use: keyMember,
      alg: keyMember,
      crv: z.optional(z.enum(['P-256', 'Ed25519'])),
      x: keyMember,
      y: keyMember,
      n: z.optional(text([(n) => n.length >= MIN_MODULUS_LENGTH, 'has less than 2048 bits.'])),
      e: keyMember,
      // Only in private and symmetric keys; listed so that they can be rejected.
      d: keyMember,
      k: keyMember,
    })
    .check(
      z.refine(({ d, k }) => !d && !k, {
        error: PRIVATE_KEY_FOUND,
      }),
      z.refine(isPublicKey, { error: 'is not a public key.' }),
    )
})

function isPublicKey({ kty, n, e, crv, x, y }: Partial<Record<string, string>>): boolean {
  if (kty === 'RSA') return Boolean(n && e)
  return kty === 'EC' ? crv === 'P-256' && Boolean(x && y) : crv === 'Ed25519' && Boolean(x)
}

/** The public keys of a client. */
export const jwks = z.object({
  keys: z.array(publicKey).check(z.refine((keys) => keys.length > 0, 'is empty.')),
})

export type Jwks = z.infer<typeof jwks>
