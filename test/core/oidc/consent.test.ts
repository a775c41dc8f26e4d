import { env } from 'cloudflare:workers'
import { decodeJwt, SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readKeyring } from '../../../src/core/tokens/keyring.ts'
import { Browser, LOGIN, SHOP, serviceWith } from '../../browser.ts'
import { advanceClock } from '../../clock.ts'
import { continueUrl } from '../../continue-url.ts'
import { readConfig } from '../../deployment.ts'
import { findLink } from '../../html.ts'
import { OWN_PAGE } from '../../link-account.ts'
import { createPlatformUser } from '../../new-user.ts'
import { interactionOf, redirectUrl } from '../../redirect.ts'
import { clientsWith, clientsWithout } from '../../registered-clients.ts'
import { type ParameterChanges, RelyingApp, signedIn, signedInAsNewUser } from './relying-app.ts'
import { unsignedJwt } from './unsigned-jwt.ts'
import { approveConsent, resumedRequest, shownConsent } from './user-steps.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** The handles of two users who have given no consent. */
let handle: string
let otherHandle: string

beforeEach(async () => {
  handle = await createPlatformUser({ displayName: 'Noah Brandt' })
  otherHandle = await createPlatformUser()
})

async function authorize(
  browser: Browser,
  clientId: string,
  changes: ParameterChanges = {},
): Promise<Response> {
  return browser.get(await new RelyingApp(clientId).authorizationUrl(changes))
}

function expectSignIn(response: Response): void {
  interactionOf(response)
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
      const resumed = resumedRequest(toSignIn)
      await browser.signIn('mia', { callbackUrl: resumed, prompt: 'login' })
      advanceClock(5)
      const callback = redirectUrl(await browser.get(resumed))

      const after = (await app.exchange(callback)).claims()?.['auth_time'] as number
      expect(after).toBeGreaterThanOrEqual(before + 10)
    },
  )

  it('[A17] are not satisfied by continuing the request without a sign-in', async () => {
    const browser = await signedIn()
    advanceClock(10)
    for (const changes of [{ prompt: 'login' }, { max_age: '5' }]) {
      const resumed = resumedRequest(await authorize(browser, 'web', changes))

      expectSignIn(await browser.get(resumed))
    }
  })

  it('[A17] are not satisfied by the sign-in for another request', async () => {
    const browser = await signedIn()
    advanceClock(10)
    const resumed = resumedRequest(await authorize(browser, 'web', { prompt: 'login' }))
    await browser.signIn('mia', { prompt: 'login' })
    advanceClock(10)

    expectSignIn(await authorize(browser, 'web', { prompt: 'login' }))
    expect(redirectUrl(await browser.get(resumed)).searchParams.has('code')).toBe(true)
  })

  it('[A17][A18] require a new sign-in even in the same second as the last one', async () => {
    advanceClock(0)
    const browser = await signedIn()

    for (const changes of [{ prompt: 'login' }, { max_age: '0' }]) {
      const response = await authorize(browser, 'web', changes)

      expectSignIn(response)
      expectSignIn(await browser.get(resumedRequest(response)))
    }
  })

  it('[A15] prompt=none returns an error instead of showing a page', async () => {
    const browser = await signedIn(handle)
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
    const browser = await signedIn(handle)
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
    const otherBrowser = await signedIn(otherHandle)
    const otherTokens = await other.exchange(
      redirectUrl(
        await approveConsent(otherBrowser, await otherBrowser.get(await other.authorizationUrl())),
      ),
    )
    const app = new RelyingApp('kiosk')
    const browser = await signedIn(handle)
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
    const shown = await shownConsent(await browser.get(await app.authorizationUrl()))
    const approved = await browser.post('/oidc/consent', { ...shown, answer: 'approve' })
    return new URL(await continueUrl(approved), LOGIN).href
  }

  it('[A28] needs consent every time, because another program may use its id (RFC 8252 §8.6)', async () => {
    const browser = await signedIn(handle)
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

  it.each([
    ['another port', { redirect_uri: 'http://127.0.0.1:51005/callback' }],
    ['another code_challenge', { code_challenge: 'c'.repeat(43) }],
    ['more scopes', { scope: 'openid profile email' }],
    ['an additional parameter', { claims: '{"userinfo":{"email":null}}' }],
    ['no change', {}],
  ])(
    '[A26][A28] needs consent again if the app repeats the approved request with %s',
    async (_, changes) => {
      const browser = await signedIn(handle)
      const app = new RelyingApp('native')
      await approvedRequest(browser, app)

      const response = await browser.get(await app.authorizationUrl(changes))

      expect([response.status, response.headers.get('Location')]).toEqual([200, null])
    },
  )

  it.each([
    [59, 303],
    [61, 200],
  ])('[A26][A28] is granted %i s after the approval: %i', async (seconds, status) => {
    advanceClock(0)
    const browser = await signedIn(handle)
    const url = await approvedRequest(browser, new RelyingApp('native'))
    advanceClock(seconds)

    expect((await browser.get(url)).status).toBe(status)
  })

  it('[A26][A28] needs consent again in another session of the same browser', async () => {
    const browser = await signedIn(handle)
    const url = await approvedRequest(browser, new RelyingApp('native'))
    await browser.signIn(handle, { prompt: 'login' })

    expect((await browser.get(url)).status).toBe(200)
  })

  it('[A26][A28] is not granted in another browser', async () => {
    const browser = await signedIn(handle)
    const url = await approvedRequest(browser, new RelyingApp('native'))

    for (const other of [await signedIn(handle), await signedIn(otherHandle), new Browser()])
      expect((await other.get(url)).status).toBe(400)
  })
})

describe('the consent page', () => {
  it('[A27] shows the app, its host and the requested access before any code is issued', async () => {
    const browser = await signedIn(handle)

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

  it('says that the user has no email address if the app asks for one', async () => {
    const browser = await signedIn(handle)

    const response = await authorize(browser, 'kiosk', { scope: 'openid email' })

    expect(await response.text()).toContain(
      'See your email address</bdi> (\u2068none yet; also applies to one that you add later\u2069)',
    )
  })

  it('[A27] lets the user choose another account for the same request', async () => {
    const browser = await signedIn(handle)
    const app = new RelyingApp('kiosk')
    const page = await (await browser.get(await app.authorizationUrl({ state: 'kept' }))).text()

    const otherAccount = findLink(page, 'prompt=select_account')
    const signInPage = await (await browser.get(otherAccount)).text()
    const toPlatform = await browser.get(findLink(signInPage, 'signin/tiktok?'), OWN_PAGE)
    const callbackOfMia = await browser.approve(redirectUrl(toPlatform), 'mia')
    const ofMia = await browser.get(redirectUrl(await browser.get(callbackOfMia)).href)

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
    const browser = await signedIn(handle)
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
    const otherUser = await signedIn(otherHandle)
    expect((await authorize(otherUser, 'kiosk')).status).toBe(200)
  })

  it.each<[string, Record<string, string>]>([
    ['no scope', { scope: '' }],
    ['an unknown scope', { scope: 'x:y' }],
    ['a claim of another scope', { scope: 'openid', claims: '{"userinfo":{"name":null}}' }],
    ['a claim for the ID token', { scope: 'openid', claims: '{"id_token":{"email":null}}' }],
  ])('[A27][A28] is required for %s', async (name, changes) => {
    const browser = await signedIn(handle)
    if (name.includes('claim'))
      await approveConsent(browser, await authorize(browser, 'kiosk', { scope: 'openid' }))

    const silent = await new RelyingApp('kiosk').callbackFor(browser, {
      prompt: 'none',
      ...changes,
    })

    expect(silent.searchParams.get('error')).toBe('consent_required')
  })

  it.each(['query', 'fragment', 'form_post'])(
    '[A6] returns access_denied to the app when the user denies (%s)',
    async (response_mode) => {
      const browser = await signedIn(handle)
      const app = new RelyingApp('kiosk')
      const page = await browser.get(await app.authorizationUrl({ response_mode }))

      const decided = await browser.post('/oidc/consent', {
        ...(await shownConsent(page)),
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
  it('[A25][A27] agrees to nothing that the page did not show, if the registration has become wider', async () => {
    const narrow = serviceWith({ CLIENTS: clientsWith({ kiosk: { scope: 'openid' } }) })
    const user = await signedIn(handle)
    const browser = new Browser(narrow).withCookiesOf(user)
    const url = await new RelyingApp('kiosk').authorizationUrl({ scope: 'openid email' })
    const shown = await shownConsent(await browser.get(url))
    user.withCookiesOf(browser)

    // The registered client has the scope email.
    const approved = await user.post('/oidc/consent', { ...shown, answer: 'approve' })
    const response = await user.get(await continueUrl(approved))

    expect([response.status, response.headers.get('Location')]).toEqual([200, null])
    expect((await browser.get(url)).status).toBe(200)
  })

  it('leads to the page of the app if the request was answered before', async () => {
    const browser = await signedIn(handle)
    const shown = await shownConsent(await authorize(browser, 'kiosk'))
    const answer = { ...shown, answer: 'approve' }
    await browser.get(await continueUrl(await browser.post('/oidc/consent', answer)))

    const again = await browser.post('/oidc/consent', answer)

    expect(await continueUrl(again)).toBe('https://kiosk.example/')
  })

  it('[A29] is rejected after the user has signed out', async () => {
    const browser = await signedIn(handle)
    const url = await new RelyingApp('kiosk').authorizationUrl()
    const shown = await shownConsent(await browser.get(url))
    const cookiesBefore = new Map(browser.cookies)
    await browser.post('/api/auth/signout', {})
    for (const [name, value] of cookiesBefore) browser.cookies.set(name, value)

    const response = await browser.post('/oidc/consent', { ...shown, answer: 'approve' })

    expect([response.status, response.headers.get('Location')]).toEqual([400, null])
    expect((await (await signedIn(handle)).get(url)).status).toBe(200)
  })

  it('[A29] changes nothing that the user has allowed before, if they deny it', async () => {
    const browser = await signedIn(handle)
    const app = new RelyingApp('kiosk')
    const url = await app.authorizationUrl()
    await approveConsent(browser, await browser.get(url))
    const page = await browser.get(await app.authorizationUrl({ prompt: 'consent' }))

    await browser.post('/oidc/consent', { ...(await shownConsent(page)), answer: 'deny' })

    expect((await browser.get(url)).status).toBe(303)
    const account = await (await browser.get('/account')).text()
    expect(account).toContain('/account/consents?client_id=kiosk')
  })

  it.each<[string, Record<string, string>]>([
    ['another site', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
    ['a sibling domain', { Origin: 'https://evil.login.example', 'Sec-Fetch-Site': 'same-site' }],
    ['a registered app', { Origin: SHOP, 'Sec-Fetch-Site': 'same-site' }],
    ['a sandboxed frame', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
    ['an unknown origin without our CSRF token', {}],
  ])('[A29] is rejected from %s', async (_, headers) => {
    const browser = await signedIn(handle)
    const url = await new RelyingApp('kiosk').authorizationUrl()
    const shown = await shownConsent(await browser.get(url))
    const form = { ...shown, answer: 'approve' }

    const response = await browser.fetch('/oidc/consent', { form, headers })

    expect(response.status).toBe(403)
    expect((await browser.get(url)).status).toBe(200)
  })

  it('[A26] accepts only a request that was shown to this user in this browser', async () => {
    const browser = await signedIn(handle)
    const url = await new RelyingApp('kiosk').authorizationUrl()
    const shown = await shownConsent(await browser.get(url))
    const otherUser = await signedIn(otherHandle)
    const others = await shownConsent(
      await otherUser.get(await new RelyingApp('kiosk').authorizationUrl()),
    )
    const forgeries = [
      others,
      { ...shown, interaction: others.interaction },
      { ...shown, interaction: browser.cookies.get('__Host-vestibule.session') ?? '' },
      { ...shown, interaction: '' },
      { ...shown, interaction: 'x' },
    ]

    for (const forged of forgeries) {
      const response = await browser.post('/oidc/consent', { ...forged, answer: 'approve' })

      expect([response.status, response.headers.get('Location')]).toEqual([400, null])
    }
    expect((await browser.get(url)).status).toBe(200)
  })

  it.each([
    ['another user', () => otherHandle, { prompt: 'select_account' }],
    ['another session of the user', () => handle, { prompt: 'login' }],
  ])('[A26] shows the page again to %s', async (_, persona, options) => {
    const browser = await signedIn(handle)
    const url = await new RelyingApp('kiosk').authorizationUrl()
    const shown = await shownConsent(await browser.get(url))
    await browser.signIn(persona(), options)

    const decided = await browser.post('/oidc/consent', { ...shown, answer: 'approve' })
    const response = await browser.get(await continueUrl(decided))

    expect(await response.text()).toContain('id="approve"')
    expect((await browser.get(url)).status).toBe(200)
  })

  it('[A17] needs the sign-in that the request asks for also if another session approves', async () => {
    const browser = await signedIn(handle)
    const toSignIn = await authorize(browser, 'kiosk', { prompt: 'login' })
    const resumed = resumedRequest(toSignIn)
    await browser.signIn(handle, { prompt: 'login' })
    const shown = await shownConsent(await browser.get(resumed))
    await browser.post('/api/auth/signout', {})
    await browser.signIn(handle)

    const decided = await browser.post('/oidc/consent', { ...shown, answer: 'approve' })

    expectSignIn(await browser.get(await continueUrl(decided)))
  })

  it.each([{ prompt: 'login' }, { max_age: '0' }])(
    '[A17][A26] with %o needs the new sign-in in the session that approves, not in another one',
    async (changes) => {
      const stolen = await signedIn(handle)
      advanceClock(10)
      const { shown } = await shownConsent(await authorize(stolen, 'kiosk'))
      const browser = await signedIn(otherHandle)
      const toSignIn = await authorize(browser, 'kiosk', changes)
      await browser.signIn(otherHandle, { prompt: 'login' })
      const resumed = await browser.get(resumedRequest(toSignIn))
      const { interaction } = await shownConsent(resumed)
      browser.withCookiesOf(stolen)

      const form = { interaction, shown, answer: 'approve' }
      const decided = await browser.post('/oidc/consent', form)

      expectSignIn(await browser.get(await continueUrl(decided)))
      const silently = await stolen.get(
        await new RelyingApp('kiosk').authorizationUrl({ prompt: 'none' }),
      )
      expect(redirectUrl(silently).searchParams.get('error')).toBe('consent_required')
    },
  )

  it.each([
    ['removed', clientsWithout('kiosk')],
    ['registered with another address', clientsWith({ kiosk: { redirect_uris: [`${SHOP}/new`] } })],
  ])('[A25] does not redirect once the client is %s', async (_, CLIENTS) => {
    const before = await signedIn(handle)
    const shown = await shownConsent(await authorize(before, 'kiosk'))
    const browser = new Browser(serviceWith({ CLIENTS })).withCookiesOf(before)

    for (const answer of ['approve', 'deny']) {
      const decided = await browser.post('/oidc/consent', { ...shown, answer })
      const response =
        decided.status === 200 ? await browser.get(await continueUrl(decided)) : decided

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
    const browser = await signedIn(handle)
    const app = new RelyingApp()

    const toSignIn = await browser.get(await app.authorizationUrl({ id_token_hint: hint }))
    expectSignIn(toSignIn)
    const resumed = resumedRequest(toSignIn)
    const signInPage = await browser.get(redirectUrl(toSignIn).href)
    const asWrongUser = await browser.get(resumed)
    const start = await browser.get(findLink(await signInPage.text(), 'signin/tiktok?'), OWN_PAGE)
    await browser.get(await browser.approve(redirectUrl(start), 'mia'))
    const callback = redirectUrl(await browser.get(resumed))

    expectSignIn(asWrongUser)
    expect((await app.exchange(callback)).claims()?.sub).toBe(decodeJwt(own).sub)
  })

  it.each([
    ['removed', clientsWithout('web')],
    ['registered with another address', clientsWith({ web: { redirect_uris: [`${SHOP}/new`] } })],
  ])('[A11][A25] is checked again: the client was %s', async (_, CLIENTS) => {
    const before = await signedIn()
    const resumed = resumedRequest(await authorize(before, 'web', { prompt: 'login' }))
    await before.signIn('mia', { prompt: 'login' })
    const browser = new Browser(serviceWith({ CLIENTS })).withCookiesOf(before)

    const response = await browser.get(resumed)

    expect([response.status, response.headers.get('Location')]).toEqual([400, null])
    expect(redirectUrl(await before.get(resumed)).searchParams.has('code')).toBe(true)
  })

  it('[A27] is answered once: then the user continues on the page of the app', async () => {
    const browser = await signedIn()
    const resumed = resumedRequest(await authorize(browser, 'web', { prompt: 'login' }))
    await browser.signIn('mia', { prompt: 'login' })
    expect(redirectUrl(await browser.get(resumed)).searchParams.has('code')).toBe(true)

    const again = redirectUrl(await browser.get(resumed))

    expect(again.href).toBe('https://web.example/')
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

    expect(tokens.status).toBe(200)
    expect(await tokens.json()).not.toHaveProperty('scope')
  })
})
