/** Longer than a healthy platform needs, shorter than a person waits. */
const DEADLINE = 5_000 // milliseconds, until the last byte

/** A token response or a profile is a few hundred bytes; a long biography a few thousand. */
const LONGEST_ANSWER = 64 * 1024

/** A pause before the second try, so that a stumbling platform is not hit by everybody at once. */
const SHORTEST_PAUSE = 100
const LONGEST_PAUSE = 400

/** Answers within the deadline and the size, follows no redirect, and holds no connection open. */
export async function boundedFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.timeout(DEADLINE),
  })
  const body = await readAtMost(response, LONGEST_ANSWER)
  return new Response(body.size > 0 ? body : null, {
    status: response.status,
    headers: response.headers,
  })
}

/** For what may be asked twice: a second try after a failure that may have passed. */
export async function patientFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const first = await boundedFetch(url, init).catch(() => undefined)
  if (first && !isPassing(first.status)) return first
  const [random = 0] = crypto.getRandomValues(new Uint8Array(1))
  await scheduler.wait(SHORTEST_PAUSE + (random / 255) * (LONGEST_PAUSE - SHORTEST_PAUSE))
  return boundedFetch(url, init)
}

/** Trouble of the platform's that another try may find gone. */
export function isPassing(status: number): boolean {
  return status === 429 || status >= 500
}

/** Counts while it reads: Content-Length is only a claim. */
async function readAtMost(response: Response, limit: number): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > limit) throw new RangeError('The answer is too long.')
    chunks.push(new Uint8Array(chunk))
  }
  return new Blob(chunks)
}
