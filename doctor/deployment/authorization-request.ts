import { isLoopback } from '../../src/config/loopback.ts'
import type { Trouble } from '../finding.ts'

const PLATFORM = 'https://www.tiktok.com'

/** 256 random bits are 43 characters of base64url. */
const SHORTEST_STATE = 43

/** Whether a request goes to a stand-in on some machine, and not to the platform. */
export function isStandIn({ origin }: URL): boolean {
  return isLoopback(origin)
}

/** Whether a request goes to the platform, or to what may take its place. */
export function isForPlatform(origin: string, request: URL): boolean {
  return request.origin === PLATFORM || (isStandIn(request) && isLoopback(origin))
}

/** What is wrong with the request that the browser takes to the platform. */
export function authorizationTroubles(origin: string, request: URL): Trouble[] {
  const parameter = (name: string) => request.searchParams.get(name) ?? ''
  const expectations: readonly (readonly [isMet: boolean, what: string, why: string])[] = [
    [
      isForPlatform(origin, request),
      `It goes to ${request.origin}, and not to ${PLATFORM}.`,
      'People would sign in somewhere else.',
    ],
    [
      parameter('response_type') === 'code',
      'It does not ask for a code.',
      'The platform knows nothing else.',
    ],
    [
      parameter('state').length >= SHORTEST_STATE,
      'Its state is missing or short.',
      'Others could finish a sign-in of their own in the browser of somebody else.',
    ],
    [
      /^[0-9a-f]{64}$/.test(parameter('code_challenge')),
      'Its challenge is not SHA-256 in hex.',
      'The platform compares hex, and refuses every code on a loopback address.',
    ],
    [
      parameter('code_challenge_method') === 'S256',
      'The method of its challenge is not S256.',
      'The platform shows people its page with the word code_challenge_method.',
    ],
    [
      parameter('scope').split(',').includes('user.info.basic'),
      'Its scopes do not hold user.info.basic, or are not joined by commas.',
      'Nobody could be recognised.',
    ],
  ]
  return expectations.filter(([isMet]) => !isMet).map(([, what, why]) => ({ what, why, fix: FIX }))
}

const FIX =
  'See that the deployed version is this one, that AUTH_TIKTOK_SCOPE and AUTH_TIKTOK_WEB_URL are right, and that nothing in front rewrites Location.'
