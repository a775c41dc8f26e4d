import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../../config/app-env.ts'
import { clientCors } from '../../http/cross-origin.ts'
import { clientEndpointError } from '../../oidc/error-response.ts'
import { acceptsUnregisteredClients } from './policy.ts'
import { register } from './registration.ts'

/** The endpoint where clients register themselves, and those that all of them may call. */
export function createRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .onError(clientEndpointError)
    .use('/oidc/token', anyOrigin({ credentials: true }))
    .use('/oidc/userinfo', anyOrigin())
    .use('/oidc/revoke', anyOrigin())
    .use('/oidc/register', cors({ origin: '*', allowMethods: ['POST'] }))
    .post('/oidc/register', register)
}

/** Lets every page call an endpoint: the origins of unregistered apps are not known. */
function anyOrigin({ credentials = false } = {}) {
  const addCorsHeaders = clientCors({ credentials, mayCall: async () => true })
  return createMiddleware<AppEnv>((c, next) =>
    acceptsUnregisteredClients(c.get('config')) ? addCorsHeaders(c, next) : next(),
  )
}
