import { checkClientKey } from '../client-key.ts'
import { type Finding, good, goodUnless, problem, skipped, warning } from '../finding.ts'
import { redirectUriTroubles, tabFor } from '../redirect-uri.ts'
import { visit } from '../visit.ts'
import { authorizationTroubles, isForPlatform, isStandIn } from './authorization-request.ts'
import { cookieTroubles } from './cookies.ts'
import { checkPlatformPage } from './platform-page.ts'

/** Begins a sign-in as a browser does, and looks at what the platform would get. Nobody is signed in. */
export async function checkSignIn(origin: string, offline: boolean): Promise<Finding[]> {
  const providers = await visit(`${origin}/api/auth/providers`)
  const callback = callbackOf(providers.json?.['tiktok'])
  if (callback === undefined) return [skipped('callback address', 'TikTok is not enabled here')]

  const { status, headers } = await visit(`${origin}/api/auth/signin/tiktok`)
  const request = URL.parse(headers.get('Location') ?? '')
  if (!request || status < 300 || status > 399) return [notSent(status)]
  return [
    ...checkCallback(origin, callback, request.searchParams.get('redirect_uri')),
    checkClientKey(request.searchParams.get('client_key') ?? '', origin, isStandIn(request)),
    ...goodUnless('authorization request', authorizationTroubles(origin, request)),
    ...goodUnless('attempt cookie', cookieTroubles(origin, 'attempt.', headers)),
    ...(offline
      ? [skipped("platform's page", 'not asked, with --offline')]
      : isForPlatform(origin, request)
        ? await checkPlatformPage(request)
        : []),
  ]
}

function callbackOf(provider: unknown): string | undefined {
  const isOne = provider && typeof provider === 'object' && 'callbackUrl' in provider
  return isOne ? String(provider.callbackUrl) : undefined
}

function notSent(status: number): Finding {
  return problem('authorization request', {
    what: `/api/auth/signin/tiktok answers ${status}, and sends nobody to the platform.`,
    why: 'Nobody can begin to sign in.',
    fix: 'The log line of that request names the cause: `npx wrangler tail`.',
  })
}

/** The address that is registered with the platform is the one that the service names, and below its issuer. */
function checkCallback(origin: string, callback: string, sent: string | null): Finding[] {
  const name = 'callback address'
  if (sent !== callback) {
    return [
      problem(name, {
        what: `The platform is told to return to ${sent}, and /api/auth/providers says ${callback}.`,
        why: 'People would come back to where nobody waits for them.',
        fix: 'See that all of the service is one version: `npx wrangler deployments list`.',
      }),
    ]
  }
  const troubles = redirectUriTroubles(callback)
  if (troubles.length > 0) return goodUnless(name, troubles)
  if (callback === `${origin}/api/auth/callback/tiktok`)
    return [good(name, `${tabFor(callback)} tab`)]
  return [
    warning(name, {
      what: `The platform returns people to ${callback}.`,
      why: 'That is right behind a redirect proxy, and wrong anywhere else.',
      fix: `Leave AUTH_REDIRECT_PROXY_URL unset, unless this is meant; and register that address on the ${tabFor(callback)} tab.`,
    }),
  ]
}
