import { ATTEMPT_LIFETIME } from '../../core/config/lifetimes.ts'
import type { AppContext } from '../../core/http/app-env.ts'
import type { Client } from '../../core/registration-schemas/clients.ts'
import { digest, sha256 } from '../../foundation/crypto/digest.ts'
import { openUnexpired, sealUntil } from '../../foundation/crypto/expiring-seal.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'

/** What nonces are sealed for. */
export const SEAL = 'challenge'

/** A nonce of one client does not open for another one. It is sealed, so that none is stored. */
function nonceUse({ client_id }: Client) {
  return { purpose: SEAL, context: client_id } as const
}

/** A nonce for the app to pass to the provider's SDK. */
export async function createChallenge(c: AppContext, client: Client) {
  const expiresAt = nowInSeconds() + ATTEMPT_LIFETIME
  const nonce = await sealUntil<typeof SEAL>(c.get('config').seal, expiresAt, nonceUse(client))
  return { nonce, expires_in: ATTEMPT_LIFETIME }
}

/** Whether we have created this nonce for the client, and it has not expired. */
export async function isOurNonce(c: AppContext, client: Client, nonce: string): Promise<boolean> {
  return (
    (await openUnexpired<typeof SEAL>(c.get('config').seal, nonce, nonceUse(client))) !== undefined
  )
}

/**
 * Whether the nonce in an ID token is this one. Apps pass the SHA-256 of the nonce to Apple, in hex
 * or base64url, so that whoever sees the token does not learn it.
 */
export async function isSameNonce(claim: unknown, nonce: string): Promise<boolean> {
  const hashes = [(await sha256(nonce)).toHex(), await digest(nonce)]
  return claim === nonce || hashes.some((hash) => hash === claim)
}
