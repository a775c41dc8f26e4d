import * as fc from 'fast-check'
import { calculatePKCECodeChallenge } from 'openid-client'
import { describe, expect, it } from 'vitest'
import { Browser } from '../browser.ts'
import { basic, post, RelyingApp, SECRETS, signedIn } from './relying-app.ts'

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const without = { code_challenge: undefined, code_challenge_method: undefined }

async function errorFor(clientId: string, changes: Record<string, string | undefined>) {
  const url = await new RelyingApp(clientId).authorizationUrl({ prompt: 'none', ...changes })
  const response = await new Browser().get(url)
  return new URL(response.headers.get('Location') ?? '').searchParams.get('error')
}

/** Shows a code with this verifier, or with none. */
function redeem(app: RelyingApp, callback: URL, verifier?: string): Promise<Response> {
  const form = {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: app.redirectUri,
    ...(verifier !== undefined && { code_verifier: verifier }),
    ...(app.clientId === 'post' && { client_id: 'post', client_secret: SECRETS['post'] ?? '' }),
  }
  return post('/oidc/token', form, app.clientId === 'web' ? basic('web', SECRETS['web'] ?? '') : {})
}

describe('code_challenge', () => {
  it.each([
    ['[B1] a public client', 'kiosk', 'invalid_request'],
    ['[B1] a native app', 'native', 'invalid_request'],
    ['[B2] a confidential client', 'web', 'invalid_request'],
    ['[B2] a confidential client that is excused', 'post', 'login_required'],
  ])('is missing in the request of %s', async (_, clientId, error) => {
    expect(await errorFor(clientId, without)).toBe(error)
    expect(await errorFor(clientId, { ...without, code_challenge: '' })).toBe(error)
  })

  it.each([
    ['S256', 'login_required'],
    ['plain', 'invalid_request'],
    ['s256', 'invalid_request'],
    ['S512', 'invalid_request'],
    ['', 'invalid_request'],
    [undefined, 'invalid_request'],
  ])('[B3] with the method %s: %s', async (code_challenge_method, error) => {
    for (const clientId of ['kiosk', 'web', 'post']) {
      expect(await errorFor(clientId, { code_challenge: CHALLENGE, code_challenge_method })).toBe(
        error,
      )
    }
  })

  it('[B3] is missed when its method is there, even of who is excused', async () => {
    expect(await errorFor('post', { ...without, code_challenge_method: 'S256' })).toBe(
      'invalid_request',
    )
  })

  it.each([
    ['43 letters', CHALLENGE, 'login_required'],
    ['42 letters', CHALLENGE.slice(1), 'invalid_request'],
    ['44 letters', `${CHALLENGE}A`, 'invalid_request'],
    ['padding', `${CHALLENGE.slice(1)}=`, 'invalid_request'],
    ['a plus', `${CHALLENGE.slice(1)}+`, 'invalid_request'],
    ['a dot', `${CHALLENGE.slice(1)}.`, 'invalid_request'],
    ['a newline', `${CHALLENGE}\n`, 'invalid_request'],
    ['a letter that is not ASCII', `${CHALLENGE.slice(1)}é`, 'invalid_request'],
  ])('[B4] of %s', async (_, code_challenge, error) => {
    expect(await errorFor('post', { code_challenge })).toBe(error)
  })
})

describe('code_verifier', () => {
  it.each([
    ['43 letters', 'v'.repeat(43), 200],
    ['128 letters', 'v'.repeat(128), 200],
    ['the whole unreserved set', `${'aZ09-._~'.repeat(6)}`, 200],
    ['42 letters', 'v'.repeat(42), 400],
    ['129 letters', 'v'.repeat(129), 400],
    ['a space', `${'v'.repeat(43)} `, 400],
    ['a plus', `${'v'.repeat(43)}+`, 400],
    ['a newline', `${'v'.repeat(43)}\n`, 400],
    ['a letter that is not ASCII', `${'v'.repeat(43)}é`, 400],
  ])('[B4] of %s', async (_, verifier, status) => {
    const app = new RelyingApp()
    const code_challenge = await calculatePKCECodeChallenge(verifier)
    const callback = await app.callback(await signedIn(), { code_challenge })

    expect((await redeem(app, callback, verifier)).status).toBe(status)
  })

  it('[B4] of any text but the right one is a 400', async () => {
    const app = new RelyingApp()
    const browser = await signedIn()
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 140 }), async (verifier) => {
        const response = await redeem(app, await app.callback(browser), verifier)

        expect(response.status).toBe(400)
        expect((await response.json<{ error: string }>()).error).toMatch(
          /^invalid_(request|grant)$/,
        )
      }),
      { numRuns: 50 },
    )
  })

  it.each(['web', 'post'])(
    '[B5] is missing for a code of %s that was asked for with a challenge',
    async (clientId) => {
      const app = new RelyingApp(clientId)
      const callback = await app.callback(await signedIn())

      const response = await redeem(app, callback)

      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
    },
  )

  it('[B5] is shown for a code that was asked for without a challenge', async () => {
    const app = new RelyingApp('post')
    const browser = await signedIn()

    const response = await redeem(app, await app.callback(browser, without), app.verifier)

    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
    // The client is otherwise free to do without.
    expect((await redeem(app, await app.callback(browser, without))).status).toBe(200)
  })

  it('[B3] equal to the challenge is no proof of it', async () => {
    const app = new RelyingApp()
    const challenge = await calculatePKCECodeChallenge(app.verifier)
    const callback = await app.callback(await signedIn())

    expect(await (await redeem(app, callback, challenge)).json()).toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('[B6] that is wrong kills its code and nothing else', async () => {
    const browser = await signedIn()
    const [app, other] = [new RelyingApp(), new RelyingApp()]
    const [callback, spared] = [await app.callback(browser), await other.callback(browser)]
    const tokens = await new RelyingApp().tokens(browser)

    expect((await redeem(app, callback, other.verifier)).status).toBe(400)

    expect((await redeem(app, callback, app.verifier)).status).toBe(400)
    expect((await redeem(other, spared, other.verifier)).status).toBe(200)
    expect(await app.userinfo(tokens.access_token, tokens.claims()?.sub ?? '')).toHaveProperty(
      'sub',
    )
  })
})

describe('discovery', () => {
  it('[B7] offers S256 alone', async () => {
    const document = await new Browser().json<Record<string, unknown>>(
      '/.well-known/openid-configuration',
    )

    expect(document['code_challenge_methods_supported']).toEqual(['S256'])
  })
})
