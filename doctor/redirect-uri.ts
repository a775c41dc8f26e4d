import { isLoopback } from '../src/config/loopback.ts'
import type { Trouble } from './finding.ts'

/** The platform takes fewer characters than this. */
const TOO_LONG = 512

/** The only loopback hosts that the platform takes. */
const DESKTOP_HOSTS = ['localhost', '127.0.0.1']

const WHY =
  'The platform takes no such address, and shows people its page with the word redirect_uri.'

/** The tab of the portal on which an address to return to is registered. */
export function tabFor(address: string): 'Web' | 'Desktop' {
  return isLoopback(address) ? 'Desktop' : 'Web'
}

/** What the platform has against an address to return to. */
export function redirectUriTroubles(address: string): Trouble[] {
  const url = URL.parse(address)
  const blame = (what: string, fix: string) => ({ what, why: WHY, fix })
  if (!url) {
    return [blame('The callback is not a whole address.', 'Set AUTH_URL to a public https origin.')]
  }
  return [
    ...(address.length >= TOO_LONG
      ? [blame(`The callback has ${address.length} characters.`, 'Use a shorter domain.')]
      : []),
    ...(/[?#]/.test(address)
      ? [blame('The callback has a query or a fragment.', 'Leave out what follows ? or #.')]
      : []),
    ...(tabFor(address) === 'Web' ? webTroubles(url, blame) : desktopTroubles(url, blame)),
  ]
}

type Blame = (what: string, fix: string) => Trouble

function webTroubles({ protocol }: URL, blame: Blame): Trouble[] {
  if (protocol === 'https:') return []
  return [blame('The callback is not https.', 'Set AUTH_URL to an https origin.')]
}

function desktopTroubles({ hostname, port }: URL, blame: Blame): Trouble[] {
  const hosts = DESKTOP_HOSTS.join(' or ')
  return [
    ...(DESKTOP_HOSTS.includes(hostname)
      ? []
      : [
          blame(
            `The callback's host is ${hostname}.`,
            `Set AUTH_URL to http://${hosts}, with a port.`,
          ),
        ]),
    ...(port
      ? []
      : [
          blame(
            'The callback names no port.',
            'Set AUTH_URL to one with a port, such as http://localhost:8787.',
          ),
        ]),
  ]
}
