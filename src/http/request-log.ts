import { matchedRoutes } from 'hono/route'
import { randomBytes } from '../crypto/random.ts'
import type { AppContext, LogNotes } from './app-env.ts'

/** One JSON line a request, of a fixed list of fields: never a query, cookie, token or code. Returns what writes it. */
export function beginLine(c: AppContext): () => void {
  const startedAt = Date.now()
  const requestId = reference()
  c.set('requestId', requestId)
  c.set('notes', {})
  return () => {
    const { headers, status } = c.res
    const { method } = c.req
    headers.set('X-Request-Id', requestId)
    const line = {
      requestId,
      method: METHODS.has(method) ? method : 'other',
      route: matchedRoutes(c).at(-1)?.path ?? '*',
      status,
      milliseconds: Date.now() - startedAt,
      ...c.get('notes'),
    }
    console[status >= 500 ? 'error' : 'log'](JSON.stringify(line))
  }
}

/** Adds to the request's log line. */
export function note(c: AppContext, notes: LogNotes): void {
  Object.assign(c.get('notes'), notes)
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Without vowels and look-alikes, so that it survives being read out on the phone. */
const ALPHABET = '23456789BCDFGHJKMNPQRSTVWXZ'

/** Ten characters of 27: 47 bits, enough to find one request among a day's. */
function reference(): string {
  let letters = ''
  for (const byte of randomBytes(10)) {
    if (letters.length === 5) letters += '-'
    letters += ALPHABET[byte % ALPHABET.length]
  }
  return letters
}
