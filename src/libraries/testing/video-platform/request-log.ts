import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { LogEntry, StandInEnv } from './platform.ts'

/** Enough for a long test run, and small enough for a demo that runs for days. */
const MAX_ENTRIES = 1000

/** Parameters whose values are not secret. All other values are logged as `***`. */
const PUBLIC_PARAMETERS = new Set([
  'client_key',
  'client_id',
  'response_type',
  'scope',
  'redirect_uri',
  'disable_auto_auth',
  'code_challenge_method',
  'grant_type',
  'fields',
  'decision',
  'persona',
  '__as',
  '__grant',
])

/**
 * Logs every request before it is processed, so that a request delayed by a fault is listed too.
 */
export const logRequest = createMiddleware<StandInEnv>(async (c, next) => {
  const { log } = c.get('platform')
  const entry = await describeRequest(c)
  log.push(entry)
  if (log.length > MAX_ENTRIES) log.shift()

  await next()
  entry.status = c.res.status
})

async function describeRequest(c: Context<StandInEnv>): Promise<LogEntry> {
  const { host, pathname, searchParams } = new URL(c.req.url)
  const contentType = c.req.header('Content-Type')
  const [authorization] = c.req.header('Authorization')?.split(' ') ?? []
  const isForm = contentType?.startsWith('application/x-www-form-urlencoded') ?? false
  const form = isForm ? Object.entries(await c.req.parseBody()) : []

  const parameters = [...searchParams, ...form].map(([name, value]) => [
    name,
    PUBLIC_PARAMETERS.has(name) ? value : '***',
  ])
  return {
    method: c.req.method,
    host,
    path: pathname,
    parameters: Object.fromEntries(parameters),
    ...(contentType !== undefined && { contentType }),
    ...(authorization !== undefined && { authorization }),
  }
}
