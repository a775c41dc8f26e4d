import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import { createReference } from '../../foundation/values/reference.ts'
import type { AppContext, AppEnv, LogFields } from './app-env.ts'
import { clientNetwork } from './client-ip.ts'
import type { LogEvent } from './log-events.ts'

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Writes one JSON line per request with a fixed list of fields: never a query, cookie, token or
 * code.
 */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const startedAt = Date.now()
  const requestId = createReference()
  c.set('requestId', requestId)
  c.set('logFields', {})

  await next()

  const { method } = c.req
  const { status, headers } = c.res
  headers.set('X-Request-Id', requestId)
  const line = {
    requestId,
    method: METHODS.has(method) ? method : 'other',
    route: matchedRoutes(c).at(-1)?.path ?? '*',
    status,
    milliseconds: Date.now() - startedAt,
    // Who is limited, without the address of a person.
    ...(status === 429 && { network: clientNetwork(c) }),
    ...c.get('logFields'),
  }
  console[status >= 500 ? 'error' : 'log'](JSON.stringify(line))
})

/** Adds fields to the request's log line. */
export function addToLog<Event extends string = LogEvent>(
  c: AppContext,
  fields: LogFields<NoInfer<Event>>,
): void {
  Object.assign(c.get('logFields'), fields)
}
