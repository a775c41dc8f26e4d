import { exports } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LOGIN, serviceWith } from '../browser.ts'
import { basic, post, RelyingApp, SECRETS, signedIn } from './relying-app.ts'

const web = basic('web', SECRETS['web'] ?? '')
const other = { client_id: 'post', client_secret: SECRETS['post'] ?? '' }
const offline = { scope: 'openid profile offline_access' }

async function isAlive({ access_token }: { access_token: string }): Promise<boolean> {
  const told = await post('/oidc/userinfo', { access_token })
  const known = await post('/oidc/introspect', { token: access_token }, web)
  const { active } = await known.json<{ active: boolean }>()
  expect(told.status === 200).toBe(active)
  return active
}

describe('POST /oidc/revoke', () => {
  it.each([
    ['[G4] a refresh token', 'refresh_token', undefined],
    ['[G3] a refresh token, hinted at as an access token', 'refresh_token', 'access_token'],
    ['[G3] a refresh token, with an unknown hint', 'refresh_token', 'saml'],
    ['[G5] an access token, which is a JWT', 'access_token', undefined],
    ['[G3] an access token, hinted at as a refresh token', 'access_token', 'refresh_token'],
  ] as const)('%s: ends the grant and all its tokens', async (_, kind, hint) => {
    const [app, browser] = [new RelyingApp(), await signedIn()]
    const tokens = await app.tokens(browser, offline)
    const spared = await app.tokens(browser, offline)
    const form = { token: tokens[kind] ?? '', ...(hint && { token_type_hint: hint }) }
    expect(await isAlive(tokens)).toBe(true)

    const response = await post('/oidc/revoke', form, web)

    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(await isAlive(tokens)).toBe(false)
    await expect(app.refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    expect(await isAlive(spared)).toBe(true)
    // Once more is no mistake.
    expect((await post('/oidc/revoke', form, web)).status).toBe(200)
  })

  it('[G4] takes a refresh token that has been replaced for what it was', async () => {
    const app = new RelyingApp()
    const first = await app.tokens(await signedIn(), offline)
    const second = await app.refresh(first.refresh_token ?? '')

    expect((await post('/oidc/revoke', { token: first.refresh_token ?? '' }, web)).status).toBe(200)

    expect(await isAlive(second)).toBe(false)
  })

  it('[G1] leaves the tokens of another client alone, and does not say so', async () => {
    const tokens = await new RelyingApp().tokens(await signedIn(), offline)

    for (const token of [tokens.access_token, tokens.refresh_token ?? '']) {
      for (const who of [other, { client_id: 'kiosk' }]) {
        const response = await post('/oidc/revoke', { token, ...who })
        expect([response.status, await response.text()]).toEqual([200, ''])
      }
    }
    expect(await isAlive(tokens)).toBe(true)
  })

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['nobody', {}, {}],
    ['a confidential client without its secret', { client_id: 'web' }, {}],
    ['a wrong secret', {}, basic('web', 'wrong')],
    ['a public client with a secret', { client_id: 'kiosk', client_secret: 'x' }, {}],
    ['an unknown client', { client_id: 'nobody' }, {}],
  ])('[G1] is refused to %s', async (_, form, headers) => {
    const tokens = await new RelyingApp().tokens(await signedIn(), offline)

    const response = await post(
      '/oidc/revoke',
      { token: tokens.refresh_token ?? '', ...form },
      headers,
    )

    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: 'invalid_client' })
    expect(await isAlive(tokens)).toBe(true)
  })

  it('[G1] lets a public client end what is its own', async () => {
    const [app, browser] = [new RelyingApp('native'), await signedIn()]
    const page = await (
      await browser.get(await app.authorizationUrl({ ...offline, prompt: 'consent' }))
    ).text()
    const request = page.match(/name="request" value="([^"]+)"/)?.[1] ?? ''
    await browser.post('/oidc/consent', { request, answer: 'approve' })
    const { refresh_token = '' } = await app.tokens(browser, offline)

    expect((await post('/oidc/revoke', { token: refresh_token, client_id: 'native' })).status).toBe(
      200,
    )

    await expect(app.refresh(refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('[G2] shrugs at what is no token', async () => {
    const known = fc.constantFrom(
      'rt_',
      'rt_AAAA',
      'ac_AAAA',
      'a.b.c',
      'gnt_x',
      `rt_${'A'.repeat(200)}`,
    )
    await fc.assert(
      fc.asyncProperty(fc.oneof(known, fc.string({ minLength: 1 })), async (token) => {
        expect((await post('/oidc/revoke', { token }, web)).status).toBe(200)
      }),
      { numRuns: 100 },
    )
  })

  it('wants a token (RFC 7009 §2.1)', async () => {
    for (const form of [{}, { token: '' }]) {
      const response = await post('/oidc/revoke', form as Record<string, string>, web)

      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: 'invalid_request' })
    }
  })

  it('[G6] says when it could not, and the token lives on', async () => {
    const tokens = await new RelyingApp().tokens(await signedIn(), offline)
    const down = () => Promise.reject(new Error('Durable Object is overloaded.'))
    const USERS = { idFromName: () => 'any', get: () => new Proxy({}, { get: () => down }) }
    const service = serviceWith({ USERS })

    for (const token of [tokens.access_token, tokens.refresh_token ?? '']) {
      const body = new URLSearchParams({ token })
      const response = await service(
        new Request(`${LOGIN}/oidc/revoke`, { method: 'POST', headers: web, body }),
      )

      expect(response.status).toBe(503)
      expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
      expect(await response.json()).toMatchObject({ error: 'temporarily_unavailable' })
    }
    expect(await isAlive(tokens)).toBe(true)
  })

  it.each([
    ['https://kiosk.example', 'revoke', true],
    ['https://web.example', 'revoke', true],
    ['https://evil.example', 'revoke', false],
    ['https://kiosk.example.evil.example', 'revoke', false],
    ['null', 'revoke', false],
    ['https://kiosk.example', 'introspect', false],
  ])('[G10] a page of %s may read the answer of %s: %s', async (Origin, path, isAllowed) => {
    const ask = (method: string) =>
      exports.default.fetch(new Request(`${LOGIN}/oidc/${path}`, { method, headers: { Origin } }))

    for (const response of [await ask('OPTIONS'), await ask('POST')]) {
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe(isAllowed ? Origin : null)
      expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull()
    }
    expect((await ask('OPTIONS')).status).toBe(isAllowed ? 204 : 405)
  })

  it.each(['GET', 'PUT', 'DELETE'])('is no %s', async (method) => {
    const response = await exports.default.fetch(new Request(`${LOGIN}/oidc/revoke`, { method }))

    expect(response.status).toBe(405)
  })
})
