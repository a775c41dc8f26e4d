import { isTransientStatus } from '../../provider-interface/transient-status.ts'
import { boundedFetch, type FetchOptions } from '../fetch/bounded-fetch.ts'

/** The random delay before a second try, so that all isolates do not retry at the same moment. */
const MIN_RETRY_DELAY = 100 // milliseconds
const MAX_RETRY_DELAY = 400 // milliseconds

/**
 * For requests that may be repeated: tries a second time after a failure that may be gone by then.
 */
export async function retryingFetch(
  url: string,
  init: RequestInit = {},
  options?: FetchOptions,
): Promise<Response> {
  const first = await boundedFetch(url, init, options).catch(() => undefined)
  if (first && !isTransientStatus(first.status)) return first
  const [random = 0] = crypto.getRandomValues(new Uint8Array(1))
  await scheduler.wait(MIN_RETRY_DELAY + (random / 255) * (MAX_RETRY_DELAY - MIN_RETRY_DELAY))
  return boundedFetch(url, init, options)
}
