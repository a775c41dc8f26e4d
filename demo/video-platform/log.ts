import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { readForm } from './form.ts'
import type { LogEntry, StandInEnv } from './platform.ts'

/** Enough for a long test run, little enough for a long demo. */
const KEPT_ENTRIES = 1000

/** The parameters whose values are no secret; every other shows as `***`. */
const SHOWN = new Set([
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

/** Remembers every request before it is answered, so that one held back by a fault shows too. */
export const recordRequest = createMiddleware<StandInEnv>(async (c, next) => {
  const { log } = c.get('platform')
  const entry = await describeRequest(c)
  log.push(entry)
  if (log.length > KEPT_ENTRIES) log.shift()

  await next()
  entry.status = c.res.status
})

async function describeRequest(c: Context<StandInEnv>): Promise<LogEntry> {
  const { host, pathname, searchParams } = new URL(c.req.url)
  const contentType = c.req.header('Content-Type')
  const [authorization] = c.req.header('Authorization')?.split(' ') ?? []
  const isForm = contentType?.startsWith('application/x-www-form-urlencoded') ?? false
  const form = isForm ? await readForm(c) : []

  const parameters = [...searchParams, ...form].map(([name, value]) => [name, mask(name, value)])
  return {
    method: c.req.method,
    host,
    path: pathname,
    parameters: Object.fromEntries(parameters),
    ...(contentType !== undefined && { contentType }),
    ...(authorization !== undefined && { authorization }),
  }
}

function mask(name: string, value: string): string {
  return SHOWN.has(name) ? value : '***'
}
