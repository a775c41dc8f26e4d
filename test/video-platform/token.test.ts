import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../demo/video-platform/app.ts'
import {
  BASIC,
  control,
  exchange,
  jsonOf,
  LOOPBACK,
  logIn,
  type Parameters,
  PRODUCTION,
  PROFILE,
  post,
  SANDBOX,
  STATS,
  type Stage,
  type Tokens,
  VERIFIER,
  WEB_CALLBACK,
} from './visitor.ts'

let stage: Stage
beforeEach(() => {
  stage = createVideoPlatform()
})

describe('POST /v2/oauth/token/', () => {
  it('[V1] exchanges a code of a web redirect for the seven fields, flat', async () => {
    const response = await exchange(stage, await logIn(stage, { scope: `${PROFILE},${BASIC}` }))

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

  it('[V1][V2] exchanges a code of a loopback redirect against the verifier of a hex challenge', async () => {
    const response = await exchange(stage, await logIn(stage, LOOPBACK), {
      code_verifier: VERIFIER,
    })

    expect(await response.json()).toMatchObject({ token_type: 'Bearer' })
  })

  it('[V11] answers with the scopes that were granted, not those asked for', async () => {
    const callback = await logIn(stage, { scope: `${BASIC},${PROFILE},${STATS}`, __grant: STATS })

    expect(await (await exchange(stage, callback)).json()).toMatchObject({
      scope: `${BASIC},${STATS}`,
    })
  })

  it('[V21] knows a person by another open_id in every app', async () => {
    const ofProduction = await logIn(stage, { client_key: PRODUCTION.client_key })
    const production = await jsonOf<Tokens>(exchange(stage, ofProduction, PRODUCTION))
    const sandbox = await jsonOf<Tokens>(exchange(stage, await logIn(stage)))

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
  ])('[V6] wants its content type bare: not %s', async (_name, headers, error_description) => {
    const response = await post(stage, '/v2/oauth/token/', SANDBOX, headers)

    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ error: 'invalid_request', error_description })
  })

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
      'another grant type',
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
  ])('[V8] refuses with HTTP 200: %s', async (_name, fields, error, error_description) => {
    const response = await post(stage, '/v2/oauth/token/', fields)

    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      error,
      error_description,
      log_id: response.headers.get('x-tt-logid'),
    })
  })

  it('refuses a parameter sent twice', async () => {
    const body = `${new URLSearchParams(SANDBOX)}&client_key=${PRODUCTION.client_key}`
    const response = await stage.request('https://open.tiktokapis.com/v2/oauth/token/', {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })

    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })

  it('does not look at HTTP Basic', async () => {
    const Authorization = `Basic ${btoa(`${SANDBOX.client_key}:${SANDBOX.client_secret}`)}`
    const response = await post(
      stage,
      '/v2/oauth/token/',
      { grant_type: 'client_credentials' },
      { Authorization },
    )

    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })

  it('ignores parameters it does not know', async () => {
    const response = await exchange(stage, await logIn(stage), { client_id: 'anything' })

    expect(await response.json()).toHaveProperty('access_token')
  })

  it('answers with the statuses of RFC 6749 §5.2 when the switch says so', async () => {
    await control(stage, 'switches', { oauthErrorStatus: 'rfc' })
    const malformed = await post(stage, '/v2/oauth/token/', {})
    const wrong = await post(stage, '/v2/oauth/token/', { ...SANDBOX, client_secret: 'wrong' })

    expect([malformed.status, wrong.status]).toEqual([400, 401])
  })

  it('hands a client token to whoever knows the secret', async () => {
    const fields = { ...SANDBOX, grant_type: 'client_credentials' }
    const response = await post(stage, '/v2/oauth/token/', fields)

    expect(await response.json()).toEqual({
      access_token: expect.stringMatching(/^clt\./),
      expires_in: 7200,
      token_type: 'Bearer',
    })
  })
})
