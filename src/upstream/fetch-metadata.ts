import { retryingFetch } from './retrying-fetch.ts'

/** A key set with certificate chains is larger. */
const MAX_METADATA_SIZE = 256 * 1024 // bytes

/**
 * How long the last good copy of a provider's metadata is used while the provider cannot be
 * reached.
 */
const STALE_METADATA_LIFETIME = 24 * 3_600_000 // milliseconds

/** How long no request is sent to a metadata URL that has just failed. */
const METADATA_RETRY_INTERVAL = 10_000 // milliseconds

const lastGoodMetadata = new Map<string, { body: string; validUntil: number }>()
const skippedUntil = new Map<string, number>()

/**
 * Fetches a discovery document or key set. While the provider is down, the last good copy is
 * returned.
 */
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
