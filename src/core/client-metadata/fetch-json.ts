import { parseJson } from '../../foundation/values/json.ts'
import { boundedFetch } from '../fetch/bounded-fetch.ts'
import type { MetadataFailure } from './client-metadata-error.ts'

/** How long a copy is used that was served without a lifetime. */
const DEFAULT_LIFETIME = 3600 // seconds

/** Bounds of the lifetime that a server chooses (RFC 9111 §5.2). */
const MIN_LIFETIME = 60 // seconds
const MAX_LIFETIME = 24 * 3600 // seconds

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/** Statuses of a server that may respond correctly later. */
const isTemporary = (status: number) => status >= 500 || status === 429 || status === 408

export interface FetchedJson {
  json: unknown
  /** For how long it may be used, in seconds. */
  lifetime: number
}

/** Fetches JSON that a stranger publishes. Only a response with status 200 counts. */
export async function fetchJson(
  url: string,
  maxSize: number,
): Promise<FetchedJson | MetadataFailure> {
  let response: Response
  try {
    response = await boundedFetch(url, { headers: { Accept: 'application/json' } }, { maxSize })
  } catch (error) {
    const isTooLong = error instanceof RangeError
    return { reason: isTooLong ? 'invalid' : 'unreachable', detail: `${url} ${error}` }
  }
  const { status, headers } = response
  if (status !== 200) {
    const reason = isTemporary(status) ? 'unreachable' : 'invalid'
    return { reason, detail: `${url} responded with status ${status}.` }
  }
  const type = headers.get('Content-Type') ?? ''
  const json = JSON_TYPE.test(type) ? parseJson(await response.text()) : undefined
  if (json === undefined) return { reason: 'invalid', detail: `${url} is not served as JSON.` }
  return { json, lifetime: lifetimeOf(headers.get('Cache-Control') ?? '') }
}

function lifetimeOf(cacheControl: string): number {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return MIN_LIFETIME
  const maxAge = cacheControl.match(/\bmax-age="?(\d{1,10})/i)?.[1]
  if (maxAge === undefined) return DEFAULT_LIFETIME
  return Math.min(MAX_LIFETIME, Math.max(MIN_LIFETIME, Number(maxAge)))
}
