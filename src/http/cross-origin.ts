import { createMiddleware } from 'hono/factory'
import type { Client } from '../config/clients.ts'
import { isSameSecret } from '../crypto/compare.ts'
import { SignInError } from '../errors.ts'
import type { AppContext, AppEnv } from './app-env.ts'
import { readSealedCookie } from './cookies.ts'

/**
 * Opens a route to the browsers of registered apps, with credentials. Other origins are refused: they
 * could not read the answer anyway, and a refusal is easier to find than a missing header.
 */
export function openToClients(...methods: string[]) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const origin = c.req.header('Origin')
    c.header('Vary', 'Cookie, Origin')
    if (origin === undefined || isOwnPage(c, origin)) return next()
    // An old browser's post from a page of ours looks like this, and shows a token instead.
    if (origin === 'null' && c.req.method === 'POST') return next()
    if (!clientAt(c, origin)?.first_party) throw new SignInError('cross_site')

    c.header('Access-Control-Allow-Origin', origin)
    c.header('Access-Control-Allow-Credentials', 'true')
    if (c.req.method !== 'OPTIONS') return next()
    c.header('Access-Control-Allow-Methods', methods.join(', '))
    return c.body(null, 204)
  })
}

/** Lets the pages of registered apps call an endpoint that takes no cookies. */
export const clientCors = createMiddleware<AppEnv>(async (c, next) => {
  const origin = c.req.header('Origin')
  c.header('Vary', 'Origin')
  if (origin === undefined || !clientAt(c, origin)) return next()
  c.header('Access-Control-Allow-Origin', origin)
  if (c.req.method !== 'OPTIONS') return next()
  c.header('Access-Control-Allow-Headers', 'Authorization, Content-Type')
  c.header('Access-Control-Allow-Methods', 'GET, POST')
  return c.body(null, 204)
})

/** For a post: lets it pass if our own pages or a registered app sent it, and nobody else's. */
export const ownPosts = createMiddleware<AppEnv>(async (c, next) => {
  if (!(await isOwnPost(c))) throw new SignInError('cross_site')
  await next()
})

/** Lets a post pass that our own pages sent: a registered app is a guest where a person decides for themselves. */
export const ownPagePosts = createMiddleware<AppEnv>(async (c, next) => {
  const isOwn = isOwnPage(c, c.req.header('Origin')) || (await showsToken(c))
  if (c.req.method === 'POST' && !isOwn) throw new SignInError('cross_site')
  await next()
})

/** The app that registered this origin. */
export function clientAt(c: AppContext, origin: string): Client | undefined {
  return c.get('config').clients.find((client) => client.origins.includes(origin))
}

/** Who sends neither Origin nor Sec-Fetch-Site, as old browsers do, must show our token. */
async function isOwnPost(c: AppContext): Promise<boolean> {
  const origin = c.req.header('Origin')
  if (isOwnPage(c, origin)) return true
  if (origin !== undefined && origin !== 'null') return clientAt(c, origin) !== undefined
  return showsToken(c)
}

/** An old browser's post, with the token that our form gave it. */
async function showsToken(c: AppContext): Promise<boolean> {
  const origin = c.req.header('Origin') ?? 'null'
  if (origin !== 'null' || c.req.header('Sec-Fetch-Site') !== undefined) return false
  const [expected, form] = await Promise.all([readSealedCookie(c, 'csrf'), readForm(c)])
  const shown = form['csrfToken']
  return expected !== undefined && typeof shown === 'string' && isSameSecret(expected, shown)
}

/** Our pages send no referrer, and browsers then send `Origin: null` in place of ours: Sec-Fetch-Site tells. */
function isOwnPage(c: AppContext, origin: string | undefined): boolean {
  return origin === c.get('config').issuer || c.req.header('Sec-Fetch-Site') === 'same-origin'
}

async function readForm(c: AppContext): Promise<Record<string, unknown>> {
  try {
    return await c.req.parseBody()
  } catch (cause) {
    throw new SignInError('request_invalid', { cause })
  }
}
