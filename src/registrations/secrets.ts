import { sha256 } from '../crypto/digest.ts'
import { randomSecret } from '../crypto/random.ts'

/** A new secret, and the digest that is stored instead of it. */
export async function createSecret(): Promise<{ secret: string; digest: string }> {
  const secret = randomSecret()
  return { secret, digest: (await sha256(secret)).toHex() }
}
