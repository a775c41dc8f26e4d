import { createRemoteJWKSet, customFetch, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser, LOGIN, standIn } from '../browser.ts'
import { basic, post, RelyingApp, SECRETS, signedIn } from './relying-app.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('the code flow', () => {
  it('[SSO] leads through the sign-in page, and back to the app', async () => {
    const browser = new Browser()
    const app = new RelyingApp()
    const toSignIn = await browser.get(await app.authorizationUrl())
    const page = await (await browser.get(toSignIn.headers.get('Location') ?? '')).text()
    expect(page).toContain('Sign in to The web app')
    const href =
      page.match(/href="([^"]*signin\/tiktok[^"]*)"/)?.[1]?.replaceAll('&amp;', '&') ?? ''

    const start = await browser.get(href)
    const back = await browser.get(
      await browser.approve(new URL(start.headers.get('Location') ?? ''), 'mia'),
    )
    const answered = await browser.get(back.headers.get('Location') ?? '')

    expect(
      (await app.exchange(new URL(answered.headers.get('Location') ?? ''))).claims()?.aud,
    ).toBe('web')
    // Signed in for one app means signed in for the next.
    expect((await new RelyingApp('post').tokens(browser)).claims()?.aud).toBe('post')
  })

  it('[F1][F2] gives an access token of RFC 9068, for the API it is for', async () => {
    const browser = await signedIn()
    const app = new RelyingApp()
    const tokens = await app.tokens(browser, { resource: 'https://stock.example' })
    const jwks = createRemoteJWKSet(new URL(`${LOGIN}/.well-known/jwks.json`), {
      [customFetch]: (url: string) => browser.get(url),
    })

    const { payload, protectedHeader } = await jwtVerify(tokens.access_token, jwks, {
      issuer: LOGIN,
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

  it('[E8] keeps profile claims out of the ID token unless the client opts in', async () => {
    const browser = await signedIn()

    expect((await new RelyingApp().tokens(browser)).claims()).not.toHaveProperty('name')
    const full = await new RelyingApp('post').tokens(browser)
    expect(full.claims()).toHaveProperty('name', 'Mia Lindqvist')
    expect(decodeProtectedHeader(full.id_token ?? '').alg).toBe('ES256')
    expect(decodeProtectedHeader(full.access_token).typ).toBe('JWT')
  })

  it('[A2][A27] works for a native app on any loopback port, once the person has agreed', async () => {
    await standIn.post('users', { handle: 'native-user' })
    const browser = await signedIn('native-user')
    const app = new RelyingApp('native')
    const page = await (await browser.get(await app.authorizationUrl())).text()
    const request = page.match(/name="request" value="([^"]+)"/)?.[1] ?? ''
    expect(page).toContain('id="approve"')
    expect(page).toContain('127.0.0.1:51004')

    const agreed = await browser.post('/oidc/consent', { request, answer: 'approve' })
    const answered = await browser.get(agreed.headers.get('Location') ?? '')

    expect(
      (await app.exchange(new URL(answered.headers.get('Location') ?? ''))).claims()?.aud,
    ).toBe('native')
    // And is not asked again.
    expect((await new RelyingApp('native').tokens(browser)).access_token).toBeTruthy()
  })
})

describe('a code', () => {
  it('[C2] shown again, ends its grant and its tokens', async () => {
    const app = new RelyingApp()
    const callback = await app.callback(await signedIn())
    const tokens = await app.exchange(callback)

    await expect(app.exchange(callback)).rejects.toMatchObject({ error: 'invalid_grant' })

    await expect(app.userinfo(tokens.access_token, tokens.claims()?.sub ?? '')).rejects.toThrow()
  })

  it('[C3] of another client is not touched by it', async () => {
    const app = new RelyingApp()
    const callback = await app.callback(await signedIn())
    const form = {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: app.redirectUri,
      code_verifier: app.verifier,
    }

    const stolen = await post('/oidc/token', {
      ...form,
      client_id: 'post',
      client_secret: SECRETS['post'] ?? '',
    })

    expect(await stolen.json()).toMatchObject({ error: 'invalid_grant' })
    expect((await app.exchange(callback)).access_token).toBeTruthy()
  })

  it.each([
    [59, true],
    [61, false],
  ])('[C4] is good for sixty seconds: after %i', async (seconds, isGood) => {
    const app = new RelyingApp()
    const callback = await app.callback(await signedIn())
    vi.useFakeTimers({ now: Date.now() + seconds * 1000, toFake: ['Date'] })

    const result = await app.exchange(callback).then(
      () => true,
      (error) => error.error,
    )

    expect(result).toBe(isGood ? true : 'invalid_grant')
  })

  it.each([
    ['another redirect_uri', { redirect_uri: 'https://web.example/other' }],
    ['no redirect_uri', { redirect_uri: undefined }],
    ['another verifier', { code_verifier: 'a'.repeat(43) }],
    ['no verifier', { code_verifier: undefined }],
  ])('[C5][C6][B5] is refused with %s', async (_, changes) => {
    const app = new RelyingApp()
    const callback = await app.callback(await signedIn())
    const form = {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: app.redirectUri,
      code_verifier: app.verifier,
      ...changes,
    }
    const given = Object.fromEntries(
      Object.entries(form).filter(([, value]) => value !== undefined),
    ) as Record<string, string>

    const response = await post('/oidc/token', given, basic('web', SECRETS['web'] ?? ''))

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('[B6] is dead after a wrong verifier', async () => {
    const app = new RelyingApp()
    const callback = await app.callback(await signedIn())
    await expect(
      app.exchange(callback, { pkceCodeVerifier: 'b'.repeat(43) }),
    ).rejects.toMatchObject({ error: 'invalid_grant' })

    await expect(app.exchange(callback)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('[C7] survives a resource that was not granted', async () => {
    const app = new RelyingApp()
    const callback = await app.callback(await signedIn(), { resource: 'https://stock.example' })
    const form = {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: app.redirectUri,
      code_verifier: app.verifier,
    }

    const refused = await post(
      '/oidc/token',
      { ...form, resource: 'https://orders.example' },
      basic('web', SECRETS['web'] ?? ''),
    )

    expect(await refused.json()).toMatchObject({ error: 'invalid_target' })
    expect((await app.exchange(callback)).access_token).toBeTruthy()
  })
})

describe('a refresh token', () => {
  const offline = { scope: 'openid profile offline_access' }

  it('[D1] is given only for offline_access', async () => {
    const browser = await signedIn()

    expect((await new RelyingApp().tokens(browser)).refresh_token).toBeUndefined()
    expect((await new RelyingApp().tokens(browser, offline)).refresh_token).toMatch(/^rt_/)
  })

  it('[D2][D10] is replaced at every use, and no nonce is repeated', async () => {
    const app = new RelyingApp()
    const first = await app.tokens(await signedIn(), offline)

    const second = await app.refresh(first.refresh_token ?? '')

    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(first.claims()).toHaveProperty('nonce')
    expect(second.claims()).not.toHaveProperty('nonce')
  })

  it('[D4][D5] may be shown again within the grace, and ends its family afterwards', async () => {
    const app = new RelyingApp()
    const { refresh_token: first = '' } = await app.tokens(await signedIn(), offline)
    const { refresh_token: second = '' } = await app.refresh(first)
    vi.useFakeTimers({ now: Date.now() + 19_000, toFake: ['Date'] })
    expect((await app.refresh(first)).refresh_token).toBe(second)

    vi.useFakeTimers({ now: Date.now() + 2_000, toFake: ['Date'] })
    await expect(app.refresh(first)).rejects.toMatchObject({ error: 'invalid_grant' })

    await expect(app.refresh(second)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('[D6] is not hurt by forgeries', async () => {
    const app = new RelyingApp()
    const { refresh_token = '' } = await app.tokens(await signedIn(), offline)
    for (const forged of [
      'rt_',
      'rt_AAAA',
      `${refresh_token.slice(0, -4)}AAAA`,
      refresh_token.replace('rt_', 'ac_'),
    ]) {
      await expect(app.refresh(forged)).rejects.toMatchObject({ error: 'invalid_grant' })
    }

    expect((await app.refresh(refresh_token)).access_token).toBeTruthy()
  })

  it('[D7] ends after a month without use, and after a year of it', async () => {
    const day = 24 * 3600 * 1000
    const app = new RelyingApp()
    const idle = await app.tokens(await signedIn(), offline)
    vi.useFakeTimers({ now: Date.now() + 31 * day, toFake: ['Date'] })

    await expect(app.refresh(idle.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('[D11] ends when the person signs out', async () => {
    const app = new RelyingApp()
    const browser = await signedIn()
    const tokens = await app.tokens(browser, offline)
    const subject = tokens.claims()?.sub ?? ''
    expect(await app.userinfo(tokens.access_token, subject)).toHaveProperty('sub', subject)

    await browser.post('/api/auth/signout', {})

    await expect(app.refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    await expect(app.userinfo(tokens.access_token, subject)).rejects.toMatchObject({ status: 401 })
  })

  it('[C14] works for its own client alone', async () => {
    const { refresh_token = '' } = await new RelyingApp().tokens(await signedIn(), offline)

    const response = await post('/oidc/token', {
      grant_type: 'refresh_token',
      refresh_token,
      client_id: 'post',
      client_secret: SECRETS['post'] ?? '',
    })

    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
    expect((await new RelyingApp().refresh(refresh_token)).access_token).toBeTruthy()
  })

  it('[C22] may narrow the scope and never widen it', async () => {
    const app = new RelyingApp()
    const { refresh_token = '' } = await app.tokens(await signedIn(), offline)

    const narrowed = await app.refresh(refresh_token, { scope: 'openid' })
    expect(narrowed.scope).toBe('openid')
    await expect(
      app.refresh(narrowed.refresh_token ?? '', { scope: 'openid email' }),
    ).rejects.toMatchObject({ error: 'invalid_scope' })
    expect((await app.refresh(narrowed.refresh_token ?? '')).scope).toBe(
      'openid profile offline_access',
    )
  })
})
