import { waitUntil } from 'cloudflare:workers'
import { createMiddleware } from 'hono/factory'
import { count, countDuration, sendCountsLater } from '../metrics/count.ts'
import { routeOf } from '../metrics/metric-table.ts'
import type { AppEnv } from './app-env.ts'

/** Counts each request by its duration and its failure. */
export const requestMetrics = createMiddleware<AppEnv>(async (c, next) => {
  const startedAt = Date.now()

  await next()

  const route = routeOf(c.req.path)
  countDuration(route, (Date.now() - startedAt) / 1000)
  const { status } = c.res
  if (status >= 500) count('vestibule_failed_requests_total', { route, status: toLabel(status) })
  // Without a valid configuration, it is not known who collects them.
  const config = c.get('config') as AppEnv['Variables']['config'] | undefined
  if (config) waitUntil(sendCountsLater(c.env, config))
})

function toLabel(status: number) {
  const text = String(status)
  return text === '500' || text === '502' || text === '503' ? text : 'other'
}
