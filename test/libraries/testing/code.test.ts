import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../../src/libraries/testing/video-platform/app.ts'
import {
  BASE64URL_CHALLENGE,
  control,
  exchangeCode,
  HEX_CHALLENGE,
  LOOPBACK,
  logIn,
  type Parameters,
  PRODUCTION,
  readJson,
  type StandIn,
  VERIFIER,
} from './client.ts'

let standIn: StandIn
beforeEach(() => {
  standIn = createVideoPlatform()
})

describe('a code', () => {
  it('[V9] can be exchanged once', async () => {
    const callback = await logIn(standIn)
    await exchangeCode(standIn, callback)

    const again = await exchangeCode(standIn, callback)
    expect(await again.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('[V9] can be exchanged once even by two concurrent requests', async () => {
    const callback = await logIn(standIn, LOOPBACK)
    const proof = { code_verifier: VERIFIER }
    const responses = [
      exchangeCode(standIn, callback, proof),
      exchangeCode(standIn, callback, proof),
    ]
    const bodies = await Promise.all(responses.map((response) => readJson(response)))

    expect(bodies.filter((body) => 'access_token' in body)).toHaveLength(1)
  })

  it('[V9] expires after five minutes', async () => {
    const callback = await logIn(standIn)
    await control(standIn, 'clock', { advance: 300 })

    expect(await (await exchangeCode(standIn, callback)).json()).toMatchObject({
      error: 'invalid_grant',
      error_description: 'Authorization code is expired.',
    })
  })

  it('[V9] is rejected for another app', async () => {
    const response = await exchangeCode(standIn, await logIn(standIn), PRODUCTION)

    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('[V9] is rejected if the client did not decode it', async () => {
    const callback = await logIn(standIn)
    const [, code] = /code=([^&]+)/.exec(callback.search) ?? []
    const response = await exchangeCode(standIn, callback, { code })

    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('[V9] with a percent sign is rejected if the client decoded it twice', async () => {
    await control(standIn, 'switches', { codes: 'with-percent' })
    const callback = await logIn(standIn)
    const code = callback.searchParams.get('code') ?? ''
    const twice = await exchangeCode(standIn, callback, { code: decodeURIComponent(code) })
    const once = await exchangeCode(standIn, callback, { code })

    expect(await twice.json()).toMatchObject({ error: 'invalid_grant' })
    expect(await once.json()).toHaveProperty('access_token')
  })

  it.each([
    'http://localhost:8787/api/auth/callback/tiktok/',
    'http://127.0.0.1:8787/api/auth/callback/tiktok',
    'http://localhost:8788/api/auth/callback/tiktok',
  ])(
    '[V10] is rejected with a redirect URI other than the requested one: %s',
    async (redirect_uri) => {
      const callback = await logIn(standIn, LOOPBACK)
      const response = await exchangeCode(standIn, callback, {
        redirect_uri,
        code_verifier: VERIFIER,
      })

      expect(await response.json()).toMatchObject({
        error: 'invalid_request',
        error_description: 'Redirect_uri is not matched with the uri when requesting code.',
      })
    },
  )

  it.each<[string, Parameters, Parameters]>([
    ['a wrong verifier', LOOPBACK, { code_verifier: `${VERIFIER}x` }],
    ['no verifier', LOOPBACK, {}],
    [
      'a base64url challenge (RFC 7636 §4.2), which the platform does not support',
      { ...LOOPBACK, code_challenge: BASE64URL_CHALLENGE },
      { code_verifier: VERIFIER },
    ],
    [
      'an upper-case challenge',
      { ...LOOPBACK, code_challenge: HEX_CHALLENGE.toUpperCase() },
      { code_verifier: VERIFIER },
    ],
  ])('[V2] of a loopback redirect is rejected with %s', async (_name, request, proof) => {
    const response = await exchangeCode(standIn, await logIn(standIn, request), proof)

    expect(await response.json()).toMatchObject({
      error: 'invalid_request',
      error_description: 'Code verifier or code challenge is invalid.',
    })
  })

  it.each<['ignore' | 'verify-hex' | 'reject-unknown', Parameters, Parameters, boolean]>([
    ['ignore', { code_challenge: BASE64URL_CHALLENGE }, { code_verifier: VERIFIER }, true],
    ['ignore', {}, { code_verifier: VERIFIER }, true],
    ['verify-hex', { code_challenge: HEX_CHALLENGE }, { code_verifier: VERIFIER }, true],
    ['verify-hex', { code_challenge: BASE64URL_CHALLENGE }, { code_verifier: VERIFIER }, false],
    ['verify-hex', { code_challenge: HEX_CHALLENGE }, {}, false],
    ['verify-hex', {}, {}, true],
    ['reject-unknown', {}, { code_verifier: VERIFIER }, false],
    ['reject-unknown', {}, {}, true],
  ])(
    'of a web redirect with webPkce %s: %o, then %o',
    async (webPkce, request, proof, isAccepted) => {
      await control(standIn, 'switches', { webPkce })
      const body = await readJson(exchangeCode(standIn, await logIn(standIn, request), proof))

      expect('access_token' in body).toBe(isAccepted)
    },
  )
})
