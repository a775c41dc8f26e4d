import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { describeUri } from '../../foundation/values/describe-sent.ts'
import type { Config } from '../config/config.ts'
import type { Client } from '../registration-schemas/clients.ts'
import { findClientByOrigin } from '../registrations/find-client.ts'
import type { AppContext, AppEnv } from './app-env.ts'
import { hasCsrfToken } from './csrf.ts'
import { requestSite } from './fetch-metadata.ts'

/**
 * In this header, a first-party app is told what its developers have to change. The library for
 * frontends shows it in the console.
 */
const HINT = 'Vestibule-Hint'

/**
 * Rejects requests from pages of other origins, except those of first-party apps. The browser would
 * not let them read the response anyway, but an error is easier to find than a missing header.
 */
export const requireFirstPartyOrigin = createMiddleware<AppEnv>(async (c, next) => {
  c.header('Vary', 'Cookie, Origin', { append: true })
  const origin = c.req.header('Origin')
  const isAllowed =
    origin === undefined ||
    isOwnPage(c) ||
    // Older browsers send this with a post from our own page, which then contains a CSRF token.
    (origin === 'null' && c.req.method === 'POST') ||
    (await isFirstParty(c))
  if (!isAllowed) throw crossSite(c)
  await next()
})

/** Lets pages of first-party apps read the response to a request with credentials. */
export function firstPartyCors(...methods: string[]) {
  return crossOriginOnly(
    cors({
      origin: async (origin, c: AppContext) => ((await isFirstParty(c)) ? origin : null),
      allowMethods: methods,
      allowHeaders: ['Content-Type'],
      exposeHeaders: [HINT],
      credentials: true,
    }),
  )
}

/** Adds a hint for the app at a registered origin. It must contain nothing of the request. */
export function hint(c: AppContext, text: string): void {
  c.header(HINT, text)
}

/**
 * Lets pages of apps call an endpoint that uses no cookies: those of registered apps, unless a
 * feature opens it to all pages. They may send any header, because tracing and client libraries add
 * their own. `credentials` is for clients that send them nevertheless.
 */
export function clientCors({ credentials = false } = {}) {
  const allowMethods = ['GET', 'POST']
  const previewCors = cors({ origin: (origin) => origin, allowMethods })
  const registeredCors = cors({
    origin: async (origin, c: AppContext) => ((await mayCall(c)) ? origin : null),
    allowMethods,
    credentials,
  })
  return crossOriginOnly(async (c, next) =>
    (await isPreview(c)) ? previewCors(c, next) : registeredCors(c, next),
  )
}

/** Whether the page is at an origin that only the wildcard of an app stands for. */
async function isPreview(c: AppContext): Promise<boolean> {
  if (await mayCall(c)) return false
  const config = c.get('config')
  const origin = c.req.header('Origin') ?? 'null'
  for (const feature of config.features) {
    if (await feature.wildcards?.matchesOrigin(c.env, config, origin)) return true
  }
  return false
}

async function mayCall(c: AppContext): Promise<boolean> {
  return c.get('isOpenToAllPages') || (await clientAtOrigin(c)) !== undefined
}

/**
 * Requests of our own pages need no CORS headers. For others, the client at their origin is looked
 * up, which may read storage, and Hono's middleware copies the response.
 */
function crossOriginOnly(addCorsHeaders: MiddlewareHandler<AppEnv>) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const origin = c.req.header('Origin')
    const isCrossOrigin = origin !== undefined && origin !== c.get('config').issuer
    return isCrossOrigin ? addCorsHeaders(c, next) : next()
  })
}

/** Accepts a post only from our own pages and from pages of first-party apps. */
export const requireFirstPartyPost = createMiddleware<AppEnv>(async (c, next) => {
  const isAllowed = isOwnPage(c) || (await isFirstParty(c)) || (await isOldBrowserPost(c))
  if (!isAllowed) throw crossSite(c)
  await next()
})

/** Accepts a post only from our own pages: decisions of the user must not be sent by an app. */
export const requireOwnPage = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.method === 'POST' && !isOwnPage(c) && !(await isOldBrowserPost(c))) {
    throw crossSite(c)
  }
  await next()
})

function crossSite(c: AppContext): SignInError {
  const sent = describeUri(c.req.header('Origin') ?? 'null')
  const hint = `Origin is ${sent}, and the page must be of this service or, for most requests, of a first-party app.`
  return new SignInError('cross_site', { detail: { hint } })
}

/** The app that registered the origin of the page that sends the request. */
export function clientAtOrigin(c: AppContext): Promise<Client | undefined> {
  const origin = c.req.header('Origin') ?? 'null'
  const client = c.get('originClient') ?? findClientByOrigin(c.env, c.get('config'), origin)
  c.set('originClient', client)
  return client
}

async function isFirstParty(c: AppContext): Promise<boolean> {
  return (await clientAtOrigin(c))?.first_party === true
}

/**
 * Our pages send no referrer, for which browsers send `Origin: null`; Sec-Fetch-Site is still
 * correct.
 */
function isOwnPage(c: AppContext): boolean {
  return c.req.header('Origin') === c.get('config').issuer || requestSite(c) === 'same-origin'
}

/** A browser that sends neither an origin nor Sec-Fetch-Site must send our CSRF token. */
async function isOldBrowserPost(c: AppContext): Promise<boolean> {
  const origin = c.req.header('Origin') ?? 'null'
  if (origin !== 'null' || requestSite(c) !== undefined) return false
  return hasCsrfToken(c)
}

declare module '../registration-schemas/registration-part.ts' {
  interface Wildcards {
    /** Whether the wildcard of a client stands for the origin of a page, which may not send credentials. */
    matchesOrigin(env: Env, config: Config, origin: string): Promise<boolean>
  }
}
