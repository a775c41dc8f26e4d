import { findErrorPages } from '../../src/providers/tiktok/error-pages.ts'
import { type Finding, good, problem, skipped } from '../finding.ts'
import { sendRequest } from '../http-request.ts'
import { isForStandIn } from './authorization-request.ts'

export const PLATFORM_PAGE = "platform's page"

/**
 * More than the platform needs between the authorization request and the page that the user sees.
 */
const MAX_REDIRECTS = 5

/**
 * Checks whether the platform responds to the authorization request with an error page of its own.
 */
export async function checkPlatformErrorPage(request: URL): Promise<Finding[]> {
  try {
    const page = await followRedirects(request)
    if (page.searchParams.has('error_type')) return [errorPage(page)]
    if (isForStandIn(request)) return [good(PLATFORM_PAGE)]
  } catch {
    // The platform may block requests that do not come from a browser, which says nothing about the
    // service.
  }
  return [
    skipped(
      PLATFORM_PAGE,
      'can only be checked in a browser; `npx vestibule-auth doctor --page` explains its errors',
    ),
  ]
}

/** Follows redirects as long as they stay on the platform, and returns the last URL. */
async function followRedirects(request: URL): Promise<URL> {
  let page = request
  for (let count = 0; count < MAX_REDIRECTS; count++) {
    const { headers } = await sendRequest(page.href, { headers: { Accept: 'text/html' } })
    const location = headers.get('Location')
    const next = location === null ? null : URL.parse(location, page.href)
    if (next?.origin !== request.origin) break
    page = next
  }
  return page
}

function errorPage(page: URL): Finding {
  const [documented] = findErrorPages(page.href)
  return problem(PLATFORM_PAGE, {
    what: `Users see the platform's error page ${page.searchParams.get('error_type')}.`,
    why: documented?.cause ?? 'The platform rejects the authorization request.',
    fix:
      documented?.fix ??
      `Contact the platform's support with the log id ${page.searchParams.get('logid')}.`,
  })
}
