import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../../src/libraries/testing/video-platform/app.ts'
import {
  API,
  BASIC,
  control,
  exchangeCode,
  LOOPBACK,
  logIn,
  type Parameters,
  PRODUCTION,
  PROFILE,
  post,
  readJson,
  SANDBOX,
  STATS,
  type StandIn,
  type Tokens,
  VERIFIER,
  WEB_CALLBACK,
} from './client.ts'

let standIn: StandIn
beforeEach(() => {
  standIn = createVideoPlatform()
})

describe('POST /v2/oauth/token/', () => {
  it('[V1] returns seven fields on one level for a code of a web redirect', async () => {
    const response = await exchangeCode(
      standIn,
      await logIn(standIn, { scope: `${PROFILE},${BASIC}` }),
    )

    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      access_token: expect.stringMatching(/^act\.[\w-]{60}!\d{4}\.va$/),
      expires_in: 7200,
      open_id: expect.stringMatching(/^-000[\w-]{32}$/),
      refresh_expires_in: 31_536_000,
      refresh_token: expect.stringMatching(/^rft\.[\w-]{60}!\d{4}\.va$/),
      scope: `${BASIC},${PROFILE}`,
      token_type: 'Bearer',
    })
  })

  it('[V1][V2] accepts a code of a loopback redirect with the verifier of its hex challenge', async () => {
    const response = await exchangeCode(standIn, await logIn(standIn, LOOPBACK), {
      code_verifier: VERIFIER,
    })

    expect(await response.json()).toMatchObject({ token_type: 'Bearer' })
  })

  it('[V11] returns the granted scopes, not the requested ones', async () => {
    const callback = await logIn(standIn, { scope: `${BASIC},${PROFILE},${STATS}`, __grant: STATS })

    expect(await (await exchangeCode(standIn, callback)).json()).toMatchObject({
      scope: `${BASIC},${STATS}`,
    })
  })

  it('[V21] returns a different open_id for the same user in each app', async () => {
    const callback = await logIn(standIn, { client_key: PRODUCTION.client_key })
    const production = await readJson<Tokens>(exchangeCode(standIn, callback, PRODUCTION))
    const sandbox = await readJson<Tokens>(exchangeCode(standIn, await logIn(standIn)))

    expect(production.open_id).not.toBe(sandbox.open_id)
  })

  it.each<[string, Record<string, string>, string]>([
    [
      'a charset',
      { 'Content-Type': 'application/x-www-form-urlencoded;charset=UTF-8' },
      'The request parameters are malformed.',
    ],
    [
      'JSON',
      { 'Content-Type': 'application/json' },
      'Only `application/x-www-form-urlencoded` is accepted as Content-Type.',
    ],
  ])(
    '[V6] requires a bare content type, and rejects %s',
    async (_name, headers, error_description) => {
      const response = await post(standIn, '/v2/oauth/token/', SANDBOX, headers)

      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({ error: 'invalid_request', error_description })
    },
  )

  it.each<[string, Parameters, string, string]>([
    [
      '[V4] client_id in place of client_key',
      { client_id: SANDBOX.client_key, client_secret: SANDBOX.client_secret },
      'invalid_request',
      'The request parameters are malformed.',
    ],
    [
      'no secret',
      { client_key: SANDBOX.client_key },
      'invalid_request',
      'Client secret is missed in request.',
    ],
    [
      'a wrong secret',
      { ...SANDBOX, client_secret: 'wrong' },
      'invalid_client',
      'Client key or secret is incorrect.',
    ],
    [
      'the key of the sandbox with the secret of production',
      { ...SANDBOX, client_secret: PRODUCTION.client_secret },
      'invalid_client',
      'Client key or secret is incorrect.',
    ],
    [
      'an unknown key',
      { ...SANDBOX, client_key: 'aw0' },
      'invalid_client',
      'Client key or secret is incorrect.',
    ],
    ['no grant type', SANDBOX, 'invalid_request', 'The request parameters are malformed.'],
    [
      'an unsupported grant type',
      { ...SANDBOX, grant_type: 'password' },
      'unsupported_grant_type',
      'The grant type is not supported.',
    ],
    [
      'no code',
      { ...SANDBOX, grant_type: 'authorization_code', redirect_uri: WEB_CALLBACK },
      'invalid_request',
      'The request parameters are malformed.',
    ],
    [
      'an unknown code',
      { ...SANDBOX, grant_type: 'authorization_code', redirect_uri: WEB_CALLBACK, code: 'x' },
      'invalid_grant',
      'Authorization code is expired.',
    ],
  ])(
    '[V8] responds with an error and HTTP 200 to %s',
    async (_name, fields, error, error_description) => {
      const response = await post(standIn, '/v2/oauth/token/', fields)

      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({
        error,
        error_description,
        log_id: response.headers.get('x-tt-logid'),
      })
    },
  )

  it('rejects a repeated parameter', async () => {
    const body = `${new URLSearchParams(SANDBOX)}&client_key=${PRODUCTION.client_key}`
    const response = await standIn.request(`${API}/v2/oauth/token/`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })

    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })

  it('ignores HTTP Basic authentication', async () => {
    const Authorization = `Basic ${btoa(`${SANDBOX.client_key}:${SANDBOX.client_secret}`)}`
    const response = await post(
      standIn,
      '/v2/oauth/token/',
      { grant_type: 'client_credentials' },
      { Authorization },
    )

    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })

  it('ignores unknown parameters', async () => {
    const response = await exchangeCode(standIn, await logIn(standIn), { client_id: 'anything' })

    expect(await response.json()).toHaveProperty('access_token')
  })

  it('uses the statuses of RFC 6749 §5.2 if oauthErrorStatus is rfc', async () => {
    await control(standIn, 'switches', { oauthErrorStatus: 'rfc' })
    const malformed = await post(standIn, '/v2/oauth/token/', {})
    const wrongSecret = await post(standIn, '/v2/oauth/token/', {
      ...SANDBOX,
      client_secret: 'wrong',
    })

    expect([malformed.status, wrongSecret.status]).toEqual([400, 401])
  })

  it('issues a client token for the client secret', async () => {
    const fields = { ...SANDBOX, grant_type: 'client_credentials' }
    const response = await post(standIn, '/v2/oauth/token/', fields)

    expect(await response.json()).toEqual({
      access_token: expect.stringMatching(/^clt\./),
      expires_in: 7200,
      token_type: 'Bearer',
    })
  })
})
