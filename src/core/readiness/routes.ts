import { Hono } from 'hono'
import { formatProblem } from '../../foundation/values/problem.ts'
import { ConfigurationError } from '../config/configuration-error.ts'
import type { AppContext, AppEnv } from '../http/app-env.ts'
import { addToLog } from '../http/request-log.ts'
import { setRetryAfter } from '../pages/error-response.tsx'
import { limitRequests } from '../session/limit-requests-by-user.ts'
import { checkReadiness, checkSettings, type ReadinessCheck } from './check-readiness.ts'

const PATH = '/readyz'

/** `/readyz`: whether users can sign in, and otherwise what is missing and what fixes it. */
export const readiness = new Hono<AppEnv>().get(PATH, limitRequests, async (c) =>
  respond(c, await checkReadiness(c.env, c.get('config'))),
)

/** No route runs with invalid settings. `/readyz` still says what is wrong with them. */
export function reportMisconfiguration(error: Error, c: AppContext): Response | undefined {
  if (!(error instanceof ConfigurationError) || c.req.path !== PATH) return undefined
  addToLog(c, { code: 'configuration', cause: error.problems.map(formatProblem) })
  return respond(c, [{ name: 'settings', ready: false, ...checkSettings(error) }])
}

function respond(c: AppContext, checks: readonly ReadinessCheck[]): Response {
  const isReady = checks.every(({ ready }) => ready)
  const status = isReady ? 200 : 503
  setRetryAfter(c, status)
  return c.json({ status: isReady ? 'ready' : 'not_ready', checks }, status)
}
