import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../../src/libraries/testing/video-platform/app.ts'
import { app } from '../../../src/libraries/testing/video-platform/apps.ts'
import { hexChallenge } from '../../../src/libraries/testing/video-platform/identifiers.ts'
import {
  BASE64URL_CHALLENGE,
  exchangeCode,
  fetchLocation,
  fetchUserInfo,
  HEX_CHALLENGE,
  post,
  type StandIn,
  type Tokens,
  VERIFIER,
  WEB_CALLBACK,
} from './client.ts'

/** The values of the documentation's examples. Only random parts are matched by a pattern. */
const EXAMPLE = { client_key: 'sbawexample0000001', client_secret: 'an-example-of-a-secret' }
const LOG_ID = /^20261114093012[0-9A-F]{20}$/

let standIn: StandIn
beforeEach(() => {
  standIn = createVideoPlatform({
    clock: () => Date.parse('2026-11-14T09:30:12Z'),
    apps: [
      app.parse({
        clientKey: EXAMPLE.client_key,
        clientSecret: EXAMPLE.client_secret,
        kind: 'sandbox',
        scopes: ['user.info.basic', 'user.info.profile'],
        redirectUris: [{ platform: 'web', uri: WEB_CALLBACK }],
        targetUsers: ['mia'],
        webhookUrl: 'https://login.example/webhook',
      }),
    ],
    send: async () => new Response(null, { status: 200 }),
  })
})

describe('an example of the documentation', () => {
  it('authorize: the request and the callback URL', async () => {
    const response = await standIn.request(authorizationUrl())

    expect(response.status).toBe(302)
    expect(response.headers.get('Location')).toMatch(
      /^https:\/\/login\.example\/api\/auth\/callback\/tiktok\?code=[\w-]{220}%2A\d%21\d{4}\.[a-z][a-z0-9]&scopes=user\.info\.basic%2Cuser\.info\.profile&state=Zr3n$/,
    )
  })

  it('token: seven fields on one level, in the documented order', async () => {
    const tokens = await signIn()

    expect(Object.entries(tokens).map(([name, value]) => [name, typeof value])).toEqual([
      ['access_token', 'string'],
      ['expires_in', 'number'],
      ['open_id', 'string'],
      ['refresh_expires_in', 'number'],
      ['refresh_token', 'string'],
      ['scope', 'string'],
      ['token_type', 'string'],
    ])
    expect(tokens.access_token).toMatch(/^act\..{60}!\d{4}\.va$/)
    expect(tokens.refresh_token).toMatch(/^rft\..{60}!\d{4}\.va$/)
    expect(tokens.open_id).toHaveLength(36)
    expect(tokens).toMatchObject({
      expires_in: 7200,
      refresh_expires_in: 31_536_000,
      scope: 'user.info.basic,user.info.profile',
      token_type: 'Bearer',
    })
  })

  it('token: an error with HTTP 200, and a log id that contains the time', async () => {
    const response = await exchangeCode(standIn, new URL(`${WEB_CALLBACK}?code=x`), EXAMPLE)
    const body: object = await response.json()

    expect(response.status).toBe(200)
    expect(Object.entries(body)).toEqual([
      ['error', 'invalid_grant'],
      ['error_description', 'Authorization code is expired.'],
      ['log_id', expect.stringMatching(LOG_ID)],
    ])
  })

  it('client credentials: three fields', async () => {
    const fields = { ...EXAMPLE, grant_type: 'client_credentials' }
    const response = await post(standIn, '/v2/oauth/token/', fields, {
      'Cache-Control': 'no-cache',
    })

    expect(await response.json()).toEqual({
      access_token: expect.stringMatching(/^clt\./),
      expires_in: 7200,
      token_type: 'Bearer',
    })
  })

  it('user info: the user in data, the error code ok, URLs with escaped ampersands', async () => {
    const { access_token, open_id } = await signIn()
    const fields = 'open_id,union_id,avatar_url,display_name'
    const text = await (await fetchUserInfo(standIn, access_token, fields)).text()

    expect(text).toMatch(
      new RegExp(
        [
          /^\{"data":\{"user":\{/,
          /"avatar_url":"https:\/\/open\.tiktokapis\.com\/tos-avt\/mia~c5_168x168\.svg\?x-expires=\d+00\\u0026x-signature=[\w%]+%3D",/,
          /"display_name":"Mia Lindqvist",/,
          new RegExp(`"open_id":"${open_id}",`),
          /"union_id":"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}"\}\},/,
          /"error":\{"code":"ok","message":"","log_id":"20261114093012[0-9A-F]{20}"\}\}$/,
        ]
          .map(({ source }) => source)
          .join(''),
      ),
    )
  })

  it('user info: an error without data', async () => {
    const response = await fetchUserInfo(standIn, 'act.example', 'open_id')

    expect(response.status).toBe(401)
    expect(await response.text()).toMatch(/^\{"error":\{"code":"access_token_invalid","message":"/)
  })

  it('revoke: an empty object', async () => {
    const { access_token } = await signIn()
    const response = await post(standIn, '/v2/oauth/revoke/', { ...EXAMPLE, token: access_token })

    expect(await response.text()).toBe('{}')
  })

  it('QR code: the link with its placeholder, and the status', async () => {
    const fields = { client_key: EXAMPLE.client_key, scope: 'user.info.basic', state: 'a-state' }
    const code = await post(standIn, '/v2/oauth/get_qrcode/', fields)
    const { scan_qrcode_url, token }: Record<string, string> = await code.json()
    const check = await post(standIn, '/v2/oauth/check_qrcode/', { ...EXAMPLE, token })

    expect(scan_qrcode_url).toMatch(/^aweme:\/\/authorize\?.+&client_ticket=tobefilled&.+/)
    expect(await check.json()).toEqual({ client_ticket: '', status: 'new' })
  })

  it.each([
    [VERIFIER, HEX_CHALLENGE],
    [
      'tiktok-example-verifier-0123456789-abcdefghij-ABCDEFGHIJ',
      'cd456a599e26d627f99a16e32ef8c32c5c6d1b55e6717138d5163f9b49a297f5',
    ],
  ])('PKCE: the hex challenge of %s', async (verifier, challenge) => {
    expect(await hexChallenge(verifier)).toBe(challenge)
    expect(challenge).not.toBe(BASE64URL_CHALLENGE)
  })
})

/** The documentation's authorize request, which the last line approves without a browser. */
function authorizationUrl(): string {
  return [
    'https://www.tiktok.com/v2/auth/authorize/',
    '?client_key=sbawexample0000001',
    '&response_type=code',
    '&scope=user.info.basic%2Cuser.info.profile',
    '&redirect_uri=https%3A%2F%2Flogin.example%2Fapi%2Fauth%2Fcallback%2Ftiktok',
    '&state=Zr3n',
    '&code_challenge=13d31e961a1ad8ec2f16b10c4c982e0876a878ad6df144566ee1894acb70f9c3',
    '&code_challenge_method=S256',
    '&__as=mia&__grant=user.info.basic,user.info.profile',
  ].join('')
}

async function signIn(): Promise<Tokens> {
  const callback = await fetchLocation(standIn, authorizationUrl())
  const response = await exchangeCode(standIn, callback, { ...EXAMPLE, code_verifier: VERIFIER })
  return response.json()
}
