import { createMiddleware } from 'hono/factory'
import { isLoopback } from '../../foundation/values/loopback.ts'
import type { ReadConfig } from '../config/config.ts'
import { ConfigurationError } from '../config/configuration-error.ts'
import { missingBindings } from '../config/required-parts.ts'
import type { AppEnv } from './app-env.ts'

/** Loads the configuration. A misconfigured deployment serves nothing. */
export function loadConfiguration(readConfig: ReadConfig) {
  return createMiddleware<AppEnv>(async (c, next) => {
    c.set('config', readConfig(c.env))
    await next()
  })
}

/** These say themselves what does not work. */
const HEALTH_PATHS = ['/healthz', '/readyz']

/** A first deployment may lack bindings. Without one of them, no page works. */
export const requireBindings = createMiddleware<AppEnv>(async (c, next) => {
  const problems = HEALTH_PATHS.includes(c.req.path) ? [] : missingBindings(c.env)
  if (problems.length > 0) throw new ConfigurationError(problems)
  await next()
})

/**
 * Lets a development service be reached on loopback only, and under one name, because each name has
 * its own cookies.
 */
export const requireConfiguredOrigin = createMiddleware<AppEnv>(async (c, next) => {
  const config = c.get('config')
  if (!config.isDevelopment) return next()
  if (!isLoopback(c.req.url)) {
    // The public address is missing: the one for development is that of the template.
    const message =
      'is a loopback address, but this service is reached by another one: set it to the public origin.'
    throw new ConfigurationError([{ path: ['AUTH_URL'], code: 'missing', message }])
  }
  const { origin, pathname, search } = new URL(c.req.url)
  if (origin !== config.issuer && c.req.method === 'GET') {
    return c.redirect(`${config.issuer}${pathname}${search}`)
  }
  return next()
})
