import { type Finding, good, problem, skipped } from '../finding.ts'
import { sendRequest } from '../http-request.ts'

/** Half a year; shorter values are used only to try HSTS out. */
const MIN_HSTS_AGE = 182 * 24 * 3600 // seconds

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
    header: 'Content-Security-Policy',
    isValid: (value) => value.includes("default-src 'none'") && !value.includes('unsafe-'),
    why: 'A script that is injected into a page would run.',
  },
  {
    name: 'frames',
    header: 'Content-Security-Policy',
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

/** Checks the security headers of the sign-in page; all pages have the same ones. */
export async function checkHeaders(origin: string): Promise<Finding[]> {
  const { headers } = await sendRequest(`${origin}/api/auth/signin`, {
    headers: { Accept: 'text/html' },
  })
  const hsts = origin.startsWith('https:')
    ? checkHeader(HSTS, headers)
    : skipped(HSTS.name, 'applies only to https')
  return [hsts, ...RULES.map((rule) => checkHeader(rule, headers))]
}

function checkHeader({ name, header, isValid, why }: HeaderRule, headers: Headers): Finding {
  const value = headers.get(header)
  if (value !== null && isValid(value)) return good(name)
  return problem(name, {
    what: value === null ? `The header ${header} is missing.` : `${header} is "${value}".`,
    why,
    fix: 'The service sends the correct header: check what removes or replaces it in front of the service (a transform rule, a proxy).',
  })
}
