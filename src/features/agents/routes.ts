import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../../core/http/app-env.ts'
import { clientEndpointError } from '../../core/oidc/error-response.ts'
import { acceptsUnregisteredClients } from './policy.ts'
import { register } from './registration.ts'

/** The endpoint where clients register themselves, and those that all of them may call. */
export function createRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .onError(clientEndpointError)
    .use('/oidc/token', openToAllPages)
    .use('/oidc/userinfo', openToAllPages)
    .use('/oidc/revoke', openToAllPages)
    .use('/oidc/register', cors({ origin: '*', allowMethods: ['POST'] }))
    .post('/oidc/register', register)
}

/** The origins of unregistered apps are not known. */
const openToAllPages = createMiddleware<AppEnv>(async (c, next) => {
  if (acceptsUnregisteredClients(c.get('config'))) c.set('isOpenToAllPages', true)
  await next()
})
