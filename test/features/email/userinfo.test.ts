import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { Browser } from '../../browser.ts'
import { deployment } from '../../combined/stranger.ts'
import { basic, formRequest, getUserinfo, RelyingApp } from '../../core/oidc/relying-app.ts'
import { redeemCode } from '../../redeem-code.ts'
import { clientsWith } from '../../registered-clients.ts'
import { Authenticator } from '../passkeys/authenticator.ts'
import { emailService, newAddress, requestMessage } from './email-browser.ts'

type Claims = Record<string, unknown>

describe('/oidc/userinfo', () => {
  it('[H3] returns a placeholder for a missing email address to a client registered for it', async () => {
    const CLIENTS = clientsWith({
      web: { scope: 'openid profile email', placeholder_email: true },
    })
    const { service, sent } = emailService({}, { settings: { CLIENTS } })
    const app = new RelyingApp()
    /** The addresses in the ID token and at userinfo, and the `sub`. */
    const addressesOf = async (browser: Browser, scope: string) => {
      const callback = await app.callbackFor(browser, { scope })
      const form = app.codeExchangeForm(callback)
      const response = await service(formRequest('/oidc/token', form, basic('web')))
      const tokens = await response.json<Record<'access_token' | 'id_token', string>>()
      const idToken: Claims = decodeJwt(tokens.id_token)
      const userinfo: Claims = await (await getUserinfo(tokens.access_token, browser)).json()
      return { sub: idToken['sub'], claims: [idToken, userinfo].map(pickEmail) }
    }
    const pickEmail = ({ email, email_verified }: Claims) => ({ email, email_verified })
    const address = newAddress()
    const withEmail = new Browser(service)
    const page = await requestMessage(withEmail, address)
    await withEmail.post(page, { code: sent[0]?.token ?? '' })
    const withoutEmail = new Browser(service)
    await withoutEmail.signIn('emil')

    const placeholder = await addressesOf(withoutEmail, 'openid email')
    const none = await addressesOf(withoutEmail, 'openid profile')
    const real = await addressesOf(withEmail, 'openid email')

    const inBoth = (claims: object) => [claims, claims]
    const email = `${placeholder.sub}@no-email.invalid`
    expect(placeholder.claims).toEqual(inBoth({ email, email_verified: false }))
    expect(none.claims).toEqual(inBoth({}))
    expect(real.claims).toEqual(inBoth({ email: address, email_verified: true }))
  })
  it('[H3] ignores the placeholder of another user that a provider reports as verified', async () => {
    const CLIENTS = clientsWith({
      web: { scope: 'openid profile email', placeholder_email: true },
    })
    const { methods, open } = deployment(
      { CLIENTS },
      {
        accountId: crypto.randomUUID(),
        email: 'usr_another@No-Email.invalid',
        authenticator: new Authenticator(),
      },
    )
    const browser = open()
    await methods.gitlab.signIn(browser)
    const app = new RelyingApp('web')
    const callback = await app.callbackFor(browser, { scope: 'openid email' })

    const tokens = await (await redeemCode(browser, app, callback)).json<{ id_token: string }>()

    const { sub, email, email_verified } = decodeJwt(tokens.id_token)
    expect({ email, email_verified }).toEqual({
      email: `${sub}@no-email.invalid`,
      email_verified: false,
    })
    expect((await browser.session())?.user).not.toHaveProperty('email')
  })
})
