import { Hono } from 'hono'
import type { AppEnv } from '../http/app-env.ts'
import { setRetryAfter } from '../pages/error-response.tsx'
import { limitRequests } from '../session/limit-requests-by-user.ts'
import { checkReadiness } from './check-readiness.ts'

/** `/readyz`: whether users can sign in, and otherwise what is missing and what fixes it. */
export const readiness = new Hono<AppEnv>().get('/readyz', limitRequests, async (c) => {
  const checks = await checkReadiness(c.env, c.get('config'))
  const isReady = checks.every(({ ready }) => ready)
  const status = isReady ? 200 : 503
  setRetryAfter(c, status)
  return c.json({ status: isReady ? 'ready' : 'not_ready', checks }, status)
})
