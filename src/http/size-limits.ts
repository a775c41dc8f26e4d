import { SignInError } from '../errors.ts'
import { readAtMost } from '../upstream/read-at-most.ts'
import type { AppContext } from './app-env.ts'

/** The longest authorization request of {@link https://openid.net/specs/openid-connect-core-1_0.html} that makes sense. */
const LONGEST_URL = 16 * 1024

/** Five attempts of a kilobyte each and what the services on our domain set. */
const LONGEST_COOKIES = 16 * 1024

/** Our forms have a handful of short fields. */
const LONGEST_BODY = 16 * 1024

/** Refuses what is too large before anything reads it. Returns a promise where there is a body to read. */
export function limitSizes({ req }: AppContext): Promise<unknown> | undefined {
  if (req.url.length > LONGEST_URL) throw new SignInError('request_too_large', { status: 414 })
  if ((req.header('Cookie') ?? '').length > LONGEST_COOKIES) {
    throw new SignInError('request_too_large', { status: 431 })
  }
  // The body of a GET means nothing (RFC 9110 §9.3.1), and nobody reads it.
  if (req.method === 'GET' || req.method === 'HEAD') return undefined
  const body = readBody(req.raw)
  // Where Hono keeps a body that has been read, as the promise of it.
  req.bodyCache.arrayBuffer = body as unknown as ArrayBuffer
  return body
}

async function readBody(request: Request): Promise<ArrayBuffer> {
  try {
    if (isShort(request.headers)) return await request.arrayBuffer()
    const bytes = await readAtMost(request.body, LONGEST_BODY)
    return bytes.slice().buffer
  } catch (cause) {
    // A body that breaks off is the sender's mistake, not ours.
    const code = cause instanceof RangeError ? 'request_too_large' : 'request_invalid'
    throw new SignInError(code, { cause })
  }
}

/** A body that is framed by its length cannot be longer (RFC 9112 §6.3). */
function isShort(headers: Headers): boolean {
  const length = headers.get('Content-Length') ?? ''
  return (
    /^\d{1,5}$/.test(length) && Number(length) <= LONGEST_BODY && !headers.has('Transfer-Encoding')
  )
}
