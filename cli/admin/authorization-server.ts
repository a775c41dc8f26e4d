import * as oauth from 'oauth4webapi'
import { isLoopback } from '../../src/foundation/values/loopback.ts'

/** An import of a thousand users is the slowest request. */
export const REQUEST_TIMEOUT = 60_000 // milliseconds

/**
 * A connection that is kept may be closed by the service between two requests, and the second one
 * would fail.
 */
export const COMMON_HEADERS = { 'User-Agent': 'vestibule-cli', Connection: 'close' }

/** Reads the metadata of a service. Requests to it have these options. */
export async function discoverServer(url: string) {
  const options = {
    headers: COMMON_HEADERS,
    signal: () => AbortSignal.timeout(REQUEST_TIMEOUT),
    [oauth.allowInsecureRequests]: isLoopback(url),
  }
  const issuer = new URL(url)
  const response = await oauth.discoveryRequest(issuer, options)
  return { server: await oauth.processDiscoveryResponse(issuer, response), options }
}
