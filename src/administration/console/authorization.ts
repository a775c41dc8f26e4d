import { createMiddleware } from 'hono/factory'
import { recordDenial } from '../../core/audit/audit-log.ts'
import { afterResponse } from '../../core/http/after-response.ts'
import type { AppContext, AppEnv } from '../../core/http/app-env.ts'
import { auditOrigin } from '../../core/http/audit.ts'
import { requireRecentSession } from '../../core/session/recent-session.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { isGranted } from '../admin-scopes.ts'
import type { OperationDescription } from '../operation-description.ts'

/** Whether the role of the signed-in administrator allows an operation. */
export function mayUse(c: AppContext, { scope }: Pick<OperationDescription, 'scope'>): boolean {
  return isGranted(scope, c.get('administrator')?.scopes ?? [])
}

/** Administrators who have not signed in recently do so, and return to the page. */
export const requireRecentSignIn = createMiddleware<AppEnv>(async (c, next) => {
  try {
    await requireRecentSession(c)
  } catch (error) {
    if (!(error instanceof SignInError && error.code === 'sign_in_again')) throw error
    return signInAgain(c)
  }
  return next()
})

/** A form is posted to the URL of the page that shows it. */
export function signInAgain(c: AppContext): Response {
  const { pathname, search } = new URL(c.req.url)
  const params = new URLSearchParams({ callbackUrl: pathname + search, prompt: 'login' })
  return c.redirect(`/api/auth/signin?${params}`, 303)
}

/** The path of a denied attempt may have any length. */
const MAX_DETAIL_LENGTH = 100 // characters

/** Records a denied attempt after the response. */
export function recordDenied(c: AppContext, actor: string): void {
  const denial = recordDenial(c.env, c.get('config'), {
    ...auditOrigin(c, actor),
    event: 'admin_denied',
    outcome: 'denied',
    detail: `${c.req.method} ${c.req.path}`.slice(0, MAX_DETAIL_LENGTH),
  })
  afterResponse(c, denial)
}
