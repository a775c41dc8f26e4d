import { type Diagnosis, diagnoseUnmet, type Finding, goodOrProblems } from '../finding.ts'
import { sendRequest } from '../http-request.ts'

const FIX =
  'Check that AUTH_URL is the https address that users open, and that nothing in front of the service rewrites Set-Cookie.'

/**
 * Checks the CSRF cookie, which every visitor receives. The other cookies are set with the same
 * attributes.
 */
export async function checkCookies(origin: string): Promise<Finding[]> {
  const { headers } = await sendRequest(`${origin}/api/auth/csrf`)
  const detail = isHttps(origin) ? '__Host-' : 'no __Host- prefix over http'
  return goodOrProblems('cookies', diagnoseCookie(origin, 'csrf', headers), detail)
}

/** Lists what is wrong with the cookie of this name in a response. */
export function diagnoseCookie(origin: string, name: string, headers: Headers): Diagnosis[] {
  const cookies = headers.getSetCookie().filter((line) => line.includes(`vestibule.${name}`))
  if (cookies.length === 0) {
    return [
      {
        what: `The cookie vestibule.${name} is not set.`,
        why: 'Nobody can sign in without cookies.',
        fix: 'Check what removes Set-Cookie in front of the service, such as a cache.',
      },
    ]
  }
  return cookies.flatMap((line) => diagnoseAttributes(origin, name, line))
}

/**
 * Over plain http, which only a local service uses, cookies can have neither the prefix nor Secure.
 */
function diagnoseAttributes(origin: string, name: string, line: string): Diagnosis[] {
  const [pair = '', ...rest] = line.split(';').map((part) => part.trim())
  const attributes = rest.map((attribute) => attribute.toLowerCase())
  const cookie = `The cookie vestibule.${name}`
  return diagnoseUnmet([
    {
      isMet: attributes.includes('httponly'),
      what: `${cookie} is not HttpOnly.`,
      why: 'Scripts could read it.',
      fix: FIX,
    },
    {
      isMet: attributes.includes('samesite=lax'),
      what: `${cookie} is not SameSite=Lax.`,
      why: 'Requests from other sites could use it.',
      fix: FIX,
    },
    {
      isMet: attributes.includes('path=/'),
      what: `${cookie} has a Path other than /.`,
      why: 'Browsers would not send it to every page that needs it.',
      fix: FIX,
    },
    {
      isMet: !attributes.some((attribute) => attribute.startsWith('domain=')),
      what: `${cookie} has a Domain.`,
      why: 'Other services on the same domain would receive it.',
      fix: FIX,
    },
    {
      isMet: !isHttps(origin) || pair.startsWith('__Host-'),
      what: `${cookie} does not have the __Host- prefix.`,
      why: 'Other services on the same domain could set it.',
      fix: FIX,
    },
    {
      isMet: !isHttps(origin) || attributes.includes('secure'),
      what: `${cookie} is not Secure.`,
      why: 'Browsers would also send it unencrypted.',
      fix: FIX,
    },
  ])
}

function isHttps(origin: string): boolean {
  return origin.startsWith('https:')
}
