import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import type { AppContext, AppEnv, LogNotes } from './app-env.ts'

/** One JSON line a request. Its fields come from a fixed list: never a query, cookie, token or code. */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const startedAt = Date.now()
  c.set('requestId', reference())
  c.set('notes', {})
  await next()

  const { headers, status } = c.res
  const { method } = c.req
  headers.set('X-Request-Id', c.get('requestId'))
  const line = {
    requestId: c.get('requestId'),
    method: METHODS.has(method) ? method : 'other',
    route: matchedRoutes(c).at(-1)?.path ?? '*',
    status,
    milliseconds: Date.now() - startedAt,
    ...c.get('notes'),
  }
  console[status >= 500 ? 'error' : 'log'](JSON.stringify(line))
})

/** Adds to the request's log line. */
export function note(c: AppContext, notes: LogNotes): void {
  Object.assign(c.get('notes'), notes)
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Without vowels and look-alikes, so that it survives being read out on the phone. */
const ALPHABET = '23456789BCDFGHJKMNPQRSTVWXZ'

/** For the next hundred references: to ask for random bytes costs more than the bytes. */
let letters = ''

/** Ten characters of 27: 47 bits, enough to find one request among a day's. */
function reference(): string {
  if (letters === '') {
    const bytes = crypto.getRandomValues(new Uint8Array(1000))
    letters = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  }
  const [one, other] = [letters.slice(0, 5), letters.slice(5, 10)]
  letters = letters.slice(10)
  return `${one}-${other}`
}
