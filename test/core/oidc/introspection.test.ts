import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { options } from '../../../src/deployment.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, LOGIN, serviceOf, serviceWith } from '../../browser.ts'
import { advanceClock, DAY, stopClock } from '../../clock.ts'
import { signInNewUser } from '../../new-user.ts'
import { sha256Hex } from '../../sha256-hex.ts'
import { unreachable } from '../../storage.ts'
import {
  basic,
  bearer,
  formCredentials,
  formRequest,
  OFFLINE_ACCESS,
  postForm,
  RelyingApp,
  signedIn,
} from './relying-app.ts'

afterEach(() => {
  vi.useRealTimers()
})

const INACTIVE = { active: false }

function introspect(form: Record<string, string>): Promise<Response> {
  return postForm('/oidc/introspect', form, basic('web'))
}

describe('POST /oidc/introspect', () => {
  it('[G9] returns the members of RFC 7662 and RFC 9470 for an active token, and no profile', async () => {
    const { access_token } = await new RelyingApp().tokens(await signedIn())
    const { iss, sub, aud, exp, iat, jti, auth_time } = decodeJwt(access_token)

    const response = await introspect({ token: access_token })

    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
    expect(await response.json()).toEqual({
      active: true,
      token_type: 'Bearer',
      client_id: 'web',
      scope: 'openid profile',
      acr: 'federated',
      ...{ iss, sub, aud, exp, iat, jti, auth_time },
    })
  })

  it('returns roles that callbacks.claims has added, although no feature knows them', async () => {
    const claims = () => ({ roles: ['editor'] })
    const service = serviceOf(createVestibule({ ...options, callbacks: { claims } }))
    const app = new RelyingApp()
    const callback = await app.callbackFor((await signInNewUser(new Browser(service))).browser)
    const exchange = formRequest('/oidc/token', app.codeExchangeForm(callback), basic('web'))
    const { access_token } = await (await service(exchange)).json<{ access_token: string }>()

    const response = await introspect({ token: access_token })

    expect(await response.json()).toMatchObject({ active: true, roles: ['editor'] })
  })

  it.each(['web', 'post'])('works with a certified client library, for %s', async (clientId) => {
    const app = new RelyingApp(clientId)
    const { access_token } = await app.tokens(await signedIn())

    const result = await client.tokenIntrospection(await app.configuration(), access_token)

    expect(result).toMatchObject({ active: true, client_id: clientId })
  })

  it.each(['access_token', 'refresh_token', 'nonsense'])(
    'finds an access token with token_type_hint=%s',
    async (token_type_hint) => {
      const { access_token } = await new RelyingApp().tokens(await signedIn())

      const response = await introspect({ token: access_token, token_type_hint })

      expect(await response.json()).toMatchObject({ active: true })
    },
  )

  it('[G9] describes a refresh token without using it', async () => {
    const app = new RelyingApp()
    const tokens = await app.tokens(await signedIn(), OFFLINE_ACCESS)
    const now = stopClock()

    const response = await introspect({ token: tokens.refresh_token ?? '' })

    expect(await response.json()).toEqual({
      active: true,
      iss: LOGIN,
      sub: decodeJwt(tokens.access_token).sub,
      exp: expect.closeTo(now + 30 * DAY, -2),
      client_id: 'web',
      scope: OFFLINE_ACCESS.scope,
    })
    advanceClock(DAY)
    await introspect({ token: tokens.refresh_token ?? '' })
    expect(await app.refresh(tokens.refresh_token ?? '')).toHaveProperty('refresh_token')
  })

  it('[D6][G8] returns { active: false } for a refresh token that was used, without ending its grant', async () => {
    const app = new RelyingApp()
    const { refresh_token: first = '' } = await app.tokens(await signedIn(), OFFLINE_ACCESS)
    stopClock()
    const { refresh_token: second = '' } = await app.refresh(first)

    advanceClock(19)
    expect(await (await introspect({ token: first })).json()).toMatchObject({ active: true })
    advanceClock(1)
    expect(await (await introspect({ token: first })).json()).toEqual(INACTIVE)
    expect(await (await introspect({ token: second })).json()).toMatchObject({ active: true })
    expect(await app.refresh(second)).toHaveProperty('refresh_token')
  })

  it('[G8] returns { active: false } for the refresh token of another client, of an ended session, and an expired one', async () => {
    const app = new RelyingApp()
    const browser = await signedIn()
    const { refresh_token: token = '' } = await app.tokens(browser, OFFLINE_ACCESS)
    const other = await signedIn()
    const { refresh_token: ended = '' } = await app.tokens(other, OFFLINE_ACCESS)
    await other.post('/api/auth/signout', {}, { Origin: LOGIN })

    const credentials = formCredentials('certifier-post')
    const byOtherClient = await postForm('/oidc/introspect', { token, ...credentials })
    expect(await byOtherClient.json()).toEqual(INACTIVE)
    expect(await (await introspect({ token: ended })).json()).toEqual(INACTIVE)
    expect(await (await introspect({ token: `${token}x` })).json()).toEqual(INACTIVE)
    expect(await (await introspect({ token })).json()).toMatchObject({ active: true })
    advanceClock(30 * DAY)
    expect(await (await introspect({ token })).json()).toEqual(INACTIVE)
  })

  it('[G8] returns { active: false } and nothing else for every other token', async () => {
    const [app, browser] = [new RelyingApp(), await signedIn()]
    const tokens = await app.tokens(browser, OFFLINE_ACCESS)
    const revoked = await app.tokens(browser)
    await postForm('/oidc/revoke', { token: revoked.access_token }, basic('web'))
    const session = await browser.session()
    const cases = {
      malformed: 'x',
      revoked: revoked.access_token,
      'an ID token': tokens.id_token ?? '',
      'a session token': session?.token ?? '',
      'a forged signature': `${tokens.access_token.slice(0, -6)}AAAAAA`,
      'an additional part': `${tokens.access_token}.x`,
    }

    for (const [name, token] of Object.entries(cases)) {
      const response = await introspect({ token })
      expect([name, response.status, await response.json()]).toEqual([name, 200, { active: false }])
    }
  })

  it('[G8] returns { active: false } for an expired token and for the token of another client', async () => {
    const { access_token } = await new RelyingApp().tokens(await signedIn(), OFFLINE_ACCESS)

    const byOtherClient = await postForm('/oidc/introspect', {
      token: access_token,
      ...formCredentials('post'),
    })
    expect(await byOtherClient.json()).toEqual({ active: false })

    advanceClock(601)
    const expired = await introspect({ token: access_token })
    expect(await expired.json()).toEqual({ active: false })
  })

  it('[G7][G8] returns the token of any client to the API that the token is for, and to no other client', async () => {
    const { access_token } = await new RelyingApp('web').tokens(await signedIn())
    const digest = await sha256Hex('api-secret')
    const introspectAs = async (registration: Record<string, string[]>) => {
      const api = {
        client_id: 'api',
        redirect_uris: ['https://api.example/'],
        client_secrets_sha256: [digest],
        ...registration,
      }
      const web = { client_id: 'web', redirect_uris: ['https://web.example/callback'] }
      const credentials = basic('api', 'api-secret')
      const request = formRequest('/oidc/introspect', { token: access_token }, credentials)
      return (await serviceWith({ CLIENTS: [api, web] })(request)).json()
    }

    expect(await introspectAs({ introspects: ['https://orders.example'] })).toMatchObject({
      active: true,
      client_id: 'web',
    })
    expect(await introspectAs({ introspects: ['https://stock.example'] })).toEqual(INACTIVE)
    // A client that may request tokens for the API is not the API.
    expect(await introspectAs({ resources: ['https://orders.example'] })).toEqual(INACTIVE)
  })

  it.each<[string, Record<string, string>, Record<string, string>, number]>([
    ['a public client', { client_id: 'kiosk' }, {}, 400],
    ['no client', {}, {}, 401],
    ['a client with a wrong secret', {}, basic('web', 'wrong'), 401],
    ['a confidential client without its secret', { client_id: 'web' }, {}, 401],
    ['a bearer token', {}, bearer('x'), 401],
  ])('[G7] is rejected for %s', async (_, form, headers, status) => {
    const { access_token } = await new RelyingApp().tokens(await signedIn())

    const response = await postForm('/oidc/introspect', { token: access_token, ...form }, headers)

    expect(response.status).toBe(status)
    expect(await response.json()).not.toHaveProperty('active')
  })

  it('returns 503 when storage is unavailable', async () => {
    const { access_token } = await new RelyingApp().tokens(await signedIn())
    const request = formRequest('/oidc/introspect', { token: access_token }, basic('web'))

    const response = await serviceWith({ USERS: unreachable(env.USERS) })(request)

    expect(response.status).toBe(503)
    expect(await response.json()).not.toHaveProperty('active')
  })
})
