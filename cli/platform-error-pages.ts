import { styleText } from 'node:util'
import { SANDBOX_ADVICE } from '../src/features/admin/explain-outcome.ts'
import { sanitizeForTerminal } from './sanitize-for-terminal.ts'

/**
 * An error page on which the platform ends a sign-in. Only the user sees it; the service receives
 * nothing.
 */
export interface PlatformErrorPage {
  /** The error that the page shows, which is also the `error_type` in its URL. */
  errorType: string
  /** `error` and `errCode` in the URL of the page. */
  error: string
  errCode?: string
  cause: string
  fix: string
}

const ERROR_PAGES: readonly PlatformErrorPage[] = [
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

/** Prints one error page, given its error or its URL, or all of them. Returns the exit code. */
export function explainErrorPages(errorOrUrl: string | undefined, asJson: boolean): number {
  const pages = errorOrUrl === undefined ? ERROR_PAGES : findErrorPages(errorOrUrl)
  const isFound = pages.length > 0
  if (asJson) {
    process.stdout.write(`${JSON.stringify({ pages }, null, 2)}\n`)
  } else if (isFound) {
    process.stdout.write(pages.map(formatErrorPage).join('\n'))
  } else {
    process.stdout.write(`${formatUnknownPage(errorOrUrl ?? '')}\n`)
  }
  return isFound ? 0 : 1
}

/**
 * Finds the pages for an error, or for a URL with `error_type`. One error may have several causes.
 */
export function findErrorPages(errorOrUrl: string): PlatformErrorPage[] {
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

function formatErrorPage({ errorType, error, errCode, cause, fix }: PlatformErrorPage): string {
  const details = errCode ? `${error}, ${errCode}` : error
  return `  ${styleText('bold', errorType)} (${details})\n    ${cause}\n    ${styleText('bold', 'Fix:')} ${fix}\n`
}

function formatUnknownPage(errorOrUrl: string): string {
  const errorTypes = [...new Set(ERROR_PAGES.map((page) => page.errorType))]
  return sanitizeForTerminal(
    `No error page is documented for ${errorOrUrl}. The documented errors are ${errorTypes.join(', ')}.`,
  )
}
