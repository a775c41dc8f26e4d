import { type Finding, good, problem, skipped } from '../finding.ts'
import { visit } from '../visit.ts'

/** Half a year, below which HSTS is taken for an experiment. */
const SHORTEST_HSTS = 182 * 24 * 3600 // seconds

interface Rule {
  name: string
  header: string
  isRight: (value: string) => boolean
  why: string
}

const HSTS: Rule = {
  name: 'HSTS',
  header: 'Strict-Transport-Security',
  isRight: (value) => Number(/max-age=(\d+)/i.exec(value)?.[1] ?? 0) >= SHORTEST_HSTS,
  why: 'A browser that is lured to http could be read.',
}

const RULES: readonly Rule[] = [
  {
    name: 'CSP',
    header: 'Content-Security-Policy',
    isRight: (value) => value.includes("default-src 'none'") && !value.includes('unsafe-'),
    why: 'A script that gets into a page would run.',
  },
  {
    name: 'frames',
    header: 'Content-Security-Policy',
    isRight: (value) => value.includes("frame-ancestors 'none'"),
    why: 'Another site could show the page in a frame, and have people press its buttons.',
  },
  {
    name: 'nosniff',
    header: 'X-Content-Type-Options',
    isRight: (value) => value.toLowerCase() === 'nosniff',
    why: 'Browsers would guess what an answer is.',
  },
  {
    name: 'no-store',
    header: 'Cache-Control',
    isRight: (value) => /\bno-store\b/.test(value),
    why: "A cache could give one person's page to another.",
  },
]

/** How the sign-in page is protected: it stands for all of them. */
export async function checkHeaders(origin: string): Promise<Finding[]> {
  const page = await visit(`${origin}/api/auth/signin`, { headers: { Accept: 'text/html' } })
  return [
    origin.startsWith('https:')
      ? check(HSTS, page.headers)
      : skipped(HSTS.name, 'only https can have it'),
    ...RULES.map((rule) => check(rule, page.headers)),
  ]
}

function check({ name, header, isRight, why }: Rule, headers: Headers): Finding {
  const value = headers.get(header)
  if (value !== null && isRight(value)) return good(name)
  return problem(name, {
    what: value === null ? `There is no ${header}.` : `${header} is "${value}".`,
    why,
    fix: 'The service sends it right: see what takes it away or replaces it in front (a transform rule, a proxy).',
  })
}
