import type { Config } from '../config/config.ts'
import { BoundedMap } from '../storage/bounded-map.ts'

/** They are derived once for the clients that are active. */
const MAX_KNOWN = 1000

const known = new WeakMap<Config, Map<string, string[]>>()

/**
 * What access tokens contain to name the credential with which their client authenticated, so that
 * they can be revoked with it. The credential is the digest of a secret, the thumbprint of a key
 * (RFC 7638) or a `jwks_uri`. New tokens have the first id; the others are those of earlier secrets
 * of this deployment.
 */
export async function credentialIds(
  config: Config,
  clientId: string,
  credential: string,
): Promise<string[]> {
  const ofConfig = known.get(config) ?? new BoundedMap<string, string[]>(MAX_KNOWN)
  known.set(config, ofConfig)
  const text = JSON.stringify([clientId, credential])
  const ids = ofConfig.get(text) ?? (await config.seal.pseudonyms(text))
  ofConfig.set(text, ids)
  return ids
}
