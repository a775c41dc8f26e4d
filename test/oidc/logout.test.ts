import { SignJWT } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser } from '../browser.ts'
import { RelyingApp, signedIn, signedInAt } from './relying-app.ts'

const BYE = 'https://web.example/bye'

const logoutUrl = (parameters: Record<string, string>) =>
  `/oidc/logout?${new URLSearchParams(parameters)}`

afterEach(() => {
  vi.useRealTimers()
})

describe('GET /oidc/logout', () => {
  it('[J5] by somebody who only holds an ID token ends nobody’s session', async () => {
    const browser = await signedIn()
    const app = new RelyingApp()
    const tokens = await app.tokens(browser, { scope: 'openid offline_access' })

    await new Browser().get(
      `/oidc/logout?${new URLSearchParams({ id_token_hint: tokens.id_token ?? '' })}`,
    )

    expect(await browser.session()).not.toBeNull()
    expect((await app.refresh(tokens.refresh_token ?? '')).access_token).toBeTruthy()
  })

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
