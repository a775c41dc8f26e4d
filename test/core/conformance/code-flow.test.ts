import { calculatePKCECodeChallenge } from 'openid-client'
import { describe, expect, it } from 'vitest'
import { Browser, serviceWith, WITH_GITHUB } from '../../browser.ts'
import { redirectUrl } from '../../redirect.ts'
import { discoveryDocument } from '../oidc/published-metadata.ts'
import { signedIn } from '../oidc/relying-app.ts'
import { signInOnPage } from '../oidc/user-steps.ts'
import { ConformanceClient, LONG_STATE, RESPONSE_MODES } from './conformance-client.ts'

/** A deployment that does not skip the sign-in page. */
const service = serviceWith(WITH_GITHUB)

describe.each(RESPONSE_MODES)('the Basic plan with response_mode=%s: code flow', (mode) => {
  it('[E5] oidcc-server: signs in and returns tokens and userinfo', async () => {
    const client = new ConformanceClient(mode)
    const browser = new Browser(service)
    const toSignIn = await client.authorize(browser, { state: LONG_STATE })

    const parameters = await client.readResponse(await signInOnPage(browser, toSignIn))
    const tokens = await client.redeem(parameters, { expectedState: LONG_STATE })

    expect(parameters.get('state')).toBe(LONG_STATE)
    const { payload, protectedHeader } = await client.verifyIdToken(tokens.id_token)
    expect(protectedHeader.kid).toMatch(/./)
    expect(payload).toMatchObject({
      sub: (await browser.session())?.user.id,
      nonce: client.nonce,
      sid: expect.any(String),
      auth_time: expect.any(Number),
    })
    expect(await client.userinfo(tokens.access_token, payload.sub ?? '')).toMatchObject({
      sub: payload.sub,
    })
  })

  it('oidcc-ensure-request-without-nonce-succeeds-for-code-flow: the ID token has no nonce', async () => {
    const client = new ConformanceClient(mode)
    const response = await client.authorize(await signedIn(), { nonce: undefined })

    const tokens = await client.sendCode(await client.readResponse(response))

    const { id_token } = await tokens.json<{ id_token: string }>()
    expect((await client.verifyIdToken(id_token)).payload).not.toHaveProperty('nonce')
  })

  it('oidcc-alternate-happy-flow: accepts scopes and parameters in any order', async () => {
    const client = new ConformanceClient(mode)
    const url = new URL(await client.authorizationUrl({ scope: 'email profile openid' }))
    url.search = new URLSearchParams([...url.searchParams].reverse()).toString()

    const parameters = await client.readResponse(await (await signedIn()).get(url.href))

    const tokens = await client.redeem(parameters)
    expect((await client.verifyIdToken(tokens.id_token)).payload['nonce']).toBe(client.nonce)
    expect(tokens.scope?.split(' ').sort()).toEqual(['email', 'openid', 'profile'])
  })

  it.each([
    ['oidcc-display-page', { display: 'page' }],
    ['oidcc-display-popup', { display: 'popup' }],
    ['oidcc-login-hint', { login_hint: 'mia@mail.example' }],
    ['oidcc-ui-locales', { ui_locales: 'se' }],
    ['oidcc-claims-locales', { claims_locales: 'se' }],
    ['oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }],
  ])('[A9][A30] %s: succeeds, including the sign-in', async (_, changes) => {
    const client = new ConformanceClient(mode)
    const browser = new Browser(service)
    const toSignIn = await client.authorize(browser, changes)

    const parameters = await client.readResponse(await signInOnPage(browser, toSignIn))

    const tokens = await client.redeem(parameters)
    expect((await client.verifyIdToken(tokens.id_token)).payload.sub).toBe(
      (await browser.session())?.user.id,
    )
  })

  it('[A30] oidcc-ensure-request-with-acr-values-succeeds: returns one of the requested values', async () => {
    const client = new ConformanceClient(mode)
    const supported = (await discoveryDocument())['acr_values_supported'] as string[]

    const tokens = await client.tokens(await signedIn(), { acr_values: supported.join(' ') })

    expect(supported).toContain((await client.verifyIdToken(tokens.id_token)).payload['acr'])
  })

  it('[A21][A22] oidcc-ensure-post-request-succeeds: accepts a POST from another site', async () => {
    const client = new ConformanceClient(mode)
    const browser = await signedIn()
    const state = 'a+b %2B&ü'
    const form = new URL(await client.authorizationUrl({ state })).searchParams

    // A browser sends a cross-site POST without our cookies.
    const posted = await new Browser(service).post('/oidc/authorize', Object.fromEntries(form), {
      Origin: 'https://certifier.example',
      'Sec-Fetch-Site': 'cross-site',
    })
    const response = await browser.get(redirectUrl(posted, 303).href)

    const tokens = await client.redeem(await client.readResponse(response), {
      expectedState: state,
    })
    expect((await client.verifyIdToken(tokens.id_token)).payload['nonce']).toBe(client.nonce)
  })

  it('oidcc-server-client-secret-post: accepts the secret in the body', async () => {
    const client = new ConformanceClient(mode, 'certifier-post')

    const tokens = await client.tokens(await signedIn())

    const { payload } = await client.verifyIdToken(tokens.id_token)
    expect(payload['nonce']).toBe(client.nonce)
    expect(await client.userinfo(tokens.access_token, payload.sub ?? '')).toMatchObject({
      sub: payload.sub,
    })
  })

  it('oidcc-ensure-request-with-valid-pkce-succeeds: and the verifier is required', async () => {
    const client = new ConformanceClient(mode)
    const browser = await signedIn()
    const challenge = {
      code_challenge: await calculatePKCECodeChallenge(client.verifier),
      code_challenge_method: 'S256',
    }
    const requestCode = async () => client.readResponse(await client.authorize(browser, challenge))

    const tokens = await client.redeem(await requestCode(), { pkceCodeVerifier: client.verifier })
    const withoutVerifier = await client.sendCode(await requestCode())

    expect((await client.verifyIdToken(tokens.id_token)).payload['nonce']).toBe(client.nonce)
    expect(withoutVerifier.status).toBe(400)
  })
})
