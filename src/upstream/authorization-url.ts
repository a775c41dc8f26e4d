import type { AuthorizationServer } from 'oauth4webapi'
import { digest, sha256 } from '../crypto/random.ts'
import { withQuery } from '../query.ts'
import type { Attempt } from '../signin/attempt.ts'
import { serverOf } from './discovery.ts'
import type { ResolvedProvider } from './resolve.ts'

/** Stand for what is another in every attempt, in the address that is the same for all. */
const BLANKS = { state: '~.state.~', nonce: '~.nonce.~', challenge: '~.challenge.~' }

const usual = new WeakMap<AuthorizationServer, string>()

/** Where the browser goes to sign in, with what this attempt asks for besides, if anything. */
export async function authorizationUrl(
  provider: ResolvedProvider,
  attempt: Attempt,
  extra?: Record<string, string>,
): Promise<string> {
  const server = await serverOf(provider)
  const known = extra ? undefined : usual.get(server)
  const address = known ?? addressWithBlanks(provider, server, extra)
  if (!extra) usual.set(server, address)
  return address
    .replace(BLANKS.state, attempt.state)
    .replace(BLANKS.nonce, attempt.nonce)
    .replace(BLANKS.challenge, await challenge(provider, attempt))
}

/** What a deployment adds cannot displace what the protocol needs. */
function addressWithBlanks(
  provider: ResolvedProvider,
  { authorization_endpoint = '' }: AuthorizationServer,
  extra: Record<string, string> | undefined,
): string {
  return withQuery(authorization_endpoint, {
    ...provider.authorization.params,
    ...extra,
    [provider.clientIdParameter]: provider.clientId,
    response_type: 'code',
    redirect_uri: provider.callbackUrl,
    // Always: a platform that ignores the challenge leaves us with nothing else (RFC 9700 §4.7).
    state: BLANKS.state,
    ...(provider.sendsNonce && { nonce: BLANKS.nonce }),
    ...(provider.codeChallenge !== 'none' && {
      code_challenge: BLANKS.challenge,
      code_challenge_method: 'S256',
    }),
  })
}

async function challenge({ codeChallenge }: ResolvedProvider, { codeVerifier }: Attempt) {
  if (codeChallenge === 'none') return ''
  return codeChallenge === 'hex' ? hexChallenge(codeVerifier) : digest(codeVerifier)
}

/** RFC 7636 §4.2 but for the spelling: the video platform compares hex. */
async function hexChallenge(codeVerifier: string): Promise<string> {
  return new Uint8Array(await sha256(codeVerifier)).toHex()
}
