import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { TrieRouter } from 'hono/router/trie-router'
import { getPath } from 'hono/utils/url'
import { SignInError } from '../foundation/errors/sign-in-error.ts'
import { account } from './account/routes.tsx'
import type { DeclaredOptions, ReadConfig } from './config/config.ts'
import type { Feature, LocalProvider } from './config/feature.ts'
import { findLocalProvider } from './config/local-providers.ts'
import { runPendingEvents } from './http/after-response.ts'
import type { AppContext, AppEnv } from './http/app-env.ts'
import {
  loadConfiguration,
  requireBindings,
  requireConfiguredOrigin,
} from './http/configuration.ts'
import { requestLog } from './http/request-log.ts'
import { requestMetrics } from './http/request-metrics.ts'
import { securityHeaders } from './http/security-headers.ts'
import { headerLimit, requestBodyLimit } from './http/size-limits.ts'
import { keepAccountVisit } from './interaction/account-visit.ts'
import { notifications } from './notifications/routes.ts'
import { oidc } from './oidc/routes.ts'
import { errorResponse } from './pages/error-response.tsx'
import { readiness, reportMisconfiguration } from './readiness/routes.ts'
import { repeatWithProof } from './session/bound-sessions.ts'
import { clientScript } from './session/client-script.ts'
import { session } from './session/routes.tsx'
import { signin } from './signin/routes.ts'

type DeclaredRoutes = Pick<DeclaredOptions, 'features' | 'localProviders'>

/** The application of users and apps, and those of features that have an area of their own. */
export function createApp(
  readConfig: ReadConfig,
  declared: DeclaredRoutes,
): Pick<Hono<AppEnv>, 'fetch'> {
  const users = createUserApp(readConfig, declared)
  const areas = declared.features.flatMap(({ area }) => area ?? [])
  const apps = new Map<FeatureArea, Hono<AppEnv>>()
  return {
    fetch(request, ...rest) {
      const path = getPath(request)
      const area = areas.find((other) => `${path}/`.startsWith(`${other.path}/`))
      if (!area) return users.fetch(request, ...rest)
      const app = apps.get(area) ?? createAreaApp(readConfig, area, declared.features)
      apps.set(area, app)
      return app.fetch(request, ...rest)
    },
  }
}

export function createUserApp(
  readConfig: ReadConfig,
  { features, localProviders }: DeclaredRoutes,
): Hono<AppEnv> {
  const app = withMiddleware(readConfig)
  app.onError((error, c) => reportMisconfiguration(error, c) ?? errorResponse(error, c))
  app.get('/', (c) => c.redirect('/api/auth/signin'))
  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  for (const provider of localProviders) {
    app.use(`/api/auth/:step{signin|callback}/${provider.id}/*`, requireEnabled(provider))
  }
  app.use('/account/*', keepAccountVisit)
  for (const { routes } of features) if (routes) app.route('/', routes())
  app.route('/', readiness)
  app.route('/', clientScript)
  app.route('/', oidc)
  app.route('/', account)
  app.route('/api/auth', session)
  app.route('/api/auth', signin)
  app.route('/api/auth', notifications)
  return app
}

/** A provider whose settings are incomplete is disabled. */
function requireEnabled({ id }: LocalProvider) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (!findLocalProvider(c.get('config'), id)) throw new SignInError('provider_unknown')
    await next()
  })
}

function createAreaApp(
  readConfig: ReadConfig,
  { bodySizes, createRoutes, handleError }: FeatureArea,
  features: readonly Feature[],
): Hono<AppEnv> {
  const app = withMiddleware(readConfig, bodySizes)
  if (handleError) app.onError(handleError)
  return app.route('/', createRoutes(features))
}

/**
 * An application with the middleware that every request passes, to which routes are added. Hono's
 * default router compiles all routes for the first request, which makes a cold start about 4 ms
 * longer; this one does not.
 */
function withMiddleware(
  readConfig: ReadConfig,
  bodySizes?: FeatureArea['bodySizes'],
): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ router: new TrieRouter() })
  app.use(runPendingEvents, requestMetrics, requestLog, securityHeaders)
  // Error pages need the configuration, too: it has their theme and language.
  app.use(loadConfiguration(readConfig), headerLimit)
  app.use(requestBodyLimit(bodySizes), requireConfiguredOrigin, requireBindings, repeatWithProof)
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
  app.notFound((c) => errorResponse(new SignInError('not_found'), c))
  app.onError((error, c) => errorResponse(error, c))
  return app
}

/** The routes below a path. The first request to it creates them, so that others do not wait. */
export interface FeatureArea {
  path: string
  /** The sizes in bytes that request bodies may have, by path, if not those of forms. */
  bodySizes?: Readonly<Record<string, number>>
  /** Creates them for a deployment with these features, with their complete paths. */
  createRoutes(features: readonly Feature[]): Hono<AppEnv>
  /** The ids of its operations, which no feature may have. */
  operationIds?: readonly string[]
  /** Responds to an error, if not with a page. */
  handleError?(error: Error, c: AppContext): Response | Promise<Response>
}

declare module './config/feature.ts' {
  interface Feature {
    /** Creates its routes, with complete paths. They precede those of the core. */
    routes?(): Hono<AppEnv>
    /** Routes that few isolates need, in an application of their own. */
    area?: FeatureArea
  }
}
