import { env, exports } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LOGIN, serviceWith } from '../../browser.ts'
import { redirectUrl } from '../../redirect.ts'
import { unreachable } from '../../storage.ts'
import {
  basic,
  formCredentials,
  formRequest,
  OFFLINE_ACCESS,
  postForm,
  RelyingApp,
  signedIn,
} from './relying-app.ts'
import { approveConsent } from './user-steps.ts'

/** Whether the access token is valid; userinfo and introspection must agree. */
async function isActive({ access_token }: { access_token: string }): Promise<boolean> {
  const userinfo = await postForm('/oidc/userinfo', { access_token })
  const introspection = await postForm('/oidc/introspect', { token: access_token }, basic('web'))
  const { active } = await introspection.json<{ active: boolean }>()
  expect(userinfo.status === 200).toBe(active)
  return active
}

function revoke(form: Record<string, string>): Promise<Response> {
  return postForm('/oidc/revoke', form, basic('web'))
}

describe('POST /oidc/revoke', () => {
  it.each([
    ['[G4] a refresh token', 'refresh_token', undefined],
    ['[G3] a refresh token with token_type_hint=access_token', 'refresh_token', 'access_token'],
    ['[G3] a refresh token with an unknown hint', 'refresh_token', 'saml'],
    ['[G5] an access token, which is a JWT', 'access_token', undefined],
    ['[G3] an access token with token_type_hint=refresh_token', 'access_token', 'refresh_token'],
  ] as const)('%s: ends the grant and all its tokens', async (_, kind, hint) => {
    const [app, browser] = [new RelyingApp(), await signedIn()]
    const tokens = await app.tokens(browser, OFFLINE_ACCESS)
    const tokensOfOtherGrant = await app.tokens(browser, OFFLINE_ACCESS)
    const form = { token: tokens[kind] ?? '', ...(hint && { token_type_hint: hint }) }
    expect(await isActive(tokens)).toBe(true)

    const response = await revoke(form)

    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(await isActive(tokens)).toBe(false)
    await expect(app.refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    expect(await isActive(tokensOfOtherGrant)).toBe(true)
    // Revoking it again is no error.
    expect((await revoke(form)).status).toBe(200)
  })

  it('[G4] ends the grant for a refresh token that has been replaced', async () => {
    const app = new RelyingApp()
    const first = await app.tokens(await signedIn(), OFFLINE_ACCESS)
    const second = await app.refresh(first.refresh_token ?? '')

    const response = await revoke({ token: first.refresh_token ?? '' })

    expect(response.status).toBe(200)
    expect(await isActive(second)).toBe(false)
  })

  it('[G1] leaves the tokens of another client valid, with the same response', async () => {
    const tokens = await new RelyingApp().tokens(await signedIn(), OFFLINE_ACCESS)

    for (const token of [tokens.access_token, tokens.refresh_token ?? '']) {
      for (const clientId of ['post', 'kiosk']) {
        const response = await postForm('/oidc/revoke', { token, ...formCredentials(clientId) })
        expect([response.status, await response.text()]).toEqual([200, ''])
      }
    }
    expect(await isActive(tokens)).toBe(true)
  })

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['no client', {}, {}],
    ['a confidential client without its secret', { client_id: 'web' }, {}],
    ['a client with a wrong secret', {}, basic('web', 'wrong')],
    ['a public client with a secret', { client_id: 'kiosk', client_secret: 'x' }, {}],
    ['an unknown client', { client_id: 'nobody' }, {}],
  ])('[G1] is rejected for %s', async (_, credentials, headers) => {
    const tokens = await new RelyingApp().tokens(await signedIn(), OFFLINE_ACCESS)
    const form = { token: tokens.refresh_token ?? '', ...credentials }

    const response = await postForm('/oidc/revoke', form, headers)

    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: 'invalid_client' })
    expect(await isActive(tokens)).toBe(true)
  })

  it('[G1] lets a public client revoke its own token', async () => {
    const [app, browser] = [new RelyingApp('native'), await signedIn()]
    const url = await app.authorizationUrl({ ...OFFLINE_ACCESS, prompt: 'consent' })
    const approved = await approveConsent(browser, await browser.get(url))
    const { refresh_token = '' } = await app.exchange(redirectUrl(approved))

    const response = await postForm('/oidc/revoke', { token: refresh_token, client_id: 'native' })

    expect(response.status).toBe(200)
    await expect(app.refresh(refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('[G2] returns 200 for any text that is not a token', async () => {
    const similarToTokens = fc.constantFrom(
      'rt_',
      'rt_AAAA',
      'ac_AAAA',
      'a.b.c',
      'gnt_x',
      `rt_${'A'.repeat(200)}`,
    )

    await fc.assert(
      fc.asyncProperty(fc.oneof(similarToTokens, fc.string({ minLength: 1 })), async (token) => {
        expect((await revoke({ token })).status).toBe(200)
      }),
      { numRuns: 100 },
    )
  })

  it.each<Record<string, string>>([{}, { token: '' }])(
    'requires a token (RFC 7009 §2.1): %o',
    async (form) => {
      const response = await revoke(form)

      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: 'invalid_request' })
    },
  )

  it('[G6] returns 503 when storage is unavailable, and the token stays valid', async () => {
    const tokens = await new RelyingApp().tokens(await signedIn(), OFFLINE_ACCESS)
    const service = serviceWith({ USERS: unreachable(env.USERS) })

    for (const token of [tokens.access_token, tokens.refresh_token ?? '']) {
      const response = await service(formRequest('/oidc/revoke', { token }, basic('web')))

      expect(response.status).toBe(503)
      expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
      expect(await response.json()).toMatchObject({ error: 'temporarily_unavailable' })
    }
    expect(await isActive(tokens)).toBe(true)
  })

  it.each([
    ['https://kiosk.example', 'revoke', true],
    ['https://web.example', 'revoke', true],
    ['https://evil.example', 'revoke', false],
    ['https://kiosk.example.evil.example', 'revoke', false],
    ['null', 'revoke', false],
    ['https://kiosk.example', 'introspect', false],
  ])('[G10] a page of %s may read the response of %s: %s', async (Origin, path, isAllowed) => {
    const send = (method: string) =>
      exports.default.fetch(new Request(`${LOGIN}/oidc/${path}`, { method, headers: { Origin } }))

    for (const response of [await send('OPTIONS'), await send('POST')]) {
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe(isAllowed ? Origin : null)
      expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull()
    }
  })

  it.each(['GET', 'PUT', 'DELETE'])('rejects the method %s', async (method) => {
    const response = await exports.default.fetch(new Request(`${LOGIN}/oidc/revoke`, { method }))

    expect(response.status).toBe(405)
  })
})
