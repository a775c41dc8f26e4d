import { decodeJwt } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Browser } from '../browser.ts'
import { post, signedIn } from '../oidc/relying-app.ts'
import { agreeThere, Certifier, discovery, later, RESPONSE_MODES } from './certifier.ts'

interface TokenAnswer {
  access_token: string
  id_token: string
  refresh_token: string
}

afterEach(() => {
  vi.useRealTimers()
})

describe.each(RESPONSE_MODES)('the Basic plan in %s: codes and tokens', (mode) => {
  it('oidcc-idtoken-signature: RS256, by a published key', async () => {
    const certifier = new Certifier(mode)

    const { id_token } = await certifier.tokens(await signedIn())

    const { protectedHeader } = await certifier.verify(id_token)
    expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: expect.stringMatching(/./) })
  })

  it('oidcc-idtoken-unsigned: is skipped, because no such token is announced', async () => {
    const { id_token_signing_alg_values_supported } = await discovery()

    expect(id_token_signing_alg_values_supported).toContain('RS256')
    expect(id_token_signing_alg_values_supported).not.toContain('none')
  })

  it('oidcc-codereuse: a code shown a second time is refused', async () => {
    const certifier = new Certifier(mode)
    const answer = await certifier.receive(await certifier.ask(await signedIn()))
    await certifier.redeem(answer)

    const response = await certifier.showCode(answer)

    expect(response.status).toBe(400)
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('[C2][H5] oidcc-codereuse-30seconds: half a minute later too, and its tokens end with it', async () => {
    const certifier = new Certifier(mode)
    const answer = await certifier.receive(await certifier.ask(await signedIn()))
    const { access_token } = await certifier.redeem(answer)
    later(30)
    expect((await post('/oidc/userinfo', { access_token })).status).toBe(200)

    const response = await certifier.showCode(answer)

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
    expect((await post('/oidc/userinfo', { access_token })).status).toBe(401)
  })

  it('[C17][D10][D12] oidcc-refresh-token: works with a scope and without, and is about the same sign-in', async () => {
    const browser = await signedIn()
    const first = await offline(new Certifier(mode), browser)
    const certifier = new Certifier(mode)
    const before = decodeJwt(first.id_token)
    let { refresh_token } = first
    // Longer than 128 bits, which are 22 letters.
    expect(refresh_token.length).toBeGreaterThan(24)

    for (const narrowed of [{}, { scope: 'openid' }]) {
      later(2)
      const response = await certifier.askTokens({
        grant_type: 'refresh_token',
        refresh_token,
        ...narrowed,
      })

      expect(response.status).toBe(200)
      expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      const refreshed = await response.json<TokenAnswer>()
      const { payload } = await certifier.verify(refreshed.id_token)
      for (const name of ['iss', 'sub', 'aud', 'auth_time', 'sid'])
        expect(payload[name]).toEqual(before[name])
      expect(payload.iat).toBeGreaterThan(before.iat ?? Number.POSITIVE_INFINITY)
      expect(payload).not.toHaveProperty('azp')
      const { access_token } = refreshed
      expect((await post('/oidc/userinfo', { access_token })).status).toBe(200)
      refresh_token = refreshed.refresh_token
    }
  })

  it('[C14] oidcc-refresh-token: of the second client is refused to the first, and stays good', async () => {
    const second = new Certifier(mode, 'certifier-2')
    const { refresh_token } = await offline(second, await signedIn())
    const form = { grant_type: 'refresh_token', refresh_token }

    const refused = await new Certifier(mode).askTokens(form)

    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ error: 'invalid_grant' })
    expect((await second.askTokens(form)).status).toBe(200)
  })
})

/** The tokens of an app that asks for a refresh token, as OpenID Connect Core §11 wants it: with the person's consent. */
async function offline(certifier: Certifier, browser: Browser): Promise<TokenAnswer> {
  const page = await certifier.ask(browser, {
    scope: 'openid profile offline_access',
    prompt: 'consent',
  })
  const answer = await certifier.receive(await agreeThere(browser, page))
  const response = await certifier.showCode(answer)
  expect(response.status).toBe(200)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  return response.json()
}
