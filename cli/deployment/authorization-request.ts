import { isLoopback } from '../../src/foundation/values/loopback.ts'
import { type Diagnosis, diagnoseUnmet } from '../finding.ts'

const PLATFORM = 'https://www.tiktok.com'

/** 256 random bits in base64url. */
const MIN_STATE_LENGTH = 43 // characters

const FIX =
  'Check that the deployed version matches this checkout, that AUTH_TIKTOK_SCOPE and AUTH_TIKTOK_WEB_URL are correct, and that nothing in front of the service rewrites the Location header.'

/** Whether an authorization request goes to a local stand-in instead of the platform. */
export function isForStandIn({ origin }: URL): boolean {
  return isLoopback(origin)
}

/**
 * Whether an authorization request goes to the platform or, from a local service, to a stand-in.
 */
export function isForPlatform(serviceOrigin: string, request: URL): boolean {
  return request.origin === PLATFORM || (isForStandIn(request) && isLoopback(serviceOrigin))
}

/** Lists what is wrong with the authorization request that the browser takes to the platform. */
export function diagnoseAuthorizationRequest(serviceOrigin: string, request: URL): Diagnosis[] {
  const parameter = (name: string) => request.searchParams.get(name) ?? ''
  return diagnoseUnmet([
    {
      isMet: isForPlatform(serviceOrigin, request),
      what: `The request goes to ${request.origin} instead of ${PLATFORM}.`,
      why: 'Users would sign in on another site.',
      fix: FIX,
    },
    {
      isMet: parameter('response_type') === 'code',
      what: 'The response_type is not code.',
      why: 'The platform supports no other response type.',
      fix: FIX,
    },
    {
      isMet: parameter('state').length >= MIN_STATE_LENGTH,
      what: 'The state is missing or too short.',
      why: "Attackers could complete a sign-in of their own in another user's browser.",
      fix: FIX,
    },
    {
      isMet: /^[0-9a-f]{64}$/.test(parameter('code_challenge')),
      what: 'The code_challenge is not SHA-256 in hex.',
      why: 'The platform compares hex, and would reject every code when the callback is a loopback address.',
      fix: FIX,
    },
    {
      isMet: parameter('code_challenge_method') === 'S256',
      what: 'The code_challenge_method is not S256.',
      why: "Users see the platform's error page code_challenge_method.",
      fix: FIX,
    },
    {
      isMet: parameter('scope').split(',').includes('user.info.basic'),
      what: 'The scopes do not include user.info.basic, or are not separated by commas.',
      why: 'Without user.info.basic the service cannot identify users.',
      fix: FIX,
    },
  ])
}
