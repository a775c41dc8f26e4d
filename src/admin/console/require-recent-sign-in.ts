import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../../config/app-env.ts'
import { SignInError } from '../../errors/sign-in-error.ts'
import { requireRecentSession } from '../../session/current.ts'

/** Administrators who have not signed in recently do so, and return to the page. */
export const requireRecentSignIn = createMiddleware<AppEnv>(async (c, next) => {
  try {
    await requireRecentSession(c)
  } catch (error) {
    if (!(error instanceof SignInError && error.code === 'sign_in_again')) throw error
    // Of a posted form, too, the page with the form has the same address.
    const params = new URLSearchParams({ callbackUrl: c.req.path, prompt: 'login' })
    return c.redirect(`/api/auth/signin?${params}`, 303)
  }
  return next()
})
