import { createMiddleware } from 'hono/factory'
import { account } from './account/routes.tsx'
import { readConfig } from './config/config.ts'
import { isLoopback } from './config/loopback.ts'
import { ConfigurationError, SignInError } from './errors.ts'
import type { AppContext, AppEnv } from './http/app-env.ts'
import { errorResponse } from './http/error-response.tsx'
import { beginLine } from './http/request-log.ts'
import { house, patternOf } from './http/room.ts'
import { harden } from './http/security-headers.ts'
import { limitSizes } from './http/size-limits.ts'
import { oidc } from './oidc/routes.ts'
import { session } from './session/routes.tsx'
import { signin } from './signin/routes.ts'
import { webhook } from './webhook/routes.ts'

/** Every answer is hardened, and has its line in the log. */
const answered = createMiddleware<AppEnv>(async (c, next) => {
  const writeLine = beginLine(c)
  await next()
  harden(c)
  writeLine()
})

/** No request is served that is too large, or comes to the wrong place. */
const admitted = createMiddleware<AppEnv>(async (c, next) => {
  await limitSizes(c)
  return configure(c) ?? next()
})

/** No deployment serves that is wrong. Returns an answer if the way is to another address of this machine. */
function configure(c: AppContext): Response | undefined {
  const config = readConfig(c.env)
  c.set('config', config)
  if (!config.isLoopback) return undefined
  if (!isLoopback(c.req.url)) {
    throw new ConfigurationError([
      'AUTH_URL is a loopback address, and this service is reached by another: set it to the public origin.',
    ])
  }
  const here = new URL(c.req.url)
  // 127.0.0.1 and localhost are one machine and two sets of cookies.
  if (here.origin !== config.issuer && c.req.method === 'GET') {
    return c.redirect(`${config.issuer}${here.pathname}${here.search}`)
  }
  return undefined
}

/** The table of contents: what every request passes, then which room answers. */
export const app = house()

app.use(answered, admitted)
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
