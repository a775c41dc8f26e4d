import { type Finding, good, problem, skipped } from '../finding.ts'
import { findPages } from '../platform-page.ts'
import { visit } from '../visit.ts'
import { isStandIn } from './authorization-request.ts'

const NAME = "platform's page"

/** From the authorization request to the page that the person sees. */
const MOST_REDIRECTS = 5

/** Whether the platform shows its own error page to who begins to sign in. */
export async function checkPlatformPage(request: URL): Promise<Finding[]> {
  try {
    const page = await follow(request)
    if (page.searchParams.has('error_type')) return [errorPage(page)]
    if (isStandIn(request)) return [good(NAME)]
  } catch {
    // Then only a browser can tell, too.
  }
  return [skipped(NAME, 'only a browser can tell; `doctor --page` explains what it shows')]
}

/** Where the platform's redirects lead, as long as they stay there. */
async function follow(request: URL): Promise<URL> {
  let page = request
  for (let count = 0; count < MOST_REDIRECTS; count++) {
    const { headers } = await visit(page.href, { headers: { Accept: 'text/html' } })
    const next = URL.parse(headers.get('Location') ?? '', page.href)
    if (!headers.has('Location') || next?.origin !== request.origin) break
    page = next
  }
  return page
}

function errorPage(page: URL): Finding {
  const [known] = findPages(page.href)
  const word = page.searchParams.get('error_type')
  return problem(NAME, {
    what: `People end on the platform's own page with the word ${word}.`,
    why: known?.cause ?? 'The platform refuses the request.',
    fix: known?.fix ?? `Ask its support, with the log id ${page.searchParams.get('logid')}.`,
  })
}
