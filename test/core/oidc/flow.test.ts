import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser, LOGIN, serviceWith, WITH_GITHUB } from '../../browser.ts'
import { advanceClock, DAY, stopClock } from '../../clock.ts'
import { redirectUrl } from '../../redirect.ts'
import { handleContent } from './handle-content.ts'
import { verifyWithPublishedKeys } from './published-metadata.ts'
import {
  basic,
  formCredentials,
  getUserinfo,
  OFFLINE_ACCESS,
  postForm,
  RelyingApp,
  signedIn,
  signedInAsNewUser,
} from './relying-app.ts'
import { approveConsent, signInOnPage } from './user-steps.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('the code flow', () => {
  it('[SSO] redirects to the sign-in page and back to the app, and the next app needs no sign-in', async () => {
    const browser = new Browser(serviceWith(WITH_GITHUB))
    const app = new RelyingApp()
    const toSignIn = await browser.get(await app.authorizationUrl())
    const page = await (await browser.get(redirectUrl(toSignIn).href)).text()

    const response = await signInOnPage(browser, toSignIn)
    const tokens = await app.exchange(redirectUrl(response))
    const tokensOfNextApp = await new RelyingApp('post').tokens(browser)

    expect(page).toContain('The web app')
    expect(tokens.claims()?.aud).toBe('web')
    expect(tokensOfNextApp.claims()?.aud).toBe('post')
  })

  it('[F1][F2] issues an RFC 9068 access token for the requested API', async () => {
    const tokens = await new RelyingApp().tokens(await signedIn(), {
      resource: 'https://stock.example',
    })

    const { payload, protectedHeader } = await verifyWithPublishedKeys(tokens.access_token, {
      audience: 'https://stock.example',
      typ: 'at+jwt',
    })

    expect(protectedHeader.alg).toBe('ES256')
    expect(payload).toMatchObject({
      client_id: 'web',
      scope: 'openid profile',
      jti: expect.stringMatching(/^gnt_/),
    })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600)
  })

  it('[E8] puts the claims of the granted scopes into the ID token unless the client opts out', async () => {
    const browser = await signedIn()

    const full = await new RelyingApp('post').tokens(browser)
    const withoutProfile = await new RelyingApp('post').tokens(browser, { scope: 'openid' })
    const minimal = await new RelyingApp('certifier').tokens(browser)

    expect(full.claims()).toMatchObject({
      name: 'Mia Lindqvist',
      preferred_username: 'mia',
      picture: expect.stringMatching(/^https:/),
      profile: expect.stringMatching(/^https:/),
    })
    expect(decodeProtectedHeader(full.id_token ?? '').alg).toBe('ES256')
    for (const tokens of [withoutProfile, minimal])
      for (const name of ['name', 'preferred_username', 'picture', 'profile'])
        expect(tokens.claims()).not.toHaveProperty(name)
  })

  it.each([
    ['an API registered for JWT', ['https://legacy.example'], 'JWT'],
    ['an API that is not registered', ['https://stock.example'], 'at+jwt'],
    ['both', ['https://legacy.example', 'https://stock.example'], 'at+jwt'],
  ])('[F1] issues an access token for %s with the type of the API', async (_, resources, typ) => {
    const [app, browser] = [new RelyingApp(), await signedIn()]
    const url = new URL(await app.authorizationUrl())
    for (const resource of resources) url.searchParams.append('resource', resource)

    const { access_token } = await app.exchange(redirectUrl(await browser.get(url.href)))

    const { payload, protectedHeader } = await verifyWithPublishedKeys(access_token, {
      audience: resources,
    })
    expect(protectedHeader.typ).toBe(typ)
    // Whatever its type, it is not mistaken for an ID token.
    expect(payload['token_use']).toBe(typ === 'JWT' ? 'access' : undefined)
    expect((await getUserinfo(access_token)).status).toBe(200)
  })

  it.each([
    ['an API registered for RS256', ['https://rsa.example'], 'RS256'],
    [
      'an API registered for RS256 and another one',
      ['https://rsa.example', 'https://stock.example'],
      'ES256',
    ],
  ])('[F1] signs an access token for %s as all its APIs accept', async (_, resources, alg) => {
    const [app, browser] = [new RelyingApp(), await signedIn()]
    const url = new URL(await app.authorizationUrl())
    for (const resource of resources) url.searchParams.append('resource', resource)

    const tokens = await app.exchange(redirectUrl(await browser.get(url.href)))

    const { protectedHeader } = await verifyWithPublishedKeys(tokens.access_token, {
      audience: resources,
      typ: 'at+jwt',
    })
    expect(protectedHeader.alg).toBe(alg)
    const introspection = { token: tokens.access_token }
    const introspected = await postForm('/oidc/introspect', introspection, basic('web'))
    expect(await introspected.json()).toHaveProperty('active', true)
  })

  it.each<[string, string[], string | string[], number]>([
    ['requires a single audience', ['https://rsa.example'], 'https://rsa.example', 401],
    ['does not', ['https://stock.example'], ['https://stock.example', LOGIN], 200],
    [
      'requires a single audience, and for another one',
      ['https://rsa.example', 'https://stock.example'],
      ['https://rsa.example', 'https://stock.example', LOGIN],
      200,
    ],
  ])(
    '[F2] issues an access token for an API that %s; userinfo accepts it if it is in aud',
    async (_, resources, aud, status) => {
      const [app, browser] = [new RelyingApp(), await signedIn()]
      const url = new URL(await app.authorizationUrl())
      for (const resource of resources) url.searchParams.append('resource', resource)

      const { access_token } = await app.exchange(redirectUrl(await browser.get(url.href)))

      expect(decodeJwt(access_token).aud).toEqual(aud)
      expect((await getUserinfo(access_token)).status).toBe(status)
    },
  )

  it('[F2] issues a token for userinfo alone, also if the grant is for an API', async () => {
    const [app, browser] = [new RelyingApp(), await signedIn()]
    const resource = `${LOGIN}/oidc/userinfo`
    const changes = { ...OFFLINE_ACCESS, resource: 'https://rsa.example' }
    const callback = await app.callbackFor(browser, changes)

    const response = await app.requestTokens(app.codeExchangeForm(callback, { resource }))
    const tokens = await response.json<Record<'access_token' | 'refresh_token', string>>()
    const refreshed = await app.refresh(tokens.refresh_token)

    expect(decodeJwt(tokens.access_token).aud).toBe(LOGIN)
    expect((await getUserinfo(tokens.access_token)).status).toBe(200)
    expect(decodeJwt(refreshed.access_token).aud).toBe('https://rsa.example')
  })

  it('issues an ID token without a nonce for a request without one', async () => {
    const app = new RelyingApp('certifier')
    const callback = await app.callbackFor(await signedIn(), { nonce: undefined })

    const tokens = await app.exchange(callback, { expectedNonce: undefined as never })

    expect(tokens.claims()).not.toHaveProperty('nonce')
  })

  it('returns to a redirect URI with a query, which stays the same (RFC 6749 §3.1.2)', async () => {
    const app = new RelyingApp('certifier-2')

    const { searchParams } = await app.callbackFor(await signedIn())

    expect([...searchParams.keys()]).toEqual(['dummy1', 'dummy2', 'code', 'state', 'iss'])
    expect([searchParams.get('dummy1'), searchParams.get('dummy2')]).toEqual(['lorem', 'ipsum'])
  })

  it.each([
    [{ prompt: 'login' }, true],
    [{ max_age: '1' }, true],
    [{ prompt: 'none' }, false],
    [{ max_age: '10000' }, false],
  ])(
    '[A17] with %o names the time of the sign-in in the ID token; a new one: %s',
    async (changes, isNew) => {
      const browser = await signedIn()
      const app = new RelyingApp()
      const first = (await app.tokens(browser)).claims()
      advanceClock(10)
      const response = await browser.get(await app.authorizationUrl(changes))
      const answer = isNew ? await signInOnPage(browser, response) : response

      const second = (await app.exchange(redirectUrl(answer, 303))).claims()

      expect(second?.sub).toBe(first?.sub)
      const waited = Number(second?.auth_time) - Number(first?.auth_time)
      if (isNew) expect(waited).toBeGreaterThanOrEqual(10)
      else expect(waited).toBe(0)
    },
  )

  it('[A2][A27] works for a native app on any loopback port, each time the user consents', async () => {
    const browser = await signedInAsNewUser()
    const app = new RelyingApp('native')
    const consentPage = await browser.get(await app.authorizationUrl())
    const page = await consentPage.clone().text()

    const response = await approveConsent(browser, consentPage)
    const tokens = await app.exchange(redirectUrl(response))
    const secondApp = new RelyingApp('native')
    const secondPage = await browser.get(await secondApp.authorizationUrl())
    const secondResponse = await approveConsent(browser, secondPage)

    expect(page).toContain('127.0.0.1:51004')
    expect(tokens.claims()?.aud).toBe('native')
    expect((await secondApp.exchange(redirectUrl(secondResponse))).claims()?.aud).toBe('native')
  })
})

describe('a code', () => {
  it('[C2] that is used again ends its grant and its tokens (RFC 6749 §4.1.2)', async () => {
    const app = new RelyingApp()
    const callback = await app.callbackFor(await signedIn())
    const tokens = await app.exchange(callback)

    await expect(app.exchange(callback)).rejects.toMatchObject({ error: 'invalid_grant' })

    await expect(app.userinfo(tokens.access_token, tokens.claims()?.sub ?? '')).rejects.toThrow()
  })

  it('[C3] stays valid when another client tries to redeem it', async () => {
    const app = new RelyingApp()
    const callback = await app.callbackFor(await signedIn())

    const response = await postForm('/oidc/token', {
      ...app.codeExchangeForm(callback),
      ...formCredentials('post'),
    })

    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
    expect((await app.exchange(callback)).access_token).toBeTruthy()
  })

  it.each([
    [59, true],
    [61, false],
  ])('[C4] is valid for sixty seconds: after %i', async (seconds, isValid) => {
    const app = new RelyingApp()
    const browser = await signedIn()
    stopClock()
    const callback = await app.callbackFor(browser)
    advanceClock(seconds)

    const result = await app.exchange(callback).then(
      () => true,
      (error) => error.error,
    )

    expect(result).toBe(isValid ? true : 'invalid_grant')
  })

  it.each([
    ['another redirect_uri', { redirect_uri: 'https://web.example/other' }],
    ['no redirect_uri', { redirect_uri: undefined }],
    ['another verifier', { code_verifier: 'a'.repeat(43) }],
    ['no verifier', { code_verifier: undefined }],
  ])('[C5][C6][B5] is rejected with %s', async (_, changes) => {
    const app = new RelyingApp()
    const callback = await app.callbackFor(await signedIn())

    const response = await app.requestTokens(app.codeExchangeForm(callback, changes))

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('[B6] is no longer valid after a wrong verifier', async () => {
    const app = new RelyingApp()
    const callback = await app.callbackFor(await signedIn())
    await expect(
      app.exchange(callback, { pkceCodeVerifier: 'b'.repeat(43) }),
    ).rejects.toMatchObject({ error: 'invalid_grant' })

    await expect(app.exchange(callback)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('[C7] stays valid after a request for a resource that was not granted', async () => {
    const app = new RelyingApp()
    const callback = await app.callbackFor(await signedIn(), { resource: 'https://stock.example' })
    const form = app.codeExchangeForm(callback, { resource: 'https://orders.example' })

    const response = await app.requestTokens(form)

    expect(await response.json()).toMatchObject({
      error: 'invalid_target',
      error_description: expect.stringMatching(/^https:\/\/orders\.example was not granted: /),
    })
    expect((await app.exchange(callback)).access_token).toBeTruthy()
  })
})

describe('a refresh token', () => {
  it('[D1] is issued only for offline_access', async () => {
    const browser = await signedIn()

    const online = await new RelyingApp().tokens(browser)
    const offline = await new RelyingApp().tokens(browser, OFFLINE_ACCESS)

    expect(online.refresh_token).toBeUndefined()
    expect(offline.refresh_token).toMatch(/^rt_/)
  })

  it('[D2][D10] is replaced at every use, and the new ID token has no nonce', async () => {
    const app = new RelyingApp()
    const first = await app.tokens(await signedIn(), OFFLINE_ACCESS)

    const second = await app.refresh(first.refresh_token ?? '')

    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(first.claims()).toHaveProperty('nonce')
    expect(second.claims()).not.toHaveProperty('nonce')
    expect(second.claims()).not.toHaveProperty('azp')
    for (const name of ['iss', 'sub', 'aud', 'auth_time', 'sid']) {
      expect(second.claims()?.[name], name).toEqual(first.claims()?.[name])
      expect(first.claims(), name).toHaveProperty(name)
    }
  })

  it('[D4][D5] may be reused within the grace period, and ends its family afterwards', async () => {
    const app = new RelyingApp()
    const { refresh_token: first = '' } = await app.tokens(await signedIn(), OFFLINE_ACCESS)
    const { refresh_token: second = '' } = await app.refresh(first)
    advanceClock(19)
    const { refresh_token: repeated } = await app.refresh(first)
    expect(await handleContent(repeated)).toEqual(await handleContent(second))

    advanceClock(2)

    await expect(app.refresh(first)).rejects.toMatchObject({ error: 'invalid_grant' })
    await expect(app.refresh(second)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('[D6] stays valid when forged tokens are sent', async () => {
    const app = new RelyingApp()
    const { refresh_token = '' } = await app.tokens(await signedIn(), OFFLINE_ACCESS)
    const forgeries = [
      'rt_',
      'rt_AAAA',
      `${refresh_token.slice(0, -4)}AAAA`,
      refresh_token.replace('rt_', 'ac_'),
    ]

    for (const forged of forgeries)
      await expect(app.refresh(forged)).rejects.toMatchObject({ error: 'invalid_grant' })
    expect((await app.refresh(refresh_token)).access_token).toBeTruthy()
  })

  it('[D7] expires after a month without use', async () => {
    const app = new RelyingApp()
    const { refresh_token = '' } = await app.tokens(await signedIn(), OFFLINE_ACCESS)
    advanceClock(31 * DAY)

    await expect(app.refresh(refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('[D11] ends, like its access token, when the user signs out', async () => {
    const app = new RelyingApp()
    const browser = await signedIn()
    const tokens = await app.tokens(browser, OFFLINE_ACCESS)
    const { access_token, refresh_token = '' } = tokens
    const subject = tokens.claims()?.sub ?? ''
    expect(await app.userinfo(access_token, subject)).toHaveProperty('sub', subject)

    await browser.post('/api/auth/signout', {})

    await expect(app.refresh(refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
    await expect(app.userinfo(access_token, subject)).rejects.toMatchObject({ status: 401 })
  })

  it('[C14] is rejected when another client uses it', async () => {
    const { refresh_token = '' } = await new RelyingApp().tokens(await signedIn(), OFFLINE_ACCESS)

    const response = await postForm('/oidc/token', {
      grant_type: 'refresh_token',
      refresh_token,
      ...formCredentials('post'),
    })

    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
    expect((await new RelyingApp().refresh(refresh_token)).access_token).toBeTruthy()
  })

  it('[C22] may be used for a narrower scope, never for a wider one', async () => {
    const app = new RelyingApp()
    const { refresh_token = '' } = await app.tokens(await signedIn(), OFFLINE_ACCESS)

    const narrowed = await app.refresh(refresh_token, { scope: 'openid' })

    const successor = narrowed.refresh_token ?? ''
    expect(narrowed.scope).toBe('openid')
    await expect(app.refresh(successor, { scope: 'openid email' })).rejects.toMatchObject({
      error: 'invalid_scope',
    })
    expect((await app.refresh(successor)).scope).toBe(OFFLINE_ACCESS.scope)
  })
})
