import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createUserApp } from '../../src/core/app.ts'
import { validateOptions } from '../../src/core/config/options.ts'
import { readEnglish } from '../../src/core/messages/english.ts'
import { createVestibule } from '../../src/vestibule.ts'
import { Browser, LOGIN, SHOP, serviceOf } from '../browser.ts'
import { advanceClock, stopClock } from '../clock.ts'
import { basic } from '../core/oidc/relying-app.ts'
import { readConfig } from '../deployment.ts'
import { confirmWithPasskey, createPasskeyUser } from '../features/passkeys/passkey-user.ts'
import { signInNewUser } from '../new-user.ts'
import { sessionCacheWith, userObject } from '../storage.ts'
import { everyWayToSignIn } from './every-way-to-sign-in.ts'

/*
 * Rules that apply to several routes. A new route has to be added to the table, so that none is
 * forgotten.
 */

const vestibule = createVestibule(everyWayToSignIn)
const newBrowser = (changes: Record<string, unknown> = {}) =>
  new Browser(serviceOf(vestibule, changes))

interface Rules {
  /**
   * Whose pages may post here: our own, also those of first-party apps, or those of any site,
   * because cookies do not matter.
   */
  posts?: 'own' | 'first-party' | 'any'
  /** Links lead here that must not be followed before the user does. */
  rejectsPrefetch?: true
  /** By what requests are counted. */
  limit?: 'address' | 'session' | 'client' | 'token'
  /** Only our metadata may be cached. */
  isPublic?: true
  /** For changes of the account, the user must have signed in within ten minutes. */
  needsRecentSignIn?: true
  /** A copy of an ended session is not sufficient. */
  needsSession?: true
}

const LINKED = { rejectsPrefetch: true, limit: 'address' } as const
const ACCOUNT = { limit: 'session', needsSession: true } as const
const CHANGE = { ...ACCOUNT, needsRecentSignIn: true } as const
const OWN = 'own' as const

const RULES: Record<string, Rules> = {
  'GET /': {},
  'GET /healthz': {},
  'GET /readyz': { limit: 'address' },
  'GET /client.js': { isPublic: true },
  'GET /.well-known/openid-configuration': { isPublic: true },
  'GET /.well-known/oauth-authorization-server': { isPublic: true },
  'GET /.well-known/jwks.json': { isPublic: true },
  'GET /.well-known/revocations': { isPublic: true },
  'GET /.well-known/oauth-protected-resource/oidc/userinfo': { isPublic: true },
  'GET /.well-known/oauth-protected-resource/admin/api': { isPublic: true },
  'GET /.well-known/webauthn': {},
  'GET /.well-known/apple-app-site-association': {},
  'GET /.well-known/assetlinks.json': {},
  'GET /oidc/authorize': LINKED,
  'POST /oidc/authorize': { ...LINKED, posts: 'any' },
  'GET /oidc/authorize/:interaction': LINKED,
  'POST /oidc/consent': { posts: OWN, limit: 'session' },
  'GET /device': { limit: 'address' },
  'POST /device': { limit: 'address', posts: OWN },
  'GET /oidc/logout': LINKED,
  'POST /oidc/logout': { ...LINKED, posts: 'any' },
  'POST /oidc/logout/confirm': { posts: OWN, limit: 'session' },
  'POST /oidc/token': { posts: 'any', limit: 'client' },
  'POST /oidc/par': { posts: 'any', limit: 'client' },
  'POST /oidc/device': { posts: 'any', limit: 'client' },
  'POST /oidc/challenge': { posts: 'any', limit: 'client' },
  'GET /oidc/userinfo': { limit: 'token' },
  'POST /oidc/userinfo': { posts: 'any', limit: 'token' },
  'POST /oidc/revoke': { posts: 'any', limit: 'client' },
  'POST /oidc/introspect': { posts: 'any', limit: 'client' },
  'POST /oidc/register': { posts: 'any' },
  'GET /account': ACCOUNT,
  'GET /account/sessions': ACCOUNT,
  'POST /account/sessions': { ...ACCOUNT, posts: OWN },
  'GET /account/consents': ACCOUNT,
  'POST /account/consents': { ...ACCOUNT, posts: OWN },
  'GET /account/link': CHANGE,
  'GET /account/confirm': CHANGE,
  'POST /account/confirm': { ...CHANGE, posts: OWN },
  'GET /account/disconnect': CHANGE,
  'POST /account/disconnect': { ...CHANGE, posts: OWN },
  'POST /account/export': { ...CHANGE, posts: OWN },
  'GET /account/delete': CHANGE,
  'POST /account/delete': { ...CHANGE, posts: OWN },
  'GET /account/passkeys/new': { ...CHANGE, rejectsPrefetch: true },
  'POST /account/passkeys': { ...CHANGE, posts: OWN },
  'GET /account/passkeys/name': CHANGE,
  'POST /account/passkeys/name': { ...CHANGE, posts: OWN },
  'GET /api/auth/signin/passkey': LINKED,
  'POST /api/auth/signin/passkey': { ...LINKED, posts: OWN },
  'GET /api/auth/signin/email': LINKED,
  'POST /api/auth/signin/email': { ...LINKED, posts: 'first-party' },
  'GET /api/auth/signin/email/:attempt': LINKED,
  'POST /api/auth/signin/email/:attempt': { ...LINKED, posts: OWN },
  'POST /api/auth/signin/email/:attempt/again': { limit: 'address', posts: OWN },
  'GET /api/auth/callback/email': LINKED,
  'POST /api/auth/callback/email': { ...LINKED, posts: OWN },
  'GET /api/auth/signin/credentials': LINKED,
  'POST /api/auth/callback/credentials': { limit: 'address', posts: OWN },
  'GET /api/auth/session': { limit: 'session' },
  'GET /api/auth/signout': { limit: 'session' },
  'POST /api/auth/signout': { limit: 'session', posts: 'first-party' },
  'GET /api/auth/signin': { limit: 'address' },
  'GET /api/auth/signin/:provider': LINKED,
  'POST /api/auth/signin/:provider': { ...LINKED, posts: 'first-party' },
  'GET /api/auth/signin/:provider/qr': LINKED,
  'GET /api/auth/signin/:provider/qr/:attempt': LINKED,
  'GET /api/auth/callback/:provider': LINKED,
  'POST /api/auth/callback/:provider': { ...LINKED, posts: 'any' },
  'GET /api/auth/providers': {},
  'GET /api/auth/csrf': {},
  'GET /api/auth/error': {},
  'POST /api/auth/webhook/:provider': { posts: 'any' },
}

/** The fields of all forms, so that no form is rejected because one is missing. */
const FORM = {
  account: 'x',
  answer: 'approve',
  client_id: 'web',
  code: '123456',
  credential: '{}',
  'credential.name': 'x',
  'credential.password': 'x',
  email: 'x@mail.example',
  interaction: 'x',
  name: 'x',
  shown: 'x',
  sid: 'others',
  token: 'x',
}
const QUERY = new URLSearchParams({ account: 'x', client_id: 'web', from: '5', token: 'x' })

/** The routes with these rules. */
function routesWith(hasRule: (rules: Rules, method: string) => unknown): string[] {
  return Object.keys(RULES).filter((route) =>
    hasRule(RULES[route] ?? {}, route.split(' ')[0] ?? ''),
  )
}

/** Sends a request to a route, with values for the parameters of its path. */
function send(browser: Browser, route: string, headers: Record<string, string>, method?: string) {
  const [routeMethod = '', path = ''] = route.split(' ')
  const address = path.replace(':provider', 'tiktok').replace(/:\w+/g, 'x')
  if (routeMethod === 'POST') return browser.fetch(address, { form: FORM, headers })
  return browser.fetch(`${address}${needsQuery(address) ? `?${QUERY}` : ''}`, {
    method: method ?? routeMethod,
    headers,
  })
}

function needsQuery(path: string): boolean {
  return /^\/account\/|callback\/email/.test(path)
}

it('has all routes in the table of rules', () => {
  const { declared } = validateOptions(everyWayToSignIn, readEnglish)
  const routes = createUserApp(readConfig, declared)
    .routes.filter(({ method }) => ['GET', 'POST'].includes(method))
    .map(({ method, path }) => `${method} ${path}`)

  // One route has the metadata of every API.
  const known = Object.keys(RULES).map((rule) => rule.replace(/(protected-resource)\/.*/, '$1/*'))
  expect([...new Set(routes)].sort()).toEqual([...new Set(known)].sort())
})

describe('every response', () => {
  it('[M3][M9] has the security headers, and is not cached unless it is public', async () => {
    for (const [route, { isPublic }] of Object.entries(RULES)) {
      const { headers } = await send(newBrowser(), route, {})

      const seconds = route.endsWith('/revocations') ? 5 : 300
      expect(headers.get('Cache-Control'), route).toBe(
        isPublic ? `public, max-age=${seconds}` : 'no-store',
      )
      expect(headers.get('Referrer-Policy'), route).toBe('no-referrer')
      expect(headers.get('X-Content-Type-Options'), route).toBe('nosniff')
      expect(headers.get('Strict-Transport-Security'), route).toBe('max-age=63072000')
    }
  })

  it('[M1] that is a page cannot be framed, and runs only its own script', async () => {
    const { browser } = await signInNewUser(newBrowser())
    let pagesWithScript = 0
    for (const route of Object.keys(RULES)) {
      const response = await send(browser, route, { 'Sec-Fetch-Site': 'cross-site' })
      if (!response.headers.get('Content-Type')?.includes('text/html')) continue
      const page = await response.text()
      const policy = response.headers.get('Content-Security-Policy') ?? ''
      const [, nonce] = policy.match(/style-src 'nonce-([^']{36})'/) ?? []
      const hasScript = page.includes('<script')
      pagesWithScript += Number(hasScript)

      expect(
        policy.split('; ').filter((part) => !part.startsWith('img-src ')),
        route,
      ).toEqual([
        "default-src 'none'",
        `style-src 'nonce-${nonce}'`,
        ...(hasScript ? [`script-src 'nonce-${nonce}'`] : []),
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ])
      for (const [tag] of page.matchAll(/<(script|style)\b[^>]*>/g)) {
        expect(tag, route).toContain(`nonce="${nonce}"`)
      }
      expect(response.headers.get('X-Frame-Options'), route).toBe('DENY')
      expect(response.headers.get('Cross-Origin-Opener-Policy'), route).toBe('same-origin')
      expect(response.headers.get('Permissions-Policy'), route).toContain('camera=()')
    }
    expect(pagesWithScript).toBeGreaterThan(1)
  })
})

describe('a POST', () => {
  const EVIL = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
  const SIBLING = { Origin: 'null', 'Sec-Fetch-Site': 'same-site' }
  const THIRD_PARTY = { Origin: 'https://kiosk.example', 'Sec-Fetch-Site': 'cross-site' }
  const FIRST_PARTY = { Origin: SHOP, 'Sec-Fetch-Site': 'cross-site' }

  it.each(routesWith(({ posts }) => posts === 'own'))(
    '[M6][A29] is accepted from our own pages only: %s',
    async (route) => {
      const browser = newBrowser()
      for (const headers of [EVIL, SIBLING, THIRD_PARTY, FIRST_PARTY, {}, { Origin: 'null' }]) {
        const response = await send(browser, route, { Accept: 'application/json', ...headers })
        expect(response.status).toBe(403)
        expect(await response.json()).toMatchObject({ error: 'cross_site' })
      }
      for (const headers of [{ Origin: LOGIN }, { 'Sec-Fetch-Site': 'same-origin' }]) {
        expect((await send(browser, route, { ...headers })).status).not.toBe(403)
      }
    },
  )

  it.each(routesWith(({ posts }) => posts === 'first-party'))(
    '[M6] is accepted from pages of first-party apps, too: %s',
    async (route) => {
      const browser = newBrowser()
      for (const headers of [EVIL, SIBLING, THIRD_PARTY, {}, { Origin: 'null' }]) {
        const response = await send(browser, route, { Accept: 'application/json', ...headers })
        expect(response.status).toBe(403)
        expect(await response.json()).toMatchObject({ error: 'cross_site' })
      }
      expect((await send(browser, route, FIRST_PARTY)).status).not.toBe(403)
    },
  )

  it('has a rule about who may send it, at every route', () => {
    expect(routesWith(({ posts }, method) => method === 'POST' && !posts)).toEqual([])
  })
})

describe('a prefetch or a link preview', () => {
  it.each(routesWith(({ rejectsPrefetch }) => rejectsPrefetch))(
    '[K15] starts nothing: %s',
    async (route) => {
      for (const name of ['Sec-Purpose', 'Purpose', 'X-Moz']) {
        const browser = newBrowser()
        const headers = { [name]: 'prefetch;prerender', 'Sec-Fetch-Site': 'same-origin' }
        const response = await send(browser, route, headers)
        expect(response.status).toBe(503)
        expect(await response.text()).toBe('')
        expect(response.headers.getSetCookie()).toEqual([])
      }
      if (route.startsWith('GET')) {
        expect((await send(newBrowser(), route, {}, 'HEAD')).status).toBe(405)
      }
    },
  )
})

describe('the rate limit', () => {
  /** Rejects every request that is counted, and records by what. */
  function rejecting() {
    const keys: string[] = []
    const limit = async ({ key }: { key: string }) => {
      keys.push(key)
      return { success: false }
    }
    return { keys, bindings: { USER_RATE_LIMIT: { limit }, CLIENT_RATE_LIMIT: { limit } } }
  }

  const FROM = { 'CF-Connecting-IP': '203.0.113.7', 'Sec-Fetch-Site': 'same-origin' }

  it.each(routesWith(({ limit }) => limit))(
    '[R1] applies to requests without a session: %s',
    async (route) => {
      const { keys, bindings } = rejecting()
      const { limit } = RULES[route] ?? {}
      const credentials = limit === 'client' && basic('web', 'x')
      const token = limit === 'token' && { Authorization: 'Bearer x.y.z' }

      const response = await send(newBrowser(bindings), route, {
        ...FROM,
        ...credentials,
        ...token,
      })

      expect(response.status).toBe(429)
      expect(response.headers.get('Retry-After')).toBe('60')
      expect(keys).toHaveLength(1)
      expect(keys[0]).toMatch(/^(claimed )?[\w-]+ 203\.0\.113\.7 /)
    },
  )

  it.each(routesWith(({ limit }) => limit === 'address'))(
    '[R1] counts signed-in users separately, so that strangers do not use up their limit: %s',
    async (route) => {
      const { keys, bindings } = rejecting()
      const { browser: signedIn, userId } = await signInNewUser(newBrowser())
      const browser = newBrowser(bindings).withCookiesOf(signedIn)

      expect((await send(browser, route, FROM)).status).toBe(429)
      expect(keys).toEqual([`pages ${userId} at 203.0.113.7`])
    },
  )

  it.each(routesWith(({ limit }) => limit === 'session'))(
    '[R1] counts by session, not by address: %s',
    async (route) => {
      const { keys, bindings } = rejecting()
      const { browser: signedIn } = await signInNewUser(newBrowser())
      const browser = newBrowser(bindings).withCookiesOf(signedIn)

      expect((await send(browser, route, FROM)).status).toBe(429)
      expect(keys.join()).toMatch(/^[\w-]+ [\w-]{43}$/)
    },
  )
})

/** Whether the user has to sign in again before a request. */
async function asksToSignIn(browser: Browser, route: string): Promise<boolean> {
  const headers = { Accept: 'application/json', 'Sec-Fetch-Site': 'same-origin' }
  const response = await send(browser, route, headers)
  const location = response.headers.get('Location') ?? ''
  return response.status === 401 || location.startsWith('/api/auth/signin?')
}

describe('a session that is not recent', () => {
  it('[S6][L14] is asked to sign in again after ten minutes, not before, by every change', async () => {
    const now = stopClock()
    const { browser } = await signInNewUser(newBrowser())
    const routes = routesWith(({ needsRecentSignIn }) => needsRecentSignIn)
    // The last one before, because the first ones end the session.
    const harmless = routes.filter((route) => !/POST .*(disconnect|delete)/.test(route))

    advanceClock(599)
    for (const route of harmless) expect(await asksToSignIn(browser, route), route).toBe(false)
    advanceClock(1)
    for (const route of routes) expect(await asksToSignIn(browser, route), route).toBe(true)
    expect(await browser.session()).not.toBeNull()
    expect(Date.now() / 1000).toBe(now + 600)
  })
})

describe('a sign-in that proves less than the user could prove', () => {
  it('[S6][L14] is not sufficient for any change, even if the platform was requested to prompt', async () => {
    const { browser, handle, authenticator } = await createPasskeyUser(newBrowser())
    await browser.signIn(handle, { prompt: 'login' })
    const routes = routesWith(({ needsRecentSignIn }) => needsRecentSignIn)
    const harmless = routes.filter((route) => !/POST .*(disconnect|delete)/.test(route))

    for (const route of routes) expect(await asksToSignIn(browser, route), route).toBe(true)

    await confirmWithPasskey(browser, authenticator)
    for (const route of harmless) expect(await asksToSignIn(browser, route), route).toBe(false)
  })
})

describe('a session that has ended, of which a copy remains in the cache', () => {
  it('[J12][Q6] is of no use for the account', async () => {
    const SESSIONS = sessionCacheWith({ delete: async () => {} })
    const { browser, userId } = await signInNewUser(newBrowser({ SESSIONS }))
    await runInDurableObject(userObject(userId), (_, { storage }) => {
      for (const [key] of storage.kv.list({ prefix: 'session:' })) storage.kv.delete(key)
    })
    const headers = { Accept: 'application/json', 'Sec-Fetch-Site': 'same-origin' }

    for (const route of routesWith(({ needsSession }) => needsSession)) {
      const response = await send(browser, route, headers)
      const location = response.headers.get('Location') ?? ''
      const isAsked = response.status === 401 || location.startsWith('/api/auth/signin?')
      expect(isAsked, route).toBe(true)
    }
    expect(await browser.json('/api/auth/session?token=false')).not.toBeNull()
    expect(await browser.session()).toBeNull()
    const users = env.DIRECTORY.prepare('SELECT id FROM users WHERE id = ?').bind(userId)
    expect((await users.all()).results).toHaveLength(1)
  })
})
