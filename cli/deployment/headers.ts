import { type Finding, good, problem, skipped } from '../finding.ts'
import { sendRequest } from '../http-request.ts'

/** Half a year; shorter values are used only to try HSTS out. */
const MIN_HSTS_AGE = 182 * 24 * 3600 // seconds

const CSP = 'Content-Security-Policy'

interface HeaderRule {
  name: string
  header: string
  isValid: (value: string) => boolean
  why: string
}

const HSTS: HeaderRule = {
  name: 'HSTS',
  header: 'Strict-Transport-Security',
  isValid: (value) => Number(/max-age=(\d+)/i.exec(value)?.[1] ?? 0) >= MIN_HSTS_AGE,
  why: 'Attackers who lead a browser to http could read its traffic.',
}

const RULES: readonly HeaderRule[] = [
  {
    name: 'CSP',
    header: CSP,
    isValid: (value) => value.includes("default-src 'none'") && !value.includes('unsafe-'),
    why: 'A script that is injected into a page would run.',
  },
  {
    name: 'frames',
    header: CSP,
    isValid: (value) => value.includes("frame-ancestors 'none'"),
    why: 'Another site could embed the page and trick users into pressing its buttons.',
  },
  {
    name: 'nosniff',
    header: 'X-Content-Type-Options',
    isValid: (value) => value.toLowerCase() === 'nosniff',
    why: 'Browsers would guess the content type of responses.',
  },
  {
    name: 'no-store',
    header: 'Cache-Control',
    isValid: (value) => /\bno-store\b/.test(value),
    why: "A cache could serve one user's page to another user.",
  },
]

/** What a browser sends when a user opens a page. */
const NAVIGATION = {
  Accept: 'text/html,application/xhtml+xml',
  'Sec-Fetch-Site': 'none',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Dest': 'document',
  'Sec-Fetch-User': '?1',
}

/** Checks the security headers of the sign-in page; all pages have the same ones. */
export async function checkHeaders(origin: string): Promise<Finding[]> {
  const page = `${origin}/api/auth/signin`
  const { headers } = await sendRequest(page, { headers: NAVIGATION })
  if (!headers.has(CSP) && (await sendRequest(page)).headers.has(CSP)) return [otherPage]
  const hsts = origin.startsWith('https:')
    ? checkHeader(HSTS, headers)
    : skipped(HSTS.name, 'applies only to https')
  return [hsts, ...RULES.map((rule) => checkHeader(rule, headers))]
}

/** Programs reach the service, so that all other checks succeed. */
const otherPage = problem('sign-in page', {
  what: 'A browser that opens the sign-in page gets a page that is not of the service.',
  why: 'Nobody can sign in. Only requests that do not open a page reach the service.',
  fix: 'Remove [assets] from wrangler.toml, or set run_worker_first = true there: in single-page mode, Cloudflare answers navigations with a file. Otherwise check what responds in front of the service.',
})

function checkHeader({ name, header, isValid, why }: HeaderRule, headers: Headers): Finding {
  const value = headers.get(header)
  if (value !== null && isValid(value)) return good(name)
  return problem(name, {
    what: value === null ? `The header ${header} is missing.` : `${header} is "${value}".`,
    why,
    fix: 'The service sends the correct header: check what removes or replaces it in front of the service (a transform rule, a proxy).',
  })
}
