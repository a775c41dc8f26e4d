import { isLoopback } from '../src/foundation/values/loopback.ts'
import { type Diagnosis, diagnoseUnmet, type Expectation } from './finding.ts'

/** The platform accepts only redirect URIs that are shorter than this. */
const LENGTH_LIMIT = 512 // characters

/** The only loopback hosts that the platform accepts. */
const DESKTOP_HOSTS = ['localhost', '127.0.0.1']

const WHY =
  "The platform does not accept such a redirect URI, and users see the platform's error page redirect_uri."

/** The tab of the developer portal on which a redirect URI has to be registered. */
export function portalTab(redirectUri: string): 'Web' | 'Desktop' {
  return isLoopback(redirectUri) ? 'Desktop' : 'Web'
}

/** Lists the rules of the platform that a redirect URI breaks. */
export function diagnoseRedirectUri(redirectUri: string): Diagnosis[] {
  const url = URL.parse(redirectUri)
  if (!url) {
    return [
      {
        what: 'The callback is not an absolute URL.',
        why: WHY,
        fix: 'Set AUTH_URL to a public https origin.',
      },
    ]
  }
  const rulesOfTab = portalTab(redirectUri) === 'Web' ? webRules(url) : desktopRules(url)
  return diagnoseUnmet([...commonRules(redirectUri), ...rulesOfTab])
}

function commonRules(redirectUri: string): Expectation[] {
  return [
    {
      isMet: redirectUri.length < LENGTH_LIMIT,
      what: `The callback has ${redirectUri.length} characters; fewer than ${LENGTH_LIMIT} are allowed.`,
      why: WHY,
      fix: 'Use a shorter domain.',
    },
    {
      isMet: !/[?#]/.test(redirectUri),
      what: 'The callback has a query or a fragment.',
      why: WHY,
      fix: 'Remove everything from the ? or # on.',
    },
  ]
}

function webRules({ protocol }: URL): Expectation[] {
  return [
    {
      isMet: protocol === 'https:',
      what: 'The callback is not https.',
      why: WHY,
      fix: 'Set AUTH_URL to an https origin.',
    },
  ]
}

function desktopRules({ hostname, port }: URL): Expectation[] {
  return [
    {
      isMet: DESKTOP_HOSTS.includes(hostname),
      what: `The callback's host is ${hostname}.`,
      why: WHY,
      fix: `Set AUTH_URL to http://${DESKTOP_HOSTS.join(' or http://')}, with a port.`,
    },
    {
      isMet: port !== '',
      what: 'The callback has no port.',
      why: WHY,
      fix: 'Set AUTH_URL to an origin with a port, such as http://localhost:8787.',
    },
  ]
}
