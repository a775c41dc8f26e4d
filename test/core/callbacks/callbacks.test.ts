import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { mergeClaims } from '../../../src/core/callbacks/claims.ts'
import { options } from '../../../src/deployment.ts'
import {
  type Callbacks,
  type ClaimsCallbackInput,
  createVestibule,
  type RedirectCallbackInput,
  type SignInCallbackInput,
} from '../../../src/vestibule.ts'
import {
  Browser,
  LOGIN,
  lastLogEntry,
  SHOP,
  serviceOf,
  standIn,
  USER_INFO_PATH,
} from '../../browser.ts'
import { advanceClock, stopClock } from '../../clock.ts'
import { hangingCall } from '../../hanging-call.ts'
import { errorCode, findLink } from '../../html.ts'
import { startLinking } from '../../link-account.ts'
import { createPlatformUser, signInNewUser } from '../../new-user.ts'
import { redeemCode } from '../../redeem-code.ts'
import { addressAfterSignIn, redirectUrl } from '../../redirect.ts'
import { forbidden, linkedProviders, recordCalls, userObject } from '../../storage.ts'
import { getUserinfo, OFFLINE_ACCESS, RelyingApp } from '../oidc/relying-app.ts'

/** A browser at a deployment with these callbacks. */
function browserWith(callbacks: Callbacks, changes: Record<string, unknown> = {}): Browser {
  return new Browser(serviceOf(createVestibule({ ...options, callbacks }), changes))
}

/** Another deployment, with the same cookies. */
function moveTo(callbacks: Callbacks, browser: Browser): Browser {
  return browserWith(callbacks).withCookiesOf(browser)
}

/** The response of the token endpoint to a new code. */
async function requestTokens(browser: Browser, changes: Record<string, string> = {}) {
  const app = new RelyingApp()
  return redeemCode(browser, app, await app.callbackFor(browser, changes))
}

interface TokenResponse {
  access_token: string
  id_token: string
  refresh_token: string
}

const countUsers = () =>
  env.DIRECTORY.prepare(
    'SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM accounts) AS n',
  )
    .first<{ n: number }>()
    .then((row) => row?.n)

const countAccounts = (userId: string) =>
  env.DIRECTORY.prepare('SELECT count(*) AS n FROM accounts WHERE user_id = ?')
    .bind(userId)
    .first<{ n: number }>()
    .then((row) => row?.n)

describe('callbacks.signIn', () => {
  it('receives the user, the account, the profile and whether the user is new', async () => {
    const handle = await createPlatformUser({ display_name: 'Ada' })
    const signIn = vi.fn((_: SignInCallbackInput) => true)
    const browser = browserWith({ signIn })

    await browser.signIn(handle)
    const userId = (await browser.session())?.user.id
    await browserWith({ signIn }).signIn(handle)

    const [first, second] = signIn.mock.calls.map(([input]) => input)
    expect(first).toMatchObject({
      user: { emailVerified: false },
      account: { provider: 'tiktok', issuer: 'https://www.tiktok.com' },
      isNewUser: true,
    })
    expect(first?.user.id).toBeUndefined()
    expect(first?.account.scope).toContain('user.info.basic')
    expect(first?.profile).toHaveProperty('data.user.open_id', first?.account.id)
    expect(second).toMatchObject({ user: { id: userId }, isNewUser: false })
  })

  it('[L13] shows the error page not_allowed if it returns false, and nothing is stored', async () => {
    const { calls: kvCalls, recorded: SESSIONS } = recordCalls(env.SESSIONS)
    const browser = browserWith({ signIn: () => false }, { SESSIONS, USERS: forbidden('USERS') })
    const handle = await createPlatformUser()
    const before = await countUsers()

    const response = await browser.signIn(handle)

    expect(response.status).toBe(403)
    const page = await response.text()
    expect(page).toContain('not_allowed')
    expect(page).toContain(response.headers.get('X-Request-Id'))
    expect(findLink(page, 'prompt=select_account')).toContain('/api/auth/signin/tiktok')
    expect(lastLogEntry('not_allowed')).toMatchObject({ event: 'signin_failed', status: 403 })
    expect(await countUsers()).toBe(before)
    expect(kvCalls).toEqual([])
    expect(browser.cookieNames('session')).toEqual([])
  })

  it.each([
    ['https://example.com/join?x=1', 'https://example.com/join?x=1'],
    ['/account', `${LOGIN}/account`],
  ])('redirects to %s instead of signing in', async (url, expected) => {
    const browser = browserWith({ signIn: () => url }, { USERS: forbidden('USERS') })
    const before = await countUsers()

    const response = await browser.signIn(await createPlatformUser())

    expect(redirectUrl(response, 302).href).toBe(expected)
    expect(await countUsers()).toBe(before)
    expect(browser.cookieNames('session')).toEqual([])
  })

  it.each([
    'http://example.com/',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    'https:evil.example',
    'join',
    undefined,
    1,
  ])('[N1] signs nobody in and redirects nowhere if it returns %s', async (result) => {
    const browser = browserWith({ signIn: () => result as string })

    const response = await browser.signIn(await createPlatformUser())

    expect(response.status).toBe(500)
    expect(await errorCode(response)).toBe('configuration')
    expect(browser.cookieNames('session')).toEqual([])
    expect(lastLogEntry('callback_failed').cause).toContain('callbacks.signIn must return')
  })

  it('fails the sign-in if it throws, and logs the stack', async () => {
    const browser = browserWith({
      signIn() {
        throw new Error('the rule is broken')
      },
    })

    const response = await browser.signIn(await createPlatformUser())

    expect(await errorCode(response)).toBe('configuration')
    expect(browser.cookieNames('session')).toEqual([])
    expect(lastLogEntry('callback_failed').cause).toMatch(/the rule is broken\s+at /)
  })

  it('[P4] fails the sign-in if it takes longer than five seconds', async () => {
    const handle = await createPlatformUser()
    const { call, endsAfter } = hangingCall()

    const response = await endsAfter(5000, () => browserWith({ signIn: call }).signIn(handle))

    expect(response.status).toBe(503)
    expect(await errorCode(response)).toBe('unavailable')
    expect(lastLogEntry('callback_failed').cause).toContain('took longer than 5 seconds')
  })

  it('[P6] has a fetch that follows no redirects and rejects plain http', async () => {
    const results: unknown[] = []
    const browser = browserWith({
      async signIn({ fetch }) {
        results.push(await fetch('http://example.com/').catch((error: Error) => error.name))
        results.push((await fetch('https://git.example/oauth/authorize')).status)
        return true
      },
    })

    await browser.signIn(await createPlatformUser())

    expect(results).toEqual(['RangeError', 302])
  })

  it('is not skipped when the provider cannot send the profile', async () => {
    const { handle } = await signInNewUser()
    const signIn = vi.fn(() => true)
    await standIn.fault({ path: USER_INFO_PATH, status: 500, times: 10 })

    const response = await browserWith({ signIn }).signIn(handle)

    expect(await errorCode(response)).toBe('provider_unavailable')
    expect(signIn).not.toHaveBeenCalled()
  })

  it('also decides whether an account may be linked', async () => {
    const { browser, userId } = await signInNewUser()
    const signIn = vi.fn((_: SignInCallbackInput) => false)
    const rejecting = moveTo({ signIn }, browser)
    const authorization = redirectUrl(await startLinking(rejecting, 'tiktok'))

    const response = await rejecting.get(
      await rejecting.approve(authorization, await createPlatformUser()),
    )

    expect(await errorCode(response)).toBe('not_allowed')
    expect(signIn.mock.lastCall?.[0]).toMatchObject({ user: { id: userId }, isNewUser: false })
    expect(await linkedProviders(userId)).toEqual(['tiktok'])
  })

  it('links nothing if the user signs out everywhere before it has decided', async () => {
    const { browser, userId } = await signInNewUser()
    const signIn = async () => {
      await userObject(userId).endEverything([])
      return true
    }
    const deciding = moveTo({ signIn }, browser)
    const authorization = redirectUrl(await startLinking(deciding, 'tiktok'))

    const response = await deciding.get(
      await deciding.approve(authorization, await createPlatformUser()),
    )

    expect(addressAfterSignIn(response)).toBe('/account/link')
    expect(await countAccounts(userId)).toBe(1)
  })
})

describe('callbacks.claims', () => {
  it('adds claims to the session token, the ID token, the access token and userinfo', async () => {
    const inputs: ClaimsCallbackInput[] = []
    const { browser, userId } = await signInNewUser(
      browserWith({
        claims(input) {
          inputs.push(input)
          return { plan: `gold for ${input.kind}`, absent: undefined }
        },
      }),
    )

    const session = await browser.session()
    const tokens = await (await requestTokens(browser)).json<TokenResponse>()
    const userinfo = await (await getUserinfo(tokens.access_token, browser)).json()

    expect(decodeJwt(session?.token ?? '')).toMatchObject({ plan: 'gold for session', sub: userId })
    expect(decodeJwt(tokens.access_token)).toMatchObject({ plan: 'gold for access_token' })
    expect(decodeJwt(tokens.id_token)).toMatchObject({ plan: 'gold for id_token', sub: userId })
    expect(userinfo).toMatchObject({ plan: 'gold for userinfo', sub: userId })
    for (const kind of ['id_token', 'access_token', 'userinfo']) {
      expect(inputs.find((input) => input.kind === kind)).toMatchObject({
        user: { id: userId },
        account: { provider: 'tiktok', extras: {} },
        client: { client_id: 'web', client_name: 'The web app', first_party: true },
        scope: ['openid', 'profile'],
      })
    }
    expect(inputs.find((input) => input.kind === 'session')).toMatchObject({
      user: { id: userId },
      account: { provider: 'tiktok' },
      client: undefined,
      scope: [],
    })
    expect(JSON.stringify(inputs)).not.toContain('sealedTokens')
  })

  it.each([
    [
      { name: 'Ada', picture: 'https://cdn.example/ada.png' },
      { name: 'Ada', image: 'https://cdn.example/ada.png' },
    ],
    [
      { preferred_username: 'ada', profile: 'https://ada.example/' },
      { username: 'ada', url: 'https://ada.example/' },
    ],
    [{ email: 'ada@shop.example', email_verified: true }, { email: 'ada@shop.example' }],
    [{ email: 'ada@shop.example' }, { email: undefined }],
    [
      { name: null, preferred_username: ['ada'] },
      { name: undefined, username: undefined },
    ],
  ])('describes the user of the session as its token does: %j', async (claims, shown) => {
    const { browser, userId } = await signInNewUser(browserWith({ claims: () => claims }))

    const session = await browser.session()

    expect(decodeJwt(session?.token ?? '')).toMatchObject(claims)
    const fields = Object.keys(shown) as (keyof typeof shown)[]
    expect(fields.map((field) => session?.user[field])).toEqual(Object.values(shown))
    expect(session?.user.id).toBe(userId)
  })

  it('is also called for refreshed tokens', async () => {
    const { browser } = await signInNewUser(browserWith({ claims: () => ({ plan: 'gold' }) }))
    const first = await (await requestTokens(browser, OFFLINE_ACCESS)).json<TokenResponse>()

    const form = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
    const app = new RelyingApp()
    const response = await redeemCode(browser, app, new URL(LOGIN), { ...form, code: '' })

    const refreshed = await response.json<TokenResponse>()
    expect(decodeJwt(refreshed.access_token)).toMatchObject({ plan: 'gold' })
  })

  it.each([
    'sub',
    'iss',
    'aud',
    'exp',
    'iat',
    'nbf',
    'jti',
    'auth_time',
    'nonce',
    'acr',
    'amr',
    'azp',
    'at_hash',
    'c_hash',
    'sid',
    'client_id',
    'scope',
    'token_use',
    'events',
    'cnf',
    'act',
  ])('[E5] cannot set %s: no token is issued', async (name) => {
    const { browser } = await signInNewUser()

    const attacker = moveTo({ claims: () => ({ [name]: 'usr_someone_else' }) }, browser)
    const session = await attacker.get('/api/auth/session', { Accept: 'application/json' })

    expect(session.status).toBe(500)
    expect(await session.text()).not.toContain('token')
    expect(lastLogEntry('callback_failed').cause).toContain(`callbacks.claims returned ${name},`)
  })

  it('[E6] cannot change sub by changing its argument', async () => {
    const { browser, userId } = await signInNewUser(
      browserWith({
        claims({ user }) {
          user.id = 'usr_someone_else'
          return {}
        },
      }),
    )

    const tokens = await (await requestTokens(browser)).json<TokenResponse>()

    expect(decodeJwt((await browser.session())?.token ?? '').sub).toBe(userId)
    expect(decodeJwt(tokens.id_token).sub).toBe(userId)
    expect(decodeJwt(tokens.access_token).sub).toBe(userId)
  })

  it.each<[string, NonNullable<Callbacks['claims']>]>([
    ['throws', () => Promise.reject(new Error('no database'))],
    ['returns a protocol claim', () => ({ sub: 'usr_someone_else' })],
    ['returns text', () => 'gold' as never],
    ['returns a list', () => [] as never],
    ['returns null', () => null as never],
    ['returns what JSON cannot represent', () => ({ n: 1n })],
    ['returns more than 4 KiB', () => ({ plan: 'é'.repeat(2050) })],
  ])('rejects the token with server_error if it %s', async (_, claims) => {
    const { browser } = await signInNewUser()
    const { access_token } = await (await requestTokens(browser)).json<TokenResponse>()
    const failing = moveTo({ claims }, browser)

    const response = await requestTokens(failing)
    const userinfo = await getUserinfo(access_token, failing)

    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({
      error: 'server_error',
      error_description: 'The service is misconfigured: inform its operator.',
    })
    expect(userinfo.status).toBe(500)
    expect(lastLogEntry('callback_failed')).toMatchObject({ code: 'server_error', status: 500 })
  })

  it('accepts claims of 4 KiB', async () => {
    const claims = () => ({ plan: 'x'.repeat(4096 - '{"plan":""}'.length) })
    const { browser } = await signInNewUser(browserWith({ claims }))

    const tokens = await (await requestTokens(browser)).json<TokenResponse>()

    expect((await getUserinfo(tokens.access_token, browser)).status).toBe(200)
  })

  it('ends the grant of a code whose tokens it rejects', async () => {
    const { browser, userId } = await signInNewUser()
    const failing = moveTo({ claims: () => ({ sub: 'x' }) }, browser)
    const app = new RelyingApp()
    const callback = await app.callbackFor(browser, OFFLINE_ACCESS)

    await redeemCode(failing, app, callback)

    const grants = await runInDurableObject(userObject(userId), (_, { storage }) =>
      storage.sql.exec('SELECT * FROM grants').toArray(),
    )
    expect(grants).toEqual([])
  })

  it('keeps the grant when it rejects a refresh, so that the client can try again', async () => {
    const { browser } = await signInNewUser()
    const { refresh_token } = await (
      await requestTokens(browser, OFFLINE_ACCESS)
    ).json<TokenResponse>()
    const failing = moveTo({ claims: () => Promise.reject(new Error('down')) }, browser)
    const form = { grant_type: 'refresh_token', refresh_token, code: '' }
    const refresh = (at: Browser) => redeemCode(at, new RelyingApp(), new URL(LOGIN), form)
    stopClock()

    for (let attempt = 0; attempt < 3; attempt++) {
      expect((await refresh(failing)).status).toBe(500)
      advanceClock(15)
    }

    expect((await refresh(browser)).status).toBe(200)
  })

  it('does not mark an email address that it returns as verified', () => {
    const ours = { email: 'a@example.com', email_verified: true, name: 'Ada' }

    expect(mergeClaims(ours, { email: 'b@example.com' })).toEqual({
      email: 'b@example.com',
      name: 'Ada',
    })
    expect(mergeClaims(ours, { plan: 'gold' })).toEqual({ ...ours, plan: 'gold' })
    expect(mergeClaims(ours, { email: 'b@example.com', email_verified: true })).toMatchObject({
      email_verified: true,
    })
  })

  it('[P4] rejects the token with temporarily_unavailable if it takes longer than five seconds', async () => {
    const { browser } = await signInNewUser()
    const { call, endsAfter } = hangingCall()

    const response = await endsAfter(5000, () => requestTokens(moveTo({ claims: call }, browser)))

    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ error: 'temporarily_unavailable' })
    expect(response.headers.get('Retry-After')).toBe('10')
  })
})

describe('callbacks.redirect', () => {
  const PAGE = `${SHOP}/basket`

  it('receives an allowed address and its client', async () => {
    const redirect = vi.fn((_: RedirectCallbackInput) => true)
    const browser = browserWith({ redirect })

    const response = await browser.signIn(await createPlatformUser(), { callbackUrl: PAGE })

    expect(redirectUrl(response).href).toBe(PAGE)
    expect(redirect.mock.calls).toHaveLength(1)
    expect(redirect.mock.lastCall?.[0]).toMatchObject({
      url: PAGE,
      client: { client_id: 'shop', first_party: true },
    })
  })

  it('may reject an allowed address before the user leaves for the provider', async () => {
    const browser = browserWith({ redirect: ({ url }) => !url.includes('/basket') })

    const response = await browser.get(
      `/api/auth/signin/tiktok?${new URLSearchParams({ callbackUrl: PAGE })}`,
    )

    expect(response.status).toBe(400)
    expect(await errorCode(response)).toBe('return_url_refused')
    expect(browser.cookieNames('attempt')).toEqual([])
  })

  it('may replace it by another allowed address', async () => {
    const browser = browserWith({ redirect: () => '/account' })

    const response = await browser.signIn(await createPlatformUser(), { callbackUrl: PAGE })

    expect(redirectUrl(response).href).toBe(`${LOGIN}/account`)
  })

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    '[N1] cannot widen the allowed addresses to %s',
    async (url) => {
      const { browser } = await signInNewUser()
      const attacker = moveTo({ redirect: () => url }, browser)

      const start = await attacker.get('/api/auth/signin/tiktok')
      const page = await attacker.get(
        `/api/auth/signin?${new URLSearchParams({ callbackUrl: PAGE })}`,
      )
      const signOut = await attacker.post('/api/auth/signout', { callbackUrl: PAGE })

      for (const response of [start, page]) {
        expect(response.status).toBe(400)
        expect(response.headers.get('Location')).toBeNull()
        expect(await errorCode(response)).toBe('return_url_refused')
      }
      expect([signOut.status, signOut.headers.get('Refresh')]).toEqual([200, null])
      expect(await signOut.text()).not.toContain('evil')
      expect(lastLogEntry('"code":"return_url_refused"').hint).toContain(
        'callbacks.redirect returned',
      )
    },
  )

  it('[N1] is not called for an address that is not allowed', async () => {
    const redirect = vi.fn(() => true)

    const response = await browserWith({ redirect }).get(
      '/api/auth/signin/tiktok?callbackUrl=https%3A%2F%2Fevil.example',
    )

    expect(await errorCode(response)).toBe('return_url_refused')
    expect(redirect).not.toHaveBeenCalled()
  })

  it('applies to the address after a sign-out', async () => {
    const { browser } = await signInNewUser()
    const narrowing = moveTo({ redirect: () => `${SHOP}/bye` }, browser)

    const response = await narrowing.post(
      '/api/auth/signout',
      { callbackUrl: PAGE },
      { Accept: 'application/json' },
    )

    expect(await response.json()).toEqual({ url: `${SHOP}/bye` })
  })

  it.each([
    ['rejects the address', () => false],
    ['fails', () => Promise.reject(new Error('down'))],
  ])('does not prevent a sign-out if it %s', async (_, redirect) => {
    const { browser } = await signInNewUser()
    const failing = moveTo({ redirect }, browser)

    const page = await failing.get('/api/auth/signout')
    const response = await failing.post('/api/auth/signout', { callbackUrl: PAGE })

    expect([page.status, response.status]).toEqual([200, 200])
    expect(await failing.session()).toBeNull()
    expect(await response.text()).not.toContain(PAGE)
  })
})

describe('a callback', () => {
  it.each([
    [{ signin: () => true }, 'callbacks.signin does not exist: did you mean signIn?'],
    [{ claims: {} }, 'callbacks.claims must be a function.'],
    [null, 'callbacks must be an object.'],
  ])('[T1] is rejected at startup: %o', (callbacks, problem) => {
    expect(() => createVestibule({ ...options, callbacks: callbacks as Callbacks })).toThrow(
      problem,
    )
  })
})
