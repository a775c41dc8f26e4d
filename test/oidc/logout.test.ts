import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createRemoteJWKSet, customFetch, jwtVerify, SignJWT } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Browser, LOGIN, standIn } from '../browser.ts'
import { RelyingApp, signedIn } from './relying-app.ts'

const BYE = 'https://web.example/bye'

const logoutUrl = (parameters: Record<string, string>) =>
  `/oidc/logout?${new URLSearchParams(parameters)}`

/** Somebody who is signed in at an app, and the ID token it holds. */
async function signedInAt(clientId = 'web') {
  const persona = `l${crypto.randomUUID().slice(0, 8)}`
  await standIn.post('users', { handle: persona })
  const browser = await signedIn(persona)
  const tokens = await new RelyingApp(clientId).tokens(browser)
  return { browser, hint: tokens.id_token ?? '', tokens }
}

async function told(app: string): Promise<string[]> {
  const received: { path: string; body: string }[] = await (
    await fetch('https://told.example/received')
  ).json()
  return received.filter(({ path }) => path === `/${app}`).map(({ body }) => body)
}

afterEach(() => {
  vi.useRealTimers()
})

describe('GET /oidc/logout', () => {
  it.each([
    ['a final slash', `${BYE}/`],
    ['another case', 'https://WEB.example/bye'],
    ['a redirect_uri', 'https://web.example/callback'],
  ])('[J1] %s: leads nowhere that is not registered', async (_, post_logout_redirect_uri) => {
    const { browser, hint } = await signedInAt()

    const response = await browser.get(logoutUrl({ id_token_hint: hint, post_logout_redirect_uri }))

    expect(response.status).toBe(400)
    expect(response.headers.get('Location')).toBeNull()
    expect(await response.text()).toContain('post_logout_redirect_uri')
    expect(await browser.session()).not.toBeNull()
  })

  it.each(['another issuer', 'garbage'])('[J3] %s: leads nowhere', async (kind) => {
    const { browser } = await signedInAt()
    const key = new TextEncoder().encode('x'.repeat(32))
    const hints: Record<string, string> = {
      'another issuer': await new SignJWT({ iss: 'https://evil.example' })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(key),
      garbage: 'x.y.z',
    }

    const response = await browser.get(
      logoutUrl({ id_token_hint: hints[kind] ?? '', post_logout_redirect_uri: BYE }),
    )

    expect(response.status).toBe(400)
    expect(response.headers.get('Location')).toBeNull()
    expect(await response.text()).toContain('id_token_hint')
    expect(await browser.session()).not.toBeNull()
  })

  it('[J4] takes an ID token that has expired', async () => {
    const { browser, hint } = await signedInAt()
    vi.useFakeTimers({ now: Date.now() + 2 * 3_600_000, toFake: ['Date'] })

    const response = await browser.get(
      logoutUrl({ id_token_hint: hint, post_logout_redirect_uri: BYE }),
    )

    expect(response.headers.get('Location')).toBe(BYE)
  })

  it('[J5] asks when the hint is about another session', async () => {
    const { hint } = await signedInAt()
    const { browser } = await signedInAt()

    const response = await browser.get(
      logoutUrl({ id_token_hint: hint, post_logout_redirect_uri: BYE }),
    )

    expect(await response.text()).toContain('id="confirm-logout"')
    expect(await browser.session()).not.toBeNull()
  })

  it('[J1] refuses a client_id that is not the hint’s, and a parameter sent twice', async () => {
    const { browser, hint } = await signedInAt()

    expect((await browser.get(logoutUrl({ id_token_hint: hint, client_id: 'post' }))).status).toBe(
      400,
    )
    expect(
      (await browser.get(`${logoutUrl({ id_token_hint: hint })}&state=a&state=b`)).status,
    ).toBe(400)
    expect(await browser.session()).not.toBeNull()
  })

  it('[J1] works by POST, which comes back as a GET with cookies', async () => {
    const { browser, hint } = await signedInAt()

    const posted = await browser.fetch('/oidc/logout', {
      form: { id_token_hint: hint, post_logout_redirect_uri: BYE },
      headers: { Origin: 'https://web.example', 'Sec-Fetch-Site': 'cross-site' },
    })

    expect(posted.status).toBe(303)
    expect((await browser.get(posted.headers.get('Location') ?? '')).headers.get('Location')).toBe(
      BYE,
    )
  })

  it('[J2] takes a confirmation from our own page alone', async () => {
    const { browser } = await signedInAt()

    const response = await browser.fetch('/oidc/logout/confirm', {
      form: {},
      headers: { Origin: 'https://evil.example' },
    })

    expect(response.status).toBe(403)
    expect(await browser.session()).not.toBeNull()
  })
})

describe('back-channel logout', () => {
  const objectOf = async (browser: Browser) =>
    env.USERS.get(env.USERS.idFromName((await browser.session())?.user.id ?? ''))

  it('[J8] tells every app of the session, with a logout token', async () => {
    const { browser, tokens } = await signedInAt()
    await new RelyingApp('post').tokens(browser)
    const object = await objectOf(browser)
    const before = { web: (await told('web')).length, post: (await told('post')).length }

    await browser.post('/api/auth/signout', {})
    await runDurableObjectAlarm(object)
    await vi.waitFor(async () => expect((await told('post')).length).toBe(before.post + 1))
    await vi.waitFor(async () => expect((await told('web')).length).toBe(before.web + 1))

    const [body = ''] = (await told('web')).slice(before.web)
    const form = new URLSearchParams(body)
    expect([...form.keys()]).toEqual(['logout_token'])
    const jwks = createRemoteJWKSet(new URL(`${LOGIN}/.well-known/jwks.json`), {
      [customFetch]: (url: string) => browser.get(url),
    })
    const { payload, protectedHeader } = await jwtVerify(form.get('logout_token') ?? '', jwks, {
      issuer: LOGIN,
      audience: 'web',
    })
    expect(protectedHeader.typ).toBe('logout+jwt')
    expect(payload).toMatchObject({
      sub: tokens.claims()?.sub,
      sid: tokens.claims()?.['sid'],
      jti: expect.any(String),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    expect(payload).not.toHaveProperty('nonce')
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(120)
  })

  it('[J9] tries again when an app does not answer, and delays nobody', async () => {
    const { browser } = await signedInAt()
    const object = await objectOf(browser)
    await fetch('https://told.example/refuse/web/2', { method: 'POST' })
    const before = (await told('web')).length

    await browser.post('/api/auth/signout', {})
    expect(await browser.session()).toBeNull()
    await runDurableObjectAlarm(object)
    await vi.waitFor(async () => expect((await told('web')).length).toBe(before + 1))
    vi.useFakeTimers({ now: Date.now() + 11_000, toFake: ['Date'] })
    await runDurableObjectAlarm(object)
    vi.useFakeTimers({ now: Date.now() + 21_000, toFake: ['Date'] })
    await runDurableObjectAlarm(object)

    expect((await told('web')).length).toBe(before + 3)
  })

  it('tells nobody twice, and nobody who was not there', async () => {
    const { browser } = await signedInAt()
    const object = await objectOf(browser)
    const before = { web: (await told('web')).length, post: (await told('post')).length }

    await browser.post('/api/auth/signout', {})
    await runDurableObjectAlarm(object)
    await runDurableObjectAlarm(object)
    await vi.waitFor(async () => expect((await told('web')).length).toBe(before.web + 1))

    expect((await told('web')).length).toBe(before.web + 1)
    expect((await told('post')).length).toBe(before.post)
  })
})
