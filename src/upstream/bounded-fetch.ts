import { isLoopback } from '../config/loopback.ts'
import { isTransientStatus } from '../providers/transient-status.ts'
import { readAtMost } from './read-at-most.ts'

/** Longer than a healthy provider needs, shorter than a user waits. Covers the whole response. */
const TIMEOUT = 5_000 // milliseconds

/** A token response or a profile has a few hundred bytes, a long biography a few thousand. */
const MAX_RESPONSE_SIZE = 64 * 1024 // bytes

/** A key set with certificate chains is larger. */
const MAX_METADATA_SIZE = 256 * 1024 // bytes

/** How long the last good copy of a provider's metadata is used while the provider cannot be reached. */
const STALE_METADATA_LIFETIME = 24 * 3_600_000 // milliseconds

/** How long no request is sent to a metadata URL that has just failed. */
const METADATA_RETRY_INTERVAL = 10_000 // milliseconds

/** The random delay before a second try, so that all isolates do not retry at the same moment. */
const MIN_RETRY_DELAY = 100 // milliseconds
const MAX_RETRY_DELAY = 400 // milliseconds

/** Fetches with a timeout and a size limit. Follows no redirect, and uses plain http only on loopback. */
export async function boundedFetch(
  url: string,
  init: RequestInit = {},
  maxSize = MAX_RESPONSE_SIZE,
): Promise<Response> {
  if (!url.startsWith('https:') && !isLoopback(url)) {
    throw new RangeError('Plain http is allowed for servers on this machine only.')
  }
  const response = await fetch(url, {
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

/** For requests that may be repeated: tries a second time after a failure that may be gone by then. */
export async function retryingFetch(
  url: string,
  init: RequestInit = {},
  maxSize = MAX_RESPONSE_SIZE,
): Promise<Response> {
  const first = await boundedFetch(url, init, maxSize).catch(() => undefined)
  if (first && !isTransientStatus(first.status)) return first
  const [random = 0] = crypto.getRandomValues(new Uint8Array(1))
  await scheduler.wait(MIN_RETRY_DELAY + (random / 255) * (MAX_RETRY_DELAY - MIN_RETRY_DELAY))
  return boundedFetch(url, init, maxSize)
}

/** Posts a form and returns the status; the response body is discarded. */
export async function postForm(url: string, form: Record<string, string>): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT),
  })
  await response.body?.cancel()
  return response.status
}

const lastGoodMetadata = new Map<string, { body: string; validUntil: number }>()
const skippedUntil = new Map<string, number>()

/** Fetches a discovery document or key set. While the provider is down, the last good copy is returned. */
export async function fetchMetadata(url: string): Promise<Response> {
  if (Date.now() < (skippedUntil.get(url) ?? 0)) return lastGoodCopy(url)
  const response = await retryingFetch(
    url,
    { headers: { Accept: 'application/json' } },
    MAX_METADATA_SIZE,
  ).catch(() => undefined)
  if (response?.status !== 200) {
    skippedUntil.set(url, Date.now() + METADATA_RETRY_INTERVAL)
    return lastGoodCopy(url)
  }
  const body = await response.text()
  lastGoodMetadata.set(url, { body, validUntil: Date.now() + STALE_METADATA_LIFETIME })
  return metadataResponse(body)
}

function lastGoodCopy(url: string): Response {
  const copy = lastGoodMetadata.get(url)
  if (!copy || Date.now() >= copy.validUntil) return new Response(null, { status: 503 })
  return metadataResponse(copy.body)
}

/** Some providers serve their metadata with another content type. */
function metadataResponse(body: string): Response {
  return new Response(body, { headers: { 'Content-Type': 'application/json' } })
}
