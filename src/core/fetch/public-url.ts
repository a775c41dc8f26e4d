import { isLoopback } from '../../foundation/values/loopback.ts'

/**
 * Names that never belong to a public server: single labels, and the top-level domains of local
 * networks (RFC 6761, RFC 6762, RFC 8375, and .internal, which ICANN has reserved).
 */
const LOCAL_NAME =
  /^[^.]+$|\.(?:localhost|local|internal|intranet|private|corp|home|lan|localdomain|arpa|test|invalid|onion)$/

/** An IP address. The parser writes every spelling of an IPv4 address as four decimal numbers. */
const IP_ADDRESS = /^\[|^\d+\.\d+\.\d+\.\d+$/

/**
 * Whether a URL that a stranger has chosen may be fetched: https, and a public name rather than an
 * IP address. A name whose DNS entry is a private address is for the runtime to reject: Workers
 * reach public addresses only, with the flag `global_fetch_strictly_public`.
 */
export function isPublicUrl(url: string): boolean {
  const { protocol, hostname, username, password } = URL.parse(url) ?? {}
  if (protocol !== 'https:' || !hostname || username || password) return false
  return isHostName(hostname) && !LOCAL_NAME.test(hostname)
}

/** Whether a URL may be read that a client has published or registered. */
export function mayRead(url: string, isDevelopment: boolean): boolean {
  return isPublicUrl(url) || (isDevelopment && /^https?:/.test(url) && isLoopback(url))
}

/** Whether the host of a URL is a name in its usual spelling, and no IP address. */
export function isHostName(hostname: string): boolean {
  return !IP_ADDRESS.test(hostname) && !hostname.endsWith('.')
}
