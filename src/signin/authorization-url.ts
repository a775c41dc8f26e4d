import { calculatePKCECodeChallenge } from 'oauth4webapi'
import { serverOf } from '../providers/discovery.ts'
import type { ResolvedProvider } from '../providers/resolve.ts'
import type { Attempt } from './attempt.ts'

/** Where the browser goes to sign in. What a deployment adds cannot displace what the protocol needs. */
export async function authorizationUrl(
  provider: ResolvedProvider,
  attempt: Attempt,
  extra: Record<string, string> = {},
): Promise<string> {
  const { authorization_endpoint = '' } = await serverOf(provider)
  const url = new URL(authorization_endpoint)
  const parameters = {
    ...provider.authorization.params,
    ...extra,
    [provider.clientIdParameter]: provider.clientId,
    response_type: 'code',
    redirect_uri: provider.callbackUrl,
    // Always: a platform that ignores the challenge leaves us with nothing else (RFC 9700 §4.7).
    state: attempt.state,
    ...(provider.sendsNonce && { nonce: attempt.nonce }),
    ...(await challenge(provider, attempt)),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

async function challenge({ codeChallenge }: ResolvedProvider, { codeVerifier }: Attempt) {
  if (codeChallenge === 'none') return {}
  const calculate = codeChallenge === 'hex' ? hexChallenge : calculatePKCECodeChallenge
  return { code_challenge: await calculate(codeVerifier), code_challenge_method: 'S256' }
}

/** RFC 7636 §4.2 but for the spelling: the video platform compares hex. */
async function hexChallenge(codeVerifier: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
