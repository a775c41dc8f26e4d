import { methodNotAllowed } from 'hono/method-not-allowed'
import { Hono } from 'hono/quick'
import { account } from './account/routes.tsx'
import type { ReadConfig } from './config/config.ts'
import { SignInError } from './errors.ts'
import type { AppEnv } from './http/app-env.ts'
import { loadConfiguration, requireConfiguredOrigin } from './http/configuration.ts'
import { errorResponse } from './http/error-response.tsx'
import { runPendingEvents } from './http/events.ts'
import { requestLog } from './http/request-log.ts'
import { securityHeaders } from './http/security-headers.ts'
import { headerLimit, requestBodyLimit } from './http/size-limits.ts'
import { oidc } from './oidc/routes.ts'
import { session } from './session/routes.tsx'
import { signin } from './signin/routes.ts'
import { webhook } from './webhook/routes.ts'

/**
 * The middleware that every request passes, then the route modules. The default router of Hono compiles
 * all routes for the first request; that of `hono/quick` shortens a cold start.
 */
export function createApp(readConfig: ReadConfig): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  // Error pages need the configuration, too: it has their theme and language.
  app.use(runPendingEvents, requestLog, securityHeaders, loadConfiguration(readConfig))
  app.use(headerLimit, requestBodyLimit, requireConfiguredOrigin)
  // The router would ignore a slash at the end of a path.
  app.use(async (c, next) => {
    if (c.req.path !== '/' && c.req.path.endsWith('/')) return c.notFound()
    return next()
  })
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed(c, methods) {
        // Pages that start a sign-in reject HEAD, so it is not advertised.
        c.header('Allow', methods.filter((method) => method !== 'HEAD').join(', '))
        return errorResponse(new SignInError('method_not_allowed'), c)
      },
    }),
  )
  app.get('/', (c) => c.redirect('/api/auth/signin'))
  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.route('/', oidc)
  app.route('/', account)
  app.route('/api/auth', session)
  app.route('/api/auth', signin)
  app.route('/api/auth', webhook)
  app.notFound((c) => errorResponse(new SignInError('not_found'), c))
  app.onError(errorResponse)
  return app
}
