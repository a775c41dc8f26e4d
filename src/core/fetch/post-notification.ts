import { requireSecureUrl } from './bounded-fetch.ts'

/** Longer than a healthy receiver needs. A notification that fails is sent again later. */
const TIMEOUT = 5_000 // milliseconds

/**
 * Posts a notification and returns the status. Follows no redirect, and does not read the body of
 * the response.
 */
export async function postNotification(
  url: string,
  init: Pick<RequestInit, 'body' | 'headers'>,
): Promise<number> {
  requireSecureUrl(url)
  const response = await fetch(url, {
    ...init,
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT),
  })
  await response.body?.cancel()
  return response.status
}
