import { createMiddleware } from 'hono/factory'
import type { AppContext, AppEnv } from '../http/app-env.ts'
import { UnavailableError } from '../storage/unavailable-error.ts'
import type { BoundSessions } from './feature-members.ts'

/** The feature that binds sessions to their browsers. Most deployments have none. */
export function boundSessions(c: AppContext): BoundSessions | undefined {
  return c.get('config').features.find((feature) => feature.boundSessions)?.boundSessions
}

/** A sign-in replaces the session, so it does not wait for a proof. */
const SIGN_IN = /^\/api\/auth\/(?:signin|callback)(?:\/|$)/

/**
 * Whether there is no session for this request only because its browser cannot prove the binding now:
 * the user must not sign in again, but try again.
 */
export function isProofDelayed(
  c: AppContext,
  cookie: { lacksProof?: boolean } | undefined,
): boolean {
  if (!cookie?.lacksProof || SIGN_IN.test(c.req.path)) return false
  return boundSessions(c)?.isDelayed(c) ?? false
}

/** The error of such a request. */
export function proofDelayed(): UnavailableError {
  return new UnavailableError('The browser cannot prove now that the session is bound to it.')
}

/** Before anything is done for a request that has its proof when it is repeated. */
export const repeatWithProof = createMiddleware<AppEnv>(async (c, next) => {
  const response = await boundSessions(c)?.repeat(c)
  if (response) return response
  return next()
})
