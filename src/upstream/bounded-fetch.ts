import { isLoopback } from '../config/loopback.ts'
import { readAtMost } from './read-at-most.ts'

/** Longer than a healthy platform needs, shorter than a person waits. */
const DEADLINE = 5_000 // milliseconds, until the last byte

/** A token response or a profile is a few hundred bytes; a long biography a few thousand. */
const LONGEST_ANSWER = 64 * 1024

/** A key set with certificate chains is long. */
const LONGEST_METADATA = 256 * 1024

/** How long an answer of old stands in for a provider that cannot tell its endpoints or keys. */
const ONE_DAY = 24 * 3_600_000 // milliseconds

/** How long a provider that gave no answer is left alone. */
const TEN_SECONDS = 10_000 // milliseconds

/** A pause before the second try, so that a stumbling platform is not hit by everybody at once. */
const SHORTEST_PAUSE = 100
const LONGEST_PAUSE = 400

/** Answers within the deadline and the size, follows no redirect, and holds no connection open. */
export async function boundedFetch(
  url: string,
  init: RequestInit = {},
  limit = LONGEST_ANSWER,
): Promise<Response> {
  if (!url.startsWith('https:') && !isLoopback(url)) {
    throw new RangeError('Plain http is for servers on this machine.')
  }
  const response = await fetch(url, {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.timeout(DEADLINE),
  })
  const body = await readAtMost(response.body, limit)
  return new Response(body.length > 0 ? body : null, {
    status: response.status,
    headers: response.headers,
  })
}

/** For what may be asked twice: a second try after a failure that may have passed. */
export async function patientFetch(
  url: string,
  init: RequestInit = {},
  limit = LONGEST_ANSWER,
): Promise<Response> {
  const first = await boundedFetch(url, init, limit).catch(() => undefined)
  if (first && !isPassing(first.status)) return first
  const [random = 0] = crypto.getRandomValues(new Uint8Array(1))
  await scheduler.wait(SHORTEST_PAUSE + (random / 255) * (LONGEST_PAUSE - SHORTEST_PAUSE))
  return boundedFetch(url, init, limit)
}

/** Posts a form, and looks at nothing of the answer but its status. */
export async function postForm(url: string, form: Record<string, string>): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    redirect: 'manual',
    signal: AbortSignal.timeout(DEADLINE),
  })
  await response.body?.cancel()
  return response.status
}

interface Remembered {
  body: string
  until: number
}

const remembered = new Map<string, Remembered>()
const unreachable = new Map<string, number>()

/** For discovery documents and keys: an outage of theirs is bridged with what they said last. */
export async function metadataFetch(url: string): Promise<Response> {
  if (Date.now() < (unreachable.get(url) ?? 0)) return recall(url)
  const response = await patientFetch(
    url,
    { headers: { Accept: 'application/json' } },
    LONGEST_METADATA,
  ).catch(() => undefined)
  if (response?.status !== 200) {
    unreachable.set(url, Date.now() + TEN_SECONDS)
    return recall(url)
  }
  const body = await response.text()
  remembered.set(url, { body, until: Date.now() + ONE_DAY })
  return new Response(body, { headers: { 'Content-Type': 'application/json' } })
}

function recall(url: string): Response {
  const { body, until } = remembered.get(url) ?? { body: '', until: 0 }
  if (Date.now() >= until) return new Response(null, { status: 503 })
  return new Response(body, { headers: { 'Content-Type': 'application/json' } })
}

/** Trouble of the platform's that another try may find gone. */
export function isPassing(status: number): boolean {
  return status === 429 || status >= 500
}
