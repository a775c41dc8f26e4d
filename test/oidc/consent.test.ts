import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { decodeJwt, SignJWT } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readKeyring } from '../../src/tokens/keyring.ts'
import { Browser, LOGIN, SHOP, serviceWith } from '../browser.ts'
import { advanceClock } from '../clock.ts'
import { continueUrl } from '../continue-url.ts'
import { readConfig } from '../deployment.ts'
import { findLink } from '../html.ts'
import { REQUEST_SIGN_IN_PATH, redirectUrl } from '../redirect.ts'
import { clientsWith, clientsWithout } from '../registered-clients.ts'
import { userObject } from '../storage.ts'
import { type ParameterChanges, RelyingApp, signedIn, signedInAsNewUser } from './relying-app.ts'
import { unsignedJwt } from './unsigned-jwt.ts'
import { approveConsent, consentRequest, resumedRequest } from './user-steps.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** Signs in a user whose consents have been deleted. */
async function signedInWithoutConsents(persona = 'noah'): Promise<Browser> {
  const browser = await signedIn(persona)
  const object = userObject((await browser.session())?.user.id ?? '')
  await runInDurableObject(object, (_, { storage }) => {
    for (const [name] of storage.kv.list({ prefix: 'consent:' })) storage.kv.delete(name)
  })
  return browser
}

async function authorize(
  browser: Browser,
  clientId: string,
  changes: ParameterChanges = {},
): Promise<Response> {
  return browser.get(await new RelyingApp(clientId).authorizationUrl(changes))
}

function expectSignIn(response: Response): void {
  expect(redirectUrl(response).pathname).toMatch(REQUEST_SIGN_IN_PATH)
}

function queryOf(path: string): URLSearchParams {
  return new URL(path, LOGIN).searchParams
}

describe('prompt and max_age', () => {
  it.each([{ max_age: '0' }, { prompt: 'select_account' }])(
    '[A17][A18] %o requires a new sign-in, whose time is in the ID token',
    async (changes) => {
      const browser = await signedIn()
      const before = (await new RelyingApp().tokens(browser)).claims()?.['auth_time'] as number
      advanceClock(10)
      const app = new RelyingApp()

      const toSignIn = await browser.get(await app.authorizationUrl(changes))
      expectSignIn(toSignIn)
      expect(redirectUrl(toSignIn).searchParams.get('prompt')).toBe(changes.prompt ?? 'login')
      const resumed = await resumedRequest(browser, toSignIn)
      await browser.signIn('mia', { callbackUrl: resumed, prompt: 'login' })
      advanceClock(5)
      const callback = redirectUrl(await browser.get(resumed))

      const after = (await app.exchange(callback)).claims()?.['auth_time'] as number
      expect(after).toBeGreaterThanOrEqual(before + 10)
    },
  )

  it.each([
    ['unchanged', (_: URLSearchParams) => {}],
    ['without reauth', (query: URLSearchParams) => query.delete('reauth')],
    ['with an invented reauth', (query: URLSearchParams) => query.set('reauth', 'AAAA')],
    ['with another state', (query: URLSearchParams) => query.set('state', 'other')],
  ])('[A17] are not satisfied by the resumed request %s, without a sign-in', async (_, tamper) => {
    const browser = await signedIn()
    advanceClock(10)
    for (const changes of [{ prompt: 'login' }, { max_age: '5' }]) {
      const query = queryOf(await resumedRequest(browser, await authorize(browser, 'web', changes)))
      tamper(query)

      const response = await browser.get(`/oidc/authorize?${query}`)

      expectSignIn(response)
    }
  })

  it('[A17] are not satisfied by the reauth of another request, or an expired one', async () => {
    const browser = await signedIn()
    advanceClock(10)
    const resumed = await resumedRequest(
      browser,
      await authorize(browser, 'web', { prompt: 'login' }),
    )
    await browser.signIn('mia', { prompt: 'login' })
    advanceClock(10)
    const otherRequest = new URL(await new RelyingApp().authorizationUrl({ prompt: 'login' }))
    otherRequest.searchParams.set('reauth', queryOf(resumed).get('reauth') ?? '')
    const otherState = queryOf(resumed)
    otherState.set('state', 'other')

    expectSignIn(await browser.get(otherRequest.href))
    expectSignIn(await browser.get(`/oidc/authorize?${otherState}`))
    expect(redirectUrl(await browser.get(resumed)).searchParams.has('code')).toBe(true)
    advanceClock(900)
    expectSignIn(await browser.get(resumed))
  })

  it('[A17][A18] require a new sign-in even in the same second as the last one', async () => {
    advanceClock(0)
    const browser = await signedIn()

    for (const changes of [{ prompt: 'login' }, { max_age: '0' }]) {
      const response = await authorize(browser, 'web', changes)

      expectSignIn(response)
      expectSignIn(await browser.get(await resumedRequest(browser, response)))
    }
  })

  it('[A15] prompt=none returns an error instead of showing a page', async () => {
    const browser = await signedInWithoutConsents()
    advanceClock(10)
    const errorFor = async (clientId: string, changes: Record<string, string>) => {
      const callback = await new RelyingApp(clientId).callbackFor(browser, {
        prompt: 'none',
        ...changes,
      })
      return callback.searchParams.get('error')
    }

    expect(await errorFor('web', { max_age: '5' })).toBe('login_required')
    // A silent sign-in does not prove that the user has authenticated in the last minutes.
    expect(await errorFor('web', { max_age: '100' })).toBe('login_required')
    expect(await errorFor('web', { max_age: '600' })).toBeNull()
    expect(await errorFor('kiosk', {})).toBe('consent_required')
  })
})

describe('id_token_hint', () => {
  it('[A19] for the signed-in user is accepted with prompt=none, even when expired', async () => {
    const browser = await signedIn()
    const { id_token: hint = '' } = await new RelyingApp().tokens(browser)
    advanceClock(3601)

    const tokens = await new RelyingApp().tokens(browser, { prompt: 'none', id_token_hint: hint })

    expect(tokens.claims()?.sub).toBe(decodeJwt(hint).sub)
  })

  it('[A19] for another user yields no code for the signed-in one', async () => {
    const { id_token } = await new RelyingApp().tokens(await signedIn('mia'))
    const browser = await signedIn('noah')
    const app = new RelyingApp()

    const silent = await app.callbackFor(browser, { prompt: 'none', id_token_hint: id_token })
    const interactive = await browser.get(await app.authorizationUrl({ id_token_hint: id_token }))

    expect(silent.searchParams.get('error')).toBe('login_required')
    expectSignIn(interactive)
  })

  it('[A19] of another client, altered or invented is rejected', async () => {
    const browser = await signedIn()
    const { id_token: otherClients = '' } = await new RelyingApp('post').tokens(browser)
    const { id_token: own = '' } = await new RelyingApp().tokens(browser)
    const unsigned = unsignedJwt(decodeJwt(own))

    for (const hint of [otherClients, `${own}x`, own.slice(0, -9), unsigned, 'a.b.c', 'x']) {
      const response = await authorize(browser, 'web', { id_token_hint: hint })

      expect(redirectUrl(response).searchParams.get('error')).toBe('invalid_request')
    }
  })
})

describe('prompt=none of a client without consent', () => {
  it('[A15][A19] returns the same error whoever is signed in, and since whenever', async () => {
    const other = new RelyingApp('kiosk')
    const otherBrowser = await signedInWithoutConsents('lena')
    const otherTokens = await other.exchange(
      redirectUrl(
        await approveConsent(otherBrowser, await otherBrowser.get(await other.authorizationUrl())),
      ),
    )
    const app = new RelyingApp('kiosk')
    const browser = await signedInWithoutConsents()
    const consentPage = await browser.get(await app.authorizationUrl())
    const tokens = await app.exchange(redirectUrl(await approveConsent(browser, consentPage)))
    await browser.post('/account/consents', { client_id: 'kiosk' })
    advanceClock(10)
    const claims = (value: unknown) => JSON.stringify({ id_token: { sub: { value } } })

    for (const changes of [
      {},
      { id_token_hint: tokens.id_token },
      { id_token_hint: otherTokens.id_token },
      { claims: claims(tokens.claims()?.sub) },
      { claims: claims(otherTokens.claims()?.sub) },
      { claims: claims('usr_unknown') },
      { max_age: '5' },
      { max_age: '3600' },
    ]) {
      const callback = await app.callbackFor(browser, { prompt: 'none', ...changes })

      expect(Object.fromEntries(callback.searchParams)).toEqual({
        error: 'consent_required',
        error_description: 'The user has not given consent.',
        state: app.state,
        iss: LOGIN,
      })
    }
  })
})

describe('a native app', () => {
  /** Approves, and returns the request that the browser then repeats. */
  async function approvedRequest(browser: Browser, app: RelyingApp): Promise<string> {
    const request = await consentRequest(await browser.get(await app.authorizationUrl()))
    const approved = await browser.post('/oidc/consent', { request, answer: 'approve' })
    return new URL(await continueUrl(approved), LOGIN).href
  }

  it('[A28] needs consent every time, because another program may use its id (RFC 8252 §8.6)', async () => {
    const browser = await signedInWithoutConsents()
    const app = new RelyingApp('native')
    const approved = await browser.get(await approvedRequest(browser, app))
    expect((await app.exchange(redirectUrl(approved))).claims()?.aud).toBe('native')

    for (const port of [51004, 51005]) {
      const redirect_uri = `http://127.0.0.1:${port}/callback`
      const silent = await app.callbackFor(browser, { redirect_uri, prompt: 'none' })
      expect(silent.searchParams.get('error')).toBe('consent_required')
      const response = await authorize(browser, 'native', { redirect_uri })
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining('id="approve"'),
      ])
    }
  })

  it.each<[string, (query: URLSearchParams) => void]>([
    ['another port', (query) => query.set('redirect_uri', 'http://127.0.0.1:51005/callback')],
    ['another code_challenge', (query) => query.set('code_challenge', 'c'.repeat(43))],
    ['more scopes', (query) => query.set('scope', 'openid profile email')],
    ['an additional parameter', (query) => query.set('claims', '{"userinfo":{"email":null}}')],
    ['no approval', (query) => query.delete('approval')],
    ['a forged approval', (query) => query.set('approval', 'A'.repeat(60))],
  ])(
    '[A26][A28] needs consent again if the approved request is repeated with %s',
    async (_, change) => {
      const browser = await signedInWithoutConsents()
      const query = queryOf(await approvedRequest(browser, new RelyingApp('native')))
      change(query)

      const response = await browser.get(`/oidc/authorize?${query}`)

      expect([response.status, response.headers.get('Location')]).toEqual([200, null])
    },
  )

  it('[A26][A28] needs consent again after a minute, and in other sessions and of other users', async () => {
    advanceClock(0)
    const browser = await signedInWithoutConsents()
    const url = await approvedRequest(browser, new RelyingApp('native'))
    const others = [await signedIn('noah'), await signedIn('lena')]

    for (const other of others) expect((await other.get(url)).status).toBe(200)
    advanceClock(59)
    expect((await browser.get(url)).status).toBe(303)
    advanceClock(2)
    expect((await browser.get(url)).status).toBe(200)
  })
})

describe('the consent page', () => {
  it('[A27] shows the app, its host and the requested access before any code is issued', async () => {
    const browser = await signedInWithoutConsents()

    const response = await authorize(browser, 'kiosk')

    expect([response.status, response.headers.get('Location')]).toEqual([200, null])
    const page = await response.text()
    for (const text of [
      'The kiosk',
      'kiosk.example',
      'Noah',
      'Recognise you when you come back',
      'name, username, picture and profile link',
      'id="approve"',
    ])
      expect(page).toContain(text)
    expect(page).not.toContain('email')
  })

  it('says so if the user has no email address that the app could see', async () => {
    const browser = await signedInWithoutConsents()

    const response = await authorize(browser, 'kiosk', { scope: 'openid email' })

    expect(await response.text()).toContain(
      'See your email address</bdi> (\u2068none yet; also applies to one that you add later\u2069)',
    )
  })

  it('[A27] lets the user choose another account for the same request', async () => {
    const browser = await signedInWithoutConsents()
    const app = new RelyingApp('kiosk')
    const page = await (await browser.get(await app.authorizationUrl({ state: 'kept' }))).text()

    const toSignIn = await browser.get(findLink(page, 'prompt=select_account'))
    const signInPage = await (await browser.get(redirectUrl(toSignIn).href)).text()
    const resumed = await resumedRequest(browser, toSignIn)
    await browser.signIn('mia', { callbackUrl: resumed, prompt: 'select_account' })
    const ofMia = await browser.get(resumed)

    expect(signInPage).toContain('<h1>Use a different account</h1>')
    expect(signInPage).not.toContain('confirm that it is you')
    const callback = redirectUrl(
      ofMia.status === 200 ? await approveConsent(browser, ofMia) : ofMia,
    )
    expect(callback.searchParams.get('state')).toBe('kept')
    expect(callback.searchParams.get('code')).toMatch(/^ac_/)
    expect(await browser.session()).toMatchObject({ user: { name: 'Mia Lindqvist' } })
  })

  it('[A28] is shown again for more scopes and for prompt=consent, but not for fewer scopes', async () => {
    const browser = await signedInWithoutConsents()
    const statusFor = async (changes: Record<string, string>) =>
      (await authorize(browser, 'kiosk', changes)).status

    await approveConsent(browser, await authorize(browser, 'kiosk'))
    expect(await statusFor({})).toBe(303)
    expect(await statusFor({ scope: 'openid' })).toBe(303)
    expect(await statusFor({ prompt: 'consent' })).toBe(200)
    const wider = await authorize(browser, 'kiosk', { scope: 'openid email' })
    expect(wider.status).toBe(200)
    await approveConsent(browser, wider)
    expect(await statusFor({ scope: 'openid profile email' })).toBe(303)
    // The consent is for this client and this user only.
    expect((await authorize(browser, 'native')).status).toBe(200)
    const otherUser = await signedInWithoutConsents('lena')
    expect((await authorize(otherUser, 'kiosk')).status).toBe(200)
  })

  it.each<[string, Record<string, string>]>([
    ['no scope', { scope: '' }],
    ['an unknown scope', { scope: 'x:y' }],
    ['a claim of another scope', { scope: 'openid', claims: '{"userinfo":{"name":null}}' }],
    ['a claim for the ID token', { scope: 'openid', claims: '{"id_token":{"email":null}}' }],
  ])('[A27][A28] is required for %s', async (name, changes) => {
    const browser = await signedInWithoutConsents()
    if (name.includes('claim'))
      await approveConsent(browser, await authorize(browser, 'kiosk', { scope: 'openid' }))

    const silent = await new RelyingApp('kiosk').callbackFor(browser, {
      prompt: 'none',
      ...changes,
    })

    expect(silent.searchParams.get('error')).toBe('consent_required')
  })

  it.each(['query', 'form_post'])(
    '[A6] returns access_denied to the app when the user denies (%s)',
    async (response_mode) => {
      const browser = await signedInWithoutConsents()
      const app = new RelyingApp('kiosk')
      const page = await browser.get(await app.authorizationUrl({ response_mode }))

      const decided = await browser.post('/oidc/consent', {
        request: await consentRequest(page),
        answer: 'deny',
      })

      const denied = await browser.get(await continueUrl(decided))
      const sent = denied.headers.get('Location') ?? (await denied.text())
      for (const text of ['access_denied', app.state, app.redirectUri]) expect(sent).toContain(text)
      expect((await browser.get(await app.authorizationUrl())).status).toBe(200)
    },
  )
})

describe('POST /oidc/consent', () => {
  it('[A25][A27] agrees to what the page showed, not to a wider registration', async () => {
    const narrow = serviceWith({ CLIENTS: clientsWith({ kiosk: { scope: 'openid' } }) })
    const browser = new Browser(narrow)
    const user = await signedInWithoutConsents()
    for (const [name, value] of user.cookies) browser.cookies.set(name, value)
    const url = await new RelyingApp('kiosk').authorizationUrl({ scope: 'openid email' })
    const request = await consentRequest(await browser.get(url))

    // The registered client has the scope email.
    const approved = await user.post('/oidc/consent', { request, answer: 'approve' })
    const response = await user.get(await continueUrl(approved))

    expect([response.status, response.headers.get('Location')]).toEqual([200, null])
    expect((await browser.get(url)).status).toBe(303)
  })

  it('[A29] is rejected after the user has signed out', async () => {
    const browser = await signedInWithoutConsents()
    const url = await new RelyingApp('kiosk').authorizationUrl()
    const request = await consentRequest(await browser.get(url))
    const cookiesBefore = new Map(browser.cookies)
    await browser.post('/api/auth/signout', {})
    for (const [name, value] of cookiesBefore) browser.cookies.set(name, value)

    const response = await browser.post('/oidc/consent', { request, answer: 'approve' })

    expect([response.status, response.headers.get('Location')]).toEqual([400, null])
    expect((await (await signedIn('noah')).get(url)).status).toBe(200)
  })

  it('[A29] does not withdraw an earlier consent after the user has signed out', async () => {
    const browser = await signedInWithoutConsents()
    const app = new RelyingApp('kiosk')
    const url = await app.authorizationUrl()
    await approveConsent(browser, await browser.get(url))
    const page = await browser.get(await app.authorizationUrl({ prompt: 'consent' }))
    const request = await consentRequest(page)
    const cookiesBefore = new Map(browser.cookies)
    await browser.post('/api/auth/signout', {})
    for (const [name, value] of cookiesBefore) browser.cookies.set(name, value)

    await browser.post('/oidc/consent', { request, answer: 'deny' })

    expect((await (await signedIn('noah')).get(url)).status).toBe(303)
  })

  it.each<[string, Record<string, string>]>([
    ['another site', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
    ['a sibling domain', { Origin: 'https://evil.login.example', 'Sec-Fetch-Site': 'same-site' }],
    ['a registered app', { Origin: SHOP, 'Sec-Fetch-Site': 'same-site' }],
    ['a sandboxed frame', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
    ['an unknown origin without our CSRF token', {}],
  ])('[A29] is rejected from %s', async (_, headers) => {
    const browser = await signedInWithoutConsents()
    const url = await new RelyingApp('kiosk').authorizationUrl()
    const request = await consentRequest(await browser.get(url))
    const form = { request, answer: 'approve' }

    const response = await browser.fetch('/oidc/consent', { form, headers })

    expect(response.status).toBe(403)
    expect((await browser.get(url)).status).toBe(200)
  })

  it('[A26] accepts only the request that was shown to this user', async () => {
    const browser = await signedInWithoutConsents()
    const url = await new RelyingApp('kiosk').authorizationUrl()
    const request = await consentRequest(await browser.get(url))
    const otherUser = await signedInWithoutConsents('lena')
    const forgeries = [
      await consentRequest(await otherUser.get(url)),
      `${request.slice(0, -3)}AAA`,
      new URL(url).search,
      browser.cookies.get('__Host-vestibule.session') ?? '',
      '',
      'x',
    ]

    for (const forged of forgeries) {
      const response = await browser.post('/oidc/consent', { request: forged, answer: 'approve' })

      expect([response.status, response.headers.get('Location')]).toEqual([400, null])
    }
    expect((await browser.get(url)).status).toBe(200)
  })

  it.each([
    ['removed', clientsWithout('kiosk')],
    ['registered with another address', clientsWith({ kiosk: { redirect_uris: [`${SHOP}/new`] } })],
  ])('[A25] does not redirect once the client is %s', async (_, CLIENTS) => {
    const before = await signedInWithoutConsents()
    const request = await consentRequest(await authorize(before, 'kiosk'))
    const browser = new Browser(serviceWith({ CLIENTS }))
    for (const [name, value] of before.cookies) browser.cookies.set(name, value)

    for (const answer of ['approve', 'deny']) {
      const response = await browser.post('/oidc/consent', { request, answer })

      expect([response.status, response.headers.get('Location')]).toEqual([400, null])
    }
  })
})

describe('an authorization request resumed after a sign-in', () => {
  it('[A19] still requires the user of its id_token_hint, however long the ID token is', async () => {
    const { id_token: own = '' } = await new RelyingApp().tokens(await signedIn('mia'))
    // As long as an ID token with the longest pictures and names that platforms send.
    const { kid, key } = (await readKeyring(env, readConfig(env))).signingKey('RS256')
    const hint = await new SignJWT({ ...decodeJwt(own), picture: `https://${'p'.repeat(4000)}` })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
      .sign(key)
    const browser = await signedIn('noah')
    const app = new RelyingApp()

    const toSignIn = await browser.get(await app.authorizationUrl({ id_token_hint: hint }))
    expectSignIn(toSignIn)
    const resumed = await resumedRequest(browser, toSignIn)
    const asWrongUser = await browser.get(resumed)
    await browser.signIn('mia', { callbackUrl: resumed, prompt: 'login' })
    const callback = redirectUrl(await browser.get(resumed))

    expectSignIn(asWrongUser)
    expect((await app.exchange(callback)).claims()?.sub).toBe(decodeJwt(own).sub)
  })

  it.each([
    ['redirect_uri', 'https://evil.example/'],
    ['response_type', 'token'],
    ['client_id', 'blog'],
  ])('[A11][A25] is checked again when its %s has been changed', async (name, value) => {
    const browser = new Browser()
    const query = queryOf(await resumedRequest(browser, await authorize(browser, 'web')))
    query.set(name, value)

    const returned = await browser.signIn('mia', { callbackUrl: `/oidc/authorize?${query}` })
    const response = await browser.get(returned.headers.get('Location') ?? '')

    const target = new URL(response.headers.get('Location') ?? '/no-redirect', LOGIN)
    expect(target.searchParams.has('code')).toBe(false)
    expect(['https://web.example', LOGIN]).toContain(target.origin)
  })
})

describe('an authorization request with two question marks', () => {
  it('[A27][A28] is granted only what the consent page has shown', async () => {
    const browser = await signedInAsNewUser()
    const app = new RelyingApp('kiosk')
    const { search } = new URL(await app.authorizationUrl({ scope: undefined }))
    const hidden = '?scope=openid%20profile%20email%20offline_access'
    const page = await browser.get(`/oidc/authorize?${hidden}&${search.slice(1)}`)

    const response = await approveConsent(browser, page)
    const tokens = await app.requestTokens(app.codeExchangeForm(redirectUrl(response, 303)))

    expect(await tokens.json()).toMatchObject({ scope: '' })
  })
})
