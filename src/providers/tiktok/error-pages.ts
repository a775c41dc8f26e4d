/** Only target users of a sandbox can sign in to its app. */
export const SANDBOX_ADVICE =
  'Add the account in the portal under the target users of the sandbox; this may take an hour to work. For everyone else, use the key of the production app once it is live.'

/**
 * An error page on which TikTok ends a sign-in. Only the user sees it; the service receives
 * nothing.
 */
export interface ErrorPage {
  /** The error that the page shows, which is also the `error_type` in its URL. */
  errorType: string
  /** `error` and `errCode` in the URL of the page. */
  error: string
  errCode?: string
  cause: string
  fix: string
}

/** The error pages that are documented or were seen. */
export const ERROR_PAGES: readonly ErrorPage[] = [
  {
    errorType: 'client_key',
    error: 'unauthorized_client',
    cause:
      'The platform does not recognise the client key, or its app may not sign users in: a production app that is a draft or in review, an app without Login Kit, or a key from another developer portal of the same company.',
    fix: "Compare AUTH_TIKTOK_ID with the portal, add the Login Kit product, and use a sandbox's key until the app is live.",
  },
  {
    errorType: 'client_key',
    error: 'param_error',
    errCode: '10003',
    cause: 'The request has no client_key.',
    fix: 'Set AUTH_TIKTOK_ID. If you build the link yourself, the parameter is called client_key, not client_id.',
  },
  {
    errorType: 'redirect_uri',
    error: 'invalid_request',
    cause:
      'The redirect URI is not registered for this client key in exactly this spelling. A sandbox and the production app have separate lists, and so do the Web and Desktop tabs.',
    fix: 'Register <AUTH_URL>/api/auth/callback/tiktok in the sandbox or app that the key belongs to: https on the Web tab, http://localhost:<port> on the Desktop tab. Do not add a trailing slash; localhost and 127.0.0.1 are different. Check that Login Kit is added.',
  },
  {
    errorType: 'scope',
    error: 'invalid_scope',
    cause:
      'A requested scope is not on the app or not approved yet, or the scopes are not separated by commas.',
    fix: 'Request fewer scopes in AUTH_TIKTOK_SCOPE (user.info.basic always works), or add the scope to the app and have it approved. Check upstream_scope of your CLIENTS too.',
  },
  {
    errorType: 'code_challenge',
    error: 'param_error',
    errCode: '10007',
    cause:
      'The redirect URI is a loopback address, for which the platform requires PKCE, and the request has no code_challenge.',
    fix: 'The service always sends a code_challenge: check what changes the request in transit, or whether the link was not created by the service.',
  },
  {
    errorType: 'code_challenge_method',
    error: 'param_error',
    errCode: '10008',
    cause: 'The code_challenge_method is not S256.',
    fix: 'The service always sends S256: check what changes the request in transit, or whether the link was not created by the service.',
  },
  {
    errorType: 'non_sandbox_target',
    error: 'access_denied',
    cause:
      'The client key belongs to a sandbox, and the account is not one of its target users. If the list is empty, nobody can sign in, including you.',
    fix: SANDBOX_ADVICE,
  },
]

/**
 * Finds the pages for an error, or for a URL with `error_type`. One error may have several causes.
 */
export function findErrorPages(errorOrUrl: string): ErrorPage[] {
  const parameters = URL.parse(errorOrUrl)?.searchParams
  const errorType = parameters?.get('error_type') ?? errorOrUrl
  const error = parameters?.get('error')
  const errCode = parameters?.get('errCode')
  const sameType = ERROR_PAGES.filter((page) => page.errorType === errorType)
  const exact = sameType.filter(
    (page) => page.error === error || (errCode && page.errCode === errCode),
  )
  return exact.length > 0 ? exact : sameType
}

/** What operators do about errors of the token endpoint. */
const ADVICE_BY_ERROR: Readonly<Record<string, string>> = {
  invalid_client:
    'Compare AUTH_TIKTOK_ID and AUTH_TIKTOK_SECRET with the portal; both must be from the same sandbox or app: npx vestibule-auth doctor',
  rate_limit_exceeded: 'Wait a minute. If it happens often, ask TikTok for a higher limit.',
}

/** What operators do about an error that TikTok reported; `error_type` is the more specific one. */
export function adviceForTikTokError(error: string, errorType: string): string | undefined {
  const [page] = findErrorPages(errorType)
  // The key comes from a log, so inherited properties such as `toString` must not match.
  return page?.fix ?? (Object.hasOwn(ADVICE_BY_ERROR, error) ? ADVICE_BY_ERROR[error] : undefined)
}
