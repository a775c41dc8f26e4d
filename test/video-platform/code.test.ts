import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../demo/video-platform/app.ts'
import {
  BASE64URL_CHALLENGE,
  control,
  exchange,
  HEX_CHALLENGE,
  jsonOf,
  LOOPBACK,
  logIn,
  type Parameters,
  PRODUCTION,
  type Stage,
  VERIFIER,
} from './visitor.ts'

let stage: Stage
beforeEach(() => {
  stage = createVideoPlatform()
})

describe('a code', () => {
  it('[V9] works once', async () => {
    const callback = await logIn(stage)
    await exchange(stage, callback)

    const again = await exchange(stage, callback)
    expect(await again.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('[V9] works once even when shown twice at the same time', async () => {
    const callback = await logIn(stage, LOOPBACK)
    const proof = { code_verifier: VERIFIER }
    const both = [exchange(stage, callback, proof), exchange(stage, callback, proof)]
    const bodies = await Promise.all(both.map((response) => jsonOf(response)))

    expect(bodies.filter((body) => 'access_token' in body)).toHaveLength(1)
  })

  it('[V9] expires after five minutes', async () => {
    const callback = await logIn(stage)
    await control(stage, 'clock', { advance: 300 })

    expect(await (await exchange(stage, callback)).json()).toMatchObject({
      error: 'invalid_grant',
      error_description: 'Authorization code is expired.',
    })
  })

  it('[V9] works for its own app only', async () => {
    const response = await exchange(stage, await logIn(stage), PRODUCTION)

    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('[V9] is unknown when the client forgot to decode it', async () => {
    const callback = await logIn(stage)
    const [, code] = /code=([^&]+)/.exec(callback.search) ?? []
    const response = await exchange(stage, callback, { code })

    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('[V9] is unknown when the client decoded it twice, which shows in a code with a percent sign', async () => {
    await control(stage, 'switches', { codes: 'with-percent' })
    const callback = await logIn(stage)
    const code = callback.searchParams.get('code') ?? ''
    const twice = await exchange(stage, callback, { code: decodeURIComponent(code) })
    const once = await exchange(stage, callback, { code })

    expect(await twice.json()).toMatchObject({ error: 'invalid_grant' })
    expect(await once.json()).toHaveProperty('access_token')
  })

  it.each([
    'http://localhost:8787/api/auth/callback/tiktok/',
    'http://127.0.0.1:8787/api/auth/callback/tiktok',
    'http://localhost:8788/api/auth/callback/tiktok',
  ])('[V10] goes with the redirect it was asked for, not %s', async (redirect_uri) => {
    const callback = await logIn(stage, LOOPBACK)
    const response = await exchange(stage, callback, { redirect_uri, code_verifier: VERIFIER })

    expect(await response.json()).toMatchObject({
      error: 'invalid_request',
      error_description: 'Redirect_uri is not matched with the uri when requesting code.',
    })
  })

  it.each<[string, Parameters, Parameters]>([
    ['a wrong verifier', LOOPBACK, { code_verifier: `${VERIFIER}x` }],
    ['no verifier', LOOPBACK, {}],
    [
      'a base64url challenge (RFC 7636 §4.2), which the platform does not understand',
      { ...LOOPBACK, code_challenge: BASE64URL_CHALLENGE },
      { code_verifier: VERIFIER },
    ],
    [
      'an upper-case challenge',
      { ...LOOPBACK, code_challenge: HEX_CHALLENGE.toUpperCase() },
      { code_verifier: VERIFIER },
    ],
  ])('[V2] of a loopback redirect is refused with %s', async (_name, request, proof) => {
    const response = await exchange(stage, await logIn(stage, request), proof)

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
  ])('of a web redirect under webPkce %s: %o then %o', async (webPkce, request, proof, works) => {
    await control(stage, 'switches', { webPkce })
    const body = await jsonOf(exchange(stage, await logIn(stage, request), proof))

    expect('access_token' in body).toBe(works)
  })
})
