import { serverOf } from '../providers/discovery.ts'
import type { ResolvedProvider } from '../providers/resolve.ts'
import { withQuery } from '../query.ts'
import { digest, sha256 } from '../random.ts'
import type { Attempt } from './attempt.ts'

/** Where the browser goes to sign in. What a deployment adds cannot displace what the protocol needs. */
export async function authorizationUrl(
  provider: ResolvedProvider,
  attempt: Attempt,
  extra: Record<string, string> = {},
): Promise<string> {
  const { authorization_endpoint = '' } = await serverOf(provider)
  return withQuery(authorization_endpoint, {
    ...provider.authorization.params,
    ...extra,
    [provider.clientIdParameter]: provider.clientId,
    response_type: 'code',
    redirect_uri: provider.callbackUrl,
    // Always: a platform that ignores the challenge leaves us with nothing else (RFC 9700 §4.7).
    state: attempt.state,
    ...(provider.sendsNonce && { nonce: attempt.nonce }),
    ...(await challenge(provider, attempt)),
  })
}

async function challenge({ codeChallenge }: ResolvedProvider, { codeVerifier }: Attempt) {
  if (codeChallenge === 'none') return {}
  const calculate = codeChallenge === 'hex' ? hexChallenge : digest
  return { code_challenge: await calculate(codeVerifier), code_challenge_method: 'S256' }
}

/** RFC 7636 §4.2 but for the spelling: the video platform compares hex. */
async function hexChallenge(codeVerifier: string): Promise<string> {
  return new Uint8Array(await sha256(codeVerifier)).toHex()
}
