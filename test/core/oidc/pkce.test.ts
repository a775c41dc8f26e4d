import * as fc from 'fast-check'
import { calculatePKCECodeChallenge } from 'openid-client'
import { describe, expect, it } from 'vitest'
import { Browser, serviceWith } from '../../browser.ts'
import { redirectUrl } from '../../redirect.ts'
import { clientsWith } from '../../registered-clients.ts'
import { discoveryDocument } from './published-metadata.ts'
import { type ParameterChanges, RelyingApp, signedIn } from './relying-app.ts'

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const WITHOUT_PKCE = { code_challenge: undefined, code_challenge_method: undefined }

/** The error of a request without a session: `login_required` when its parameters are valid. */
async function errorFor(clientId: string, changes: ParameterChanges): Promise<string | null> {
  const url = await new RelyingApp(clientId).authorizationUrl({ prompt: 'none', ...changes })
  return redirectUrl(await new Browser().get(url)).searchParams.get('error')
}

function redeem(app: RelyingApp, callback: URL, code_verifier?: string): Promise<Response> {
  return app.requestTokens(app.codeExchangeForm(callback, { code_verifier }))
}

describe('code_challenge', () => {
  it.each([
    ['[B1] a public client', 'kiosk', 'invalid_request'],
    ['[B1] a native app', 'native', 'invalid_request'],
    ['[B2] a confidential client', 'web', 'login_required'],
    ['[B2] a confidential client with require_pkce=false', 'post', 'login_required'],
  ])(
    'that is missing in a request of %s with openid and a nonce: %s gets %s',
    async (_, clientId, error) => {
      expect(await errorFor(clientId, WITHOUT_PKCE)).toBe(error)
      expect(await errorFor(clientId, { ...WITHOUT_PKCE, code_challenge: '' })).toBe(error)
    },
  )

  it.each<[string, ParameterChanges]>([
    ['a nonce', { nonce: undefined }],
    ['a value of its nonce', { nonce: '' }],
    ['the scope openid', { scope: 'profile' }],
  ])(
    '[B1][B2] is required in a request without %s, unless require_pkce is false (RFC 9700 §2.1.1)',
    async (_, changes) => {
      const request = { ...WITHOUT_PKCE, ...changes }

      expect(await errorFor('web', request)).toBe('invalid_request')
      expect(await errorFor('kiosk', request)).toBe('invalid_request')
      expect(await errorFor('post', request)).toBe('login_required')
    },
  )

  it.each([
    ['web', 'Enable PKCE in your client, or send a nonce with the scope openid.'],
    ['kiosk', 'Enable PKCE in your client.'],
  ])('that is missing in a request of %s: the error names the remedy', async (clientId, remedy) => {
    const changes = { ...WITHOUT_PKCE, nonce: undefined }
    const url = await new RelyingApp(clientId).authorizationUrl(changes)

    const { searchParams } = redirectUrl(await new Browser().get(url))

    expect(searchParams.get('error_description')).toBe(`code_challenge is missing. ${remedy}`)
  })

  it.each([
    ['is registered with require_pkce=true', { require_pkce: true }],
    ['is not registered for the scope openid', { scope: 'profile' }],
    ['is public', { client_secrets_sha256: [] }],
  ])('[B2] is required of a client that %s', async (_, changes) => {
    const service = serviceWith({ CLIENTS: clientsWith({ web: changes }) })
    const url = await new RelyingApp().authorizationUrl({ prompt: 'none', ...WITHOUT_PKCE })

    const response = await new Browser(service).get(url)

    expect(redirectUrl(response).searchParams.get('error')).toBe('invalid_request')
  })

  it.each([
    ['S256', 'login_required'],
    ['plain', 'invalid_request'],
    ['s256', 'invalid_request'],
    ['S512', 'invalid_request'],
    ['', 'invalid_request'],
    [undefined, 'invalid_request'],
  ])('[B3] with the method %s returns %s', async (code_challenge_method, error) => {
    for (const clientId of ['kiosk', 'web', 'post']) {
      const changes = { code_challenge: CHALLENGE, code_challenge_method }

      expect(await errorFor(clientId, changes)).toBe(error)
    }
  })

  it('[B3] is required with code_challenge_method, even with require_pkce=false', async () => {
    const changes = { ...WITHOUT_PKCE, code_challenge_method: 'S256' }

    expect(await errorFor('post', changes)).toBe('invalid_request')
  })

  it.each([
    ['43 characters', 'login_required', CHALLENGE],
    ['42 characters', 'invalid_request', CHALLENGE.slice(1)],
    ['44 characters', 'invalid_request', `${CHALLENGE}A`],
    ['padding', 'invalid_request', `${CHALLENGE.slice(1)}=`],
    ['a plus', 'invalid_request', `${CHALLENGE.slice(1)}+`],
    ['a dot', 'invalid_request', `${CHALLENGE.slice(1)}.`],
    ['a newline', 'invalid_request', `${CHALLENGE}\n`],
    ['a non-ASCII character', 'invalid_request', `${CHALLENGE.slice(1)}é`],
  ])('[B4] with %s returns %s', async (_, error, code_challenge) => {
    expect(await errorFor('post', { code_challenge })).toBe(error)
  })
})

describe('code_verifier', () => {
  it.each([
    ['43 characters', 200, 'v'.repeat(43)],
    ['128 characters', 200, 'v'.repeat(128)],
    ['all unreserved characters', 200, `${'aZ09-._~'.repeat(6)}`],
    ['42 characters', 400, 'v'.repeat(42)],
    ['129 characters', 400, 'v'.repeat(129)],
    ['a space', 400, `${'v'.repeat(43)} `],
    ['a plus', 400, `${'v'.repeat(43)}+`],
    ['a newline', 400, `${'v'.repeat(43)}\n`],
    ['a non-ASCII character', 400, `${'v'.repeat(43)}é`],
  ])('[B4] with %s returns %i', async (_, status, verifier) => {
    const app = new RelyingApp()
    const code_challenge = await calculatePKCECodeChallenge(verifier)
    const callback = await app.callbackFor(await signedIn(), { code_challenge })

    const response = await redeem(app, callback, verifier)

    expect(response.status).toBe(status)
  })

  it('[B4] with any text but the right one returns 400', async () => {
    const app = new RelyingApp()
    const browser = await signedIn()

    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 140 }), async (verifier) => {
        const response = await redeem(app, await app.callbackFor(browser), verifier)

        expect(response.status).toBe(400)
        expect((await response.json<{ error: string }>()).error).toMatch(
          /^invalid_(request|grant)$/,
        )
      }),
      { numRuns: 50 },
    )
  })

  it.each(['web', 'post'])(
    '[B5] is required of %s for a code that was requested with a challenge',
    async (clientId) => {
      const app = new RelyingApp(clientId)
      const callback = await app.callbackFor(await signedIn())

      const response = await redeem(app, callback)

      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
    },
  )

  it.each(['post', 'web'])(
    '[B5] is rejected for a code that %s requested without a challenge',
    async (clientId) => {
      const app = new RelyingApp(clientId)
      const browser = await signedIn()

      const withVerifier = await redeem(
        app,
        await app.callbackFor(browser, WITHOUT_PKCE),
        app.verifier,
      )
      const withoutVerifier = await redeem(app, await app.callbackFor(browser, WITHOUT_PKCE))

      expect(await withVerifier.json()).toMatchObject({ error: 'invalid_grant' })
      expect(withoutVerifier.status).toBe(200)
    },
  )

  it('[B3] equal to the challenge is rejected', async () => {
    const app = new RelyingApp()
    const challenge = await calculatePKCECodeChallenge(app.verifier)
    const callback = await app.callbackFor(await signedIn())

    const response = await redeem(app, callback, challenge)

    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('[B6] that is wrong ends its code and nothing else', async () => {
    const browser = await signedIn()
    const [app, other] = [new RelyingApp(), new RelyingApp()]
    const [callback, otherCallback] = [
      await app.callbackFor(browser),
      await other.callbackFor(browser),
    ]
    const tokens = await new RelyingApp().tokens(browser)

    expect((await redeem(app, callback, other.verifier)).status).toBe(400)

    expect((await redeem(app, callback, app.verifier)).status).toBe(400)
    expect((await redeem(other, otherCallback, other.verifier)).status).toBe(200)
    expect(await app.userinfo(tokens.access_token, tokens.claims()?.sub ?? '')).toHaveProperty(
      'sub',
    )
  })
})

describe('the discovery document', () => {
  it('[B7] lists only S256', async () => {
    const document = await discoveryDocument()

    expect(document['code_challenge_methods_supported']).toEqual(['S256'])
  })
})
