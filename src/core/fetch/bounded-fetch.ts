import { isLoopback } from '../../foundation/values/loopback.ts'
import { readAtMost } from './read-at-most.ts'

/** Longer than a healthy provider needs, shorter than a user waits. Covers the whole response. */
const TIMEOUT = 5_000 // milliseconds

/** A token response or a profile has a few hundred bytes, a long biography a few thousand. */
const MAX_RESPONSE_SIZE = 64 * 1024 // bytes

export interface FetchOptions {
  maxSize?: number
  /** Sends the request instead of the global fetch. */
  send?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

/**
 * Fetches with a timeout and a size limit. Follows no redirect, and uses plain http only on
 * loopback.
 */
export async function boundedFetch(
  url: string,
  init: RequestInit = {},
  { maxSize = MAX_RESPONSE_SIZE, send = fetch }: FetchOptions = {},
): Promise<Response> {
  requireSecureUrl(url)
  const response = await send(url, {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT),
  })
  const body = await readAtMost(response.body, maxSize)
  return new Response(body.length > 0 ? body : null, {
    status: response.status,
    headers: response.headers,
  })
}

/** Throws for plain http, except on loopback. */
export function requireSecureUrl(url: string): void {
  if (url.startsWith('https:') || isLoopback(url)) return
  throw new RangeError('Plain http is allowed for servers on this machine only.')
}
