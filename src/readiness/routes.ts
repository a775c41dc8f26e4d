import { Hono } from 'hono'
import type { AppEnv } from '../config/app-env.ts'
import { clientIp } from '../http/client-ip.ts'
import { hasPageRateLimit, limitPageRequests } from '../limits/rate-limit.ts'
import { checkReadiness } from './check-readiness.ts'

/** `/readyz`: whether users can sign in, and otherwise what is missing and what fixes it. */
export const readiness = new Hono<AppEnv>().get('/readyz', async (c) => {
  const ip = clientIp(c)
  // Without its binding, nothing is limited, and the response reports that it is missing.
  if (ip !== undefined && hasPageRateLimit(c.env)) await limitPageRequests(c.env, ip)
  const checks = await checkReadiness(c.env, c.get('config'))
  const isReady = checks.every((check) => check.isReady)
  return c.json(
    {
      status: isReady ? 'ready' : 'not_ready',
      checks: checks.map(({ isReady: ready, name, ...rest }) => ({ name, ready, ...rest })),
    },
    isReady ? 200 : 503,
  )
})
