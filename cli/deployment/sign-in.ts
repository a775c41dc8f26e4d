import { checkClientKey } from '../client-key.ts'
import { type Finding, good, goodOrProblems, problem, skipped, warning } from '../finding.ts'
import { sendRequest } from '../http-request.ts'
import { diagnoseRedirectUri, portalTab } from '../redirect-uri.ts'
import { diagnoseAuthorizationRequest, isForPlatform } from './authorization-request.ts'
import { diagnoseCookie } from './cookies.ts'
import { checkPlatformErrorPage, PLATFORM_PAGE } from './platform-error-page.ts'

const CALLBACK = 'callback address'

/**
 * Starts a sign-in as a browser would, and checks the authorization request. Nobody is signed in.
 */
export async function checkSignIn(origin: string, offline: boolean): Promise<Finding[]> {
  const providers = await sendRequest(`${origin}/api/auth/providers`)
  const callback = readCallbackUrl(providers.json?.['tiktok'])
  if (callback === undefined) return [skipped(CALLBACK, 'TikTok is not enabled')]

  const { status, headers } = await sendRequest(`${origin}/api/auth/signin/tiktok`)
  const request = URL.parse(headers.get('Location') ?? '')
  if (!request || status < 300 || status > 399) return [noRedirect(status)]
  const parameters = request.searchParams
  return [
    checkCallback(origin, callback, parameters.get('redirect_uri')),
    [checkClientKey(parameters.get('client_key') ?? '', origin)],
    goodOrProblems('authorization request', diagnoseAuthorizationRequest(origin, request)),
    goodOrProblems('attempt cookie', diagnoseCookie(origin, 'attempt.', headers)),
    await checkPlatformResponse(origin, request, offline),
  ].flat()
}

function readCallbackUrl(provider: unknown): string | undefined {
  if (!provider || typeof provider !== 'object' || !('callbackUrl' in provider)) return undefined
  return String(provider.callbackUrl)
}

function noRedirect(status: number): Finding {
  return problem('authorization request', {
    what: `/api/auth/signin/tiktok returned status ${status} and no redirect to the platform.`,
    why: 'Nobody can start a sign-in.',
    fix: 'The log line of that request names the cause: `npx wrangler tail`.',
  })
}

/**
 * The callback must be the same in the request and in the list of providers, and below the issuer.
 */
function checkCallback(origin: string, callback: string, redirectUri: string | null): Finding[] {
  if (redirectUri !== callback) {
    return [
      problem(CALLBACK, {
        what: `The authorization request names the callback ${redirectUri}, but /api/auth/providers names ${callback}.`,
        why: 'Users would return to an address that does not expect them.',
        fix: 'Check that only one version of the service is deployed: `npx wrangler deployments list`.',
      }),
    ]
  }
  const diagnoses = diagnoseRedirectUri(callback)
  if (diagnoses.length > 0) return goodOrProblems(CALLBACK, diagnoses)
  const tab = portalTab(callback)
  if (callback === `${origin}/api/auth/callback/tiktok`) return [good(CALLBACK, `${tab} tab`)]
  return [
    warning(CALLBACK, {
      what: `The platform returns users to ${callback}.`,
      why: 'This is correct with a redirect proxy, and wrong otherwise.',
      fix: `Remove AUTH_REDIRECT_PROXY_URL unless you use a redirect proxy; if you do, register that address on the ${tab} tab.`,
    }),
  ]
}

async function checkPlatformResponse(
  origin: string,
  request: URL,
  offline: boolean,
): Promise<Finding[]> {
  if (offline) return [skipped(PLATFORM_PAGE, 'not checked because of --offline')]
  // A request to another site is already reported, and is not sent.
  if (!isForPlatform(origin, request)) return []
  return checkPlatformErrorPage(request)
}
