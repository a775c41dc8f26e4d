import { base64url } from 'jose'
import { describe, expect, it } from 'vitest'
import { Browser } from '../browser.ts'
import { signedIn } from '../oidc/relying-app.ts'
import { Certifier, discovery, RESPONSE_MODES, signInThere } from './certifier.ts'

describe.each(RESPONSE_MODES)('the Basic plan in %s: the code flow', (mode) => {
  it('[E5] oidcc-server: from no session to tokens and userinfo', async () => {
    const certifier = new Certifier(mode)
    const browser = new Browser()

    const answer = await certifier.receive(
      await signInThere(browser, await certifier.ask(browser, { state: 's'.repeat(128) })),
    )
    const tokens = await certifier.redeem(answer, { expectedState: 's'.repeat(128) })

    expect(answer.get('state')).toBe('s'.repeat(128))
    const { payload, protectedHeader } = await certifier.verify(tokens.id_token)
    expect(protectedHeader.kid).toMatch(/./)
    expect(payload).toMatchObject({
      sub: (await browser.session())?.user.id,
      nonce: certifier.nonce,
      sid: expect.any(String),
      auth_time: expect.any(Number),
    })
    expect(await certifier.userinfo(tokens.access_token, payload.sub ?? '')).toMatchObject({
      sub: payload.sub,
    })
  })

  it('oidcc-ensure-request-without-nonce-succeeds-for-code-flow: without a nonce in the ID token', async () => {
    const certifier = new Certifier(mode)
    const answer = await certifier.receive(
      await certifier.ask(await signedIn(), { nonce: undefined }),
    )

    const response = await certifier.showCode(answer)

    const { id_token } = await response.json<{ id_token: string }>()
    expect((await certifier.verify(id_token)).payload).not.toHaveProperty('nonce')
  })

  it('oidcc-alternate-happy-flow: in whatever order scopes and parameters stand', async () => {
    const certifier = new Certifier(mode)
    const url = new URL(await certifier.authorizationUrl({ scope: 'email profile openid' }))
    url.search = new URLSearchParams([...url.searchParams].reverse()).toString()

    const answer = await certifier.receive(await (await signedIn()).get(url.href))

    const tokens = await certifier.redeem(answer)
    expect((await certifier.verify(tokens.id_token)).payload['nonce']).toBe(certifier.nonce)
    expect(tokens.scope?.split(' ').sort()).toEqual(['email', 'openid', 'profile'])
  })

  it.each([
    ['oidcc-display-page', { display: 'page' }],
    ['oidcc-display-popup', { display: 'popup' }],
    ['oidcc-login-hint', { login_hint: 'mia@mail.example' }],
    ['oidcc-ui-locales', { ui_locales: 'se' }],
    ['oidcc-claims-locales', { claims_locales: 'se' }],
    ['oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }],
  ])(
    '[A9][A30] %s: is no error, on the way to the sign-in page and from it',
    async (_, changes) => {
      const certifier = new Certifier(mode)
      const browser = new Browser()

      const answer = await certifier.receive(
        await signInThere(browser, await certifier.ask(browser, changes)),
      )

      const tokens = await certifier.redeem(answer)
      expect((await certifier.verify(tokens.id_token)).payload.sub).toBe(
        (await browser.session())?.user.id,
      )
    },
  )

  it('[A30] oidcc-ensure-request-with-acr-values-succeeds: with one of those asked for', async () => {
    const certifier = new Certifier(mode)
    const announced = (await discovery())['acr_values_supported'] as string[]

    const tokens = await certifier.tokens(await signedIn(), { acr_values: announced.join(' ') })

    expect(announced).toContain((await certifier.verify(tokens.id_token)).payload['acr'])
  })

  it('[A21][A22] oidcc-ensure-post-request-succeeds: the request may be posted, from another site', async () => {
    const certifier = new Certifier(mode)
    const browser = await signedIn()
    const state = 'a+b %2B&ü'
    const form = new URL(await certifier.authorizationUrl({ state })).searchParams

    // A post from another site comes without cookies.
    const posted = await new Browser().post('/oidc/authorize', Object.fromEntries(form), {
      Origin: 'https://certifier.example',
      'Sec-Fetch-Site': 'cross-site',
    })
    expect(posted.status).toBe(303)
    const answered = await browser.get(posted.headers.get('Location') ?? '')

    const tokens = await certifier.redeem(await certifier.receive(answered), {
      expectedState: state,
    })
    expect((await certifier.verify(tokens.id_token)).payload['nonce']).toBe(certifier.nonce)
  })

  it('oidcc-server-client-secret-post: with the secret in the body', async () => {
    const certifier = new Certifier(mode, 'certifier-post')

    const tokens = await certifier.tokens(await signedIn())

    const { payload } = await certifier.verify(tokens.id_token)
    expect(payload['nonce']).toBe(certifier.nonce)
    expect(await certifier.userinfo(tokens.access_token, payload.sub ?? '')).toMatchObject({
      sub: payload.sub,
    })
  })

  it('oidcc-ensure-request-with-valid-pkce-succeeds: and asks for the verifier', async () => {
    const certifier = new Certifier(mode)
    const browser = await signedIn()
    const challenge = {
      code_challenge: await challengeOf(certifier.verifier),
      code_challenge_method: 'S256',
    }
    const ask = async () => certifier.receive(await certifier.ask(browser, challenge))

    const tokens = await certifier.redeem(await ask(), { pkceCodeVerifier: certifier.verifier })

    expect((await certifier.verify(tokens.id_token)).payload['nonce']).toBe(certifier.nonce)
    expect((await certifier.showCode(await ask())).status).toBe(400)
  })
})

async function challengeOf(verifier: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return base64url.encode(new Uint8Array(hash))
}
