import type { Config } from '../config/config.ts'

/**
 * What access tokens contain to name the credential with which their client authenticated, so that
 * they can be revoked with it. The credential is the digest of a secret, the thumbprint of a key
 * (RFC 7638) or a `jwks_uri`. New tokens have the first id; the others are those of earlier secrets
 * of this deployment.
 */
export function credentialIds(
  { seal }: Config,
  clientId: string,
  credential: string,
): Promise<string[]> {
  return seal.pseudonyms(JSON.stringify([clientId, credential]))
}
