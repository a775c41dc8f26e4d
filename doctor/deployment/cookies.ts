import { type Finding, goodUnless, type Trouble } from '../finding.ts'
import { visit } from '../visit.ts'

/** The cookie that is given to everybody shows what the others are like. */
export async function checkCookies(origin: string): Promise<Finding[]> {
  const { headers } = await visit(`${origin}/api/auth/csrf`)
  const detail = isHttps(origin) ? '__Host-' : 'http, so without __Host-'
  return goodUnless('cookies', cookieTroubles(origin, 'csrf', headers), detail)
}

/** What is wrong with the cookie of that name. */
export function cookieTroubles(origin: string, name: string, headers: Headers): Trouble[] {
  const cookies = headers.getSetCookie().filter((line) => line.includes(`vestibule.${name}`))
  if (cookies.length === 0) {
    return [
      {
        what: `The cookie vestibule.${name} is not set.`,
        why: 'Without cookies nobody can sign in.',
        fix: 'See what takes Set-Cookie away in front of the service, such as a cache.',
      },
    ]
  }
  return cookies.flatMap((line) => lineTroubles(origin, name, line))
}

/** Cookies on plain http, which is this machine, can have neither the prefix nor Secure. */
function lineTroubles(origin: string, name: string, line: string): Trouble[] {
  const [pair = '', ...rest] = line.split(';').map((part) => part.trim())
  const attributes = rest.map((attribute) => attribute.toLowerCase())
  const has = (attribute: string) => attributes.includes(attribute)
  const isPlain = !isHttps(origin)
  const expectations: readonly (readonly [isMet: boolean, what: string, why: string])[] = [
    [has('httponly'), 'is not HttpOnly', 'A script could read it.'],
    [has('samesite=lax'), 'is not SameSite=Lax', 'Other sites could use it.'],
    [has('path=/'), 'has another path than /', 'Some pages would not see it.'],
    [
      !attributes.some((attribute) => attribute.startsWith('domain=')),
      'has a Domain',
      'Services on the same domain would get it.',
    ],
    [
      isPlain || pair.startsWith('__Host-'),
      'is not called __Host-',
      'Services on the same domain could set it.',
    ],
    [isPlain || has('secure'), 'is not Secure', 'It would travel without encryption.'],
  ]
  return expectations
    .filter(([isMet]) => !isMet)
    .map(([, what, why]) => ({ what: `The cookie vestibule.${name} ${what}.`, why, fix: FIX }))
}

const FIX =
  'See that AUTH_URL is the https address that people use, and that nothing in front rewrites Set-Cookie.'

function isHttps(origin: string): boolean {
  return origin.startsWith('https:')
}
