import * as oauth from 'oauth4webapi'
import { sha256 } from '../../foundation/crypto/digest.ts'
import { authorizationServer } from './authorization-server.ts'
import type { ResolvedProvider } from './resolved-provider.ts'

/** The values that protect one attempt. */
export interface AttemptSecrets {
  state: string
  nonce: string
  codeVerifier: string
}

/**
 * The address at which the user signs in. Configured parameters cannot replace those of the
 * protocol.
 */
export async function authorizationUrl(
  provider: ResolvedProvider,
  { state, nonce, codeVerifier }: AttemptSecrets,
  extraParams: Record<string, string> = {},
): Promise<string> {
  const { authorization_endpoint = '' } = await authorizationServer(provider)
  const url = new URL(authorization_endpoint)
  url.hash = '' // not allowed (RFC 6749 §3.1)
  const params = {
    ...provider.authorization.params,
    ...extraParams,
    [provider.clientIdParameter]: provider.clientId,
    response_type: 'code',
    redirect_uri: provider.callbackUrl,
    // Always sent: a provider that ignores the challenge leaves no other protection
    // (RFC 9700 §4.7).
    state,
    ...(provider.sendsNonce && { nonce }),
    ...(provider.codeChallengeEncoding !== 'none' && {
      code_challenge: await codeChallenge(provider, codeVerifier),
      code_challenge_method: 'S256',
    }),
  }
  // Not on `url.searchParams`, which serializes the whole query for each parameter.
  const query = new URLSearchParams(url.search)
  for (const [name, value] of Object.entries(params)) query.set(name, value)
  url.search = query.toString()
  return url.href
}

/** RFC 7636 §4.2, except that TikTok expects the digest in hex. */
async function codeChallenge(
  { codeChallengeEncoding }: ResolvedProvider,
  codeVerifier: string,
): Promise<string> {
  if (codeChallengeEncoding === 'hex') return (await sha256(codeVerifier)).toHex()
  return oauth.calculatePKCECodeChallenge(codeVerifier)
}
