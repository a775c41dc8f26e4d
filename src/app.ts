import { createMiddleware } from 'hono/factory'
import { account } from './account/routes.tsx'
import { readConfig } from './config.ts'
import { ConfigurationError, SignInError } from './errors.ts'
import type { AppEnv } from './http/app-env.ts'
import { errorResponse } from './http/error-response.tsx'
import { secureHeaders } from './http/headers.ts'
import { requestLog } from './http/request-log.ts'
import { house, patternOf } from './http/room.ts'
import { sizeLimits } from './http/size-limits.ts'
import { isLoopback } from './loopback.ts'
import { oidc } from './oidc/routes.ts'
import { session } from './session/routes.tsx'
import { signin } from './signin/routes.ts'
import { webhook } from './webhook/routes.ts'

/** No request is served by a deployment that is wrong. */
const configured = createMiddleware<AppEnv>((c, next) => {
  const config = readConfig(c.env)
  c.set('config', config)
  if (!config.isLoopback) return next()
  if (!isLoopback(c.req.url)) {
    throw new ConfigurationError([
      'AUTH_URL is a loopback address, and this service is reached by another: set it to the public origin.',
    ])
  }
  const here = new URL(c.req.url)
  // 127.0.0.1 and localhost are one machine and two sets of cookies.
  if (here.origin !== config.issuer && c.req.method === 'GET') {
    return Promise.resolve(c.redirect(`${config.issuer}${here.pathname}${here.search}`))
  }
  return next()
})

/** The table of contents: what every request passes, then which room answers. */
export const app = house()

app.use(requestLog, secureHeaders, sizeLimits, configured)
app.get('/', (c) => c.redirect('/api/auth/signin'))
app.get('/healthz', (c) => c.json({ status: 'ok' }))
app.route('/', oidc)
app.route('/', account)
app.route('/api/auth', session)
app.route('/api/auth', signin)
app.route('/api/auth', webhook)
app.notFound((c) => {
  const methods = methodsAt(c.req.path)
  if (methods.length === 0) throw new SignInError('not_found')
  c.header('Allow', methods.join(', '))
  throw new SignInError('method_not_allowed')
})
app.onError(errorResponse)

/** What can be done at an address, if it is one of ours. */
function methodsAt(path: string): string[] {
  const here = app.routes.filter((route) => patternOf(route.path).test(path))
  return [...new Set(here.map(({ method }) => method))].filter((method) => method !== 'ALL')
}
