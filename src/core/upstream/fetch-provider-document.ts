import { BoundedMap } from '../storage/bounded-map.ts'
import { providerFetch } from './call-provider-function.ts'
import type { ResolvedProvider } from './resolved-provider.ts'
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

/** Two for each tenant of a provider that has many, and for each other provider. */
const MAX_DOCUMENTS = 300

const lastGoodMetadata = new BoundedMap<string, { body: string; validUntil: number }>(MAX_DOCUMENTS)
const skippedUntil = new BoundedMap<string, number>(MAX_DOCUMENTS)

/**
 * Fetches a discovery document or key set. While the provider is down, the last good copy is
 * returned.
 */
export async function fetchProviderDocument(
  provider: ResolvedProvider,
  url: string,
): Promise<Response> {
  // A provider's own fetch may change the content.
  const key = `${provider.id} ${url}`
  if (Date.now() < (skippedUntil.get(key) ?? 0)) return lastGoodCopy(key)
  const fetch = providerFetch(provider, retryingFetch, MAX_METADATA_SIZE)
  const response = await fetch(url, { headers: { Accept: 'application/json' } }).catch((error) => {
    if (error.code === 'provider_misconfigured') throw error
    return undefined
  })
  if (response?.status !== 200) {
    skippedUntil.set(key, Date.now() + METADATA_RETRY_INTERVAL)
    return lastGoodCopy(key)
  }
  const body = await response.text()
  lastGoodMetadata.set(key, { body, validUntil: Date.now() + STALE_METADATA_LIFETIME })
  return metadataResponse(body)
}

function lastGoodCopy(key: string): Response {
  const copy = lastGoodMetadata.get(key)
  if (!copy || Date.now() >= copy.validUntil) return new Response(null, { status: 503 })
  return metadataResponse(copy.body)
}

/** Some providers serve their metadata with another content type. */
function metadataResponse(body: string): Response {
  return new Response(body, { headers: { 'Content-Type': 'application/json' } })
}
