import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { Browser } from '../../browser.ts'
import { continueUrl } from '../../continue-url.ts'
import { basic, RelyingApp, SECRETS } from '../../core/oidc/relying-app.ts'
import { approveConsent, shownConsent } from '../../core/oidc/user-steps.ts'
import { OWN_PAGE } from '../../link-account.ts'
import { signInNewUser } from '../../new-user.ts'
import { redeemCode } from '../../redeem-code.ts'
import { redirectUrl } from '../../redirect.ts'
import { clientsWith } from '../../registered-clients.ts'
import type { Authenticator } from './authenticator.ts'
import {
  createPasskeyUser,
  passkeyBrowser,
  readOptions,
  signInWithPasskey,
  usePasskey,
} from './passkey-user.ts'

const PASSKEY_CLAIMS = { acr: 'phr', amr: ['pop', 'user', 'mfa'] }

const ESSENTIAL = { claims: claimsParameter({ essential: true, values: ['phr'] }) }

function claimsParameter(acr: object): string {
  return JSON.stringify({ id_token: { acr } })
}

interface Tokens {
  id_token: string
  access_token: string
  refresh_token: string
}

async function requestTokens(browser: Browser, app: RelyingApp, callback: URL): Promise<Tokens> {
  return (await redeemCode(browser, app, callback)).json<Tokens>()
}

/** A browser in which a user with a passkey has signed in with it. */
async function signedInWithPasskey() {
  const user = await createPasskeyUser()
  const browser = passkeyBrowser()
  await signInWithPasskey(browser, user.authenticator)
  return { ...user, browser }
}

/**
 * A user with a passkey, which the account page has announced in this browser. It would otherwise
 * precede the app at the next sign-in.
 */
async function createInformedUser() {
  const user = await createPasskeyUser()
  await user.browser.signIn(user.handle, { prompt: 'login' })
  await user.browser.get('/account')
  return user
}

/**
 * Confirms with the passkey on the sign-in page at this address, and returns where the browser
 * continues.
 */
async function confirmAt(browser: Browser, url: URL, authenticator: Authenticator): Promise<URL> {
  expect(url.pathname).toBe('/api/auth/signin')
  expect(url.searchParams.get('interaction')).toBeTruthy()
  const html = await (await browser.get(`${url.pathname}${url.search}`)).text()
  expect(readOptions(html).allowCredentials).toHaveLength(1)
  const response = await usePasskey(browser, html, { authenticator })
  return redirectUrl(await browser.get(await continueUrl(response)))
}

/** Signs in again at the platform from the sign-in page at this address. */
async function signInAt(browser: Browser, url: URL, handle: string): Promise<URL> {
  const start = await browser.get(`${url.pathname}/tiktok${url.search}`, {
    'Sec-Fetch-Site': 'same-origin',
  })
  const callback = await browser.approve(redirectUrl(start), handle)
  return redirectUrl(await browser.get(redirectUrl(await browser.get(callback)).href))
}

const error = ({ searchParams }: URL) => searchParams.get('error')

describe('the tokens of a user who signed in with a passkey', () => {
  it('state what was proved (RFC 8176): ID token, access token, session token, introspection', async () => {
    const { browser } = await signedInWithPasskey()
    const app = new RelyingApp('web')

    const tokens = await requestTokens(browser, app, await app.callbackFor(browser))

    expect(decodeJwt(tokens.id_token)).toMatchObject(PASSKEY_CLAIMS)
    expect(decodeJwt(tokens.access_token)).toMatchObject(PASSKEY_CLAIMS)
    expect(decodeJwt((await browser.session())?.token ?? '')).toMatchObject(PASSKEY_CLAIMS)
    const introspection = await browser.fetch('/oidc/introspect', {
      form: { token: tokens.access_token },
      headers: basic('web', SECRETS['web'] ?? ''),
    })
    expect(await introspection.json()).toMatchObject({
      active: true,
      ...PASSKEY_CLAIMS,
      auth_time: expect.any(Number),
    })
  })

  it('state what was proved after a refresh as well', async () => {
    const { browser } = await signedInWithPasskey()
    const app = new RelyingApp('web')
    const scope = 'openid offline_access'
    const tokens = await requestTokens(browser, app, await app.callbackFor(browser, { scope }))

    const response = await browser.fetch('/oidc/token', {
      form: { grant_type: 'refresh_token', refresh_token: tokens.refresh_token },
      headers: basic('web', SECRETS['web'] ?? ''),
    })

    expect(decodeJwt((await response.json<Tokens>()).id_token)).toMatchObject(PASSKEY_CLAIMS)
  })
})

describe('the tokens of a user who signed in through another service', () => {
  it('state only that the user signed in through another service', async () => {
    const { browser } = await createPasskeyUser()
    const app = new RelyingApp('web')

    const tokens = await requestTokens(browser, app, await app.callbackFor(browser))

    for (const token of [tokens.id_token, tokens.access_token]) {
      expect(decodeJwt(token)['acr']).toBe('federated')
      expect(decodeJwt(token)).not.toHaveProperty('amr')
    }
  })
})

describe('GET /.well-known/openid-configuration', () => {
  it('lists the values of acr that the deployment supports', async () => {
    const read = (browser: Browser) =>
      browser.json<{ acr_values_supported: string[] }>('/.well-known/openid-configuration')

    expect((await read(passkeyBrowser())).acr_values_supported).toEqual(['phr', 'federated'])
    expect((await read(new Browser())).acr_values_supported).toEqual(['federated'])
  })
})

describe('GET /oidc/authorize with acr_values', () => {
  it('asks a user with a passkey to confirm with it', async () => {
    const { browser, authenticator } = await createPasskeyUser()
    const app = new RelyingApp('web')

    const signIn = redirectUrl(await browser.get(await app.authorizationUrl({ acr_values: 'phr' })))
    const callback = await confirmAt(browser, signIn, authenticator)

    const { id_token } = await requestTokens(browser, app, callback)
    expect(decodeJwt(id_token)).toMatchObject(PASSKEY_CLAIMS)
  })

  it('grants a code with the true acr if the user signs in another way', async () => {
    const { browser, handle } = await createInformedUser()
    const app = new RelyingApp('web')
    const signIn = redirectUrl(await browser.get(await app.authorizationUrl({ acr_values: 'phr' })))

    const callback = await signInAt(browser, signIn, handle)

    const { id_token } = await requestTokens(browser, app, callback)
    expect(decodeJwt(id_token)['acr']).toBe('federated')
  })

  it.each(['phr', 'unknown', 'phr federated', 'federated phr', ' '])(
    'does not interrupt a user without a passkey: %s',
    async (acr_values) => {
      const { browser } = await signInNewUser(passkeyBrowser())
      const app = new RelyingApp('web')

      const callback = await app.callbackFor(browser, { acr_values })

      expect(callback.searchParams.get('code')).toBeTruthy()
    },
  )

  it('does not send a user who has proved more to another service', async () => {
    const { browser } = await signedInWithPasskey()

    const callback = await new RelyingApp('web').callbackFor(browser, { acr_values: 'federated' })

    expect(callback.searchParams.get('code')).toBeTruthy()
  })

  it('is granted with prompt=none, with the true acr', async () => {
    const { browser } = await createPasskeyUser()
    const app = new RelyingApp('web')

    const callback = await app.callbackFor(browser, { acr_values: 'phr', prompt: 'none' })

    const { id_token } = await requestTokens(browser, app, callback)
    expect(decodeJwt(id_token)['acr']).toBe('federated')
  })

  it('asks once for the passkey where the user must also consent', async () => {
    const { browser, handle } = await createInformedUser()
    const app = new RelyingApp('kiosk')
    const signIn = redirectUrl(await browser.get(await app.authorizationUrl({ acr_values: 'phr' })))
    const start = await browser.get(`${signIn.pathname}/tiktok${signIn.search}`, {
      'Sec-Fetch-Site': 'same-origin',
    })
    const platformCallback = await browser.approve(redirectUrl(start), handle)
    const repeated = redirectUrl(await browser.get(platformCallback))
    const shown = await shownConsent(await browser.get(repeated.href))
    const decision = await browser.post('/oidc/consent', { ...shown, answer: 'approve' })

    const callback = redirectUrl(await browser.get(await continueUrl(decision)))

    expect(callback.origin).toBe('https://kiosk.example')
    expect(callback.searchParams.get('code')).toBeTruthy()
  })

  it('[A8] rejects it when sent twice, and [A23] when too long', async () => {
    const { browser } = await signInNewUser(passkeyBrowser())
    const app = new RelyingApp('web')
    const url = await app.authorizationUrl({ acr_values: 'phr' })

    const twice = redirectUrl(await browser.get(`${url}&acr_values=federated`))
    const long = await app.callbackFor(browser, { acr_values: 'a'.repeat(1025) })

    expect([error(twice), error(long)]).toEqual(['invalid_request', 'invalid_request'])
  })
})

describe('GET /oidc/authorize with an essential acr', () => {
  it('is granted to a user who signed in with a passkey', async () => {
    const { browser } = await signedInWithPasskey()
    const app = new RelyingApp('web')

    const callback = await app.callbackFor(browser, { ...ESSENTIAL, prompt: 'none' })

    expect(decodeJwt((await requestTokens(browser, app, callback)).id_token)).toMatchObject(
      PASSKEY_CLAIMS,
    )
  })

  it('asks a user with a passkey to confirm with it', async () => {
    const { browser, authenticator } = await createPasskeyUser()
    const app = new RelyingApp('web')
    const signIn = redirectUrl(
      await browser.get(await app.authorizationUrl({ ...ESSENTIAL, provider: 'tiktok' })),
    )

    const callback = await confirmAt(browser, signIn, authenticator)

    expect(decodeJwt((await requestTokens(browser, app, callback)).id_token)['acr']).toBe('phr')
  })

  it('is not met by a user who signs in another way, even if the request is sent again', async () => {
    const { browser, handle } = await createInformedUser()
    const app = new RelyingApp('web')
    const signIn = redirectUrl(await browser.get(await app.authorizationUrl(ESSENTIAL)))

    const callback = await signInAt(browser, signIn, handle)

    expect(error(callback)).toBe('unmet_authentication_requirements')
    expect(callback.searchParams.get('state')).toBe(app.state)
    expect(callback.searchParams.get('iss')).toBe('https://login.example')
  })

  it('is asked of a user with a passkey who was not signed in, and signed in another way', async () => {
    const { browser, handle, authenticator } = await createInformedUser()
    await browser.post('/api/auth/signout', {})
    const app = new RelyingApp('web')
    const signIn = redirectUrl(await browser.get(await app.authorizationUrl(ESSENTIAL)))

    const second = await signInAt(browser, signIn, handle)
    const callback = await confirmAt(browser, second, authenticator)

    expect(callback.searchParams.get('code')).toBeTruthy()
  })

  it.each(['none', undefined])(
    'is not met by a user without a passkey (prompt %s)',
    async (prompt) => {
      const { browser } = await signInNewUser(passkeyBrowser())

      const callback = await new RelyingApp('web').callbackFor(browser, { ...ESSENTIAL, prompt })

      expect(error(callback)).toBe('unmet_authentication_requirements')
    },
  )

  it('is interaction_required with prompt=none for a user with a passkey', async () => {
    const { browser } = await createPasskeyUser()

    const callback = await new RelyingApp('web').callbackFor(browser, {
      ...ESSENTIAL,
      prompt: 'none',
    })

    expect(error(callback)).toBe('interaction_required')
  })

  it.each([
    { essential: true, value: 'gold' },
    { essential: true, values: ['phrh', 'gold'] },
  ])('is not met by a deployment that does not support it: %j', async (acr) => {
    const callback = await new RelyingApp('web').callbackFor(passkeyBrowser(), {
      claims: claimsParameter(acr),
    })

    expect(error(callback)).toBe('unmet_authentication_requirements')
  })

  it('is not met by a deployment without passkeys, and not asked of its users', async () => {
    const callback = await new RelyingApp('web').callbackFor(new Browser(), ESSENTIAL)

    expect(error(callback)).toBe('unmet_authentication_requirements')
  })

  it.each([
    { essential: true, values: 'phr' },
    { essential: true, values: ['phr', 1] },
    { essential: 'true', values: ['phr'] },
    { essential: true, value: null },
    { essential: true, value: ['phr'] },
    { essential: true, value: 'phr', values: [] },
    { essential: true, value: 'phr', values: ['federated'] },
    { essential: null },
    'phr',
  ])('[A31] that is malformed is rejected: %j', async (acr) => {
    const { browser } = await signInNewUser(passkeyBrowser())

    const callback = await new RelyingApp('web').callbackFor(browser, {
      claims: JSON.stringify({ id_token: { acr } }),
    })

    expect(error(callback)).toBe('invalid_request')
    expect(callback.searchParams.get('error_description')).toBe(
      'claims is malformed: id_token.acr.',
    )
  })

  it.each([{ essential: true }, { essential: true, values: [] }, null])(
    'requires nothing without values: %j',
    async (acr) => {
      const { browser } = await signInNewUser(passkeyBrowser())

      const callback = await new RelyingApp('web').callbackFor(browser, {
        claims: JSON.stringify({ id_token: { acr } }),
      })

      expect(callback.searchParams.get('code')).toBeTruthy()
    },
  )

  it('[A17] is still required after the user has consented', async () => {
    const { browser, handle, authenticator } = await createInformedUser()
    const app = new RelyingApp('kiosk')
    const url = await app.authorizationUrl(ESSENTIAL)
    const signIn = redirectUrl(await browser.get(url))
    const start = await browser.get(`${signIn.pathname}/tiktok${signIn.search}`, OWN_PAGE)
    const returned = await browser.get(await browser.approve(redirectUrl(start), handle))
    const page = await browser.get(redirectUrl(returned).href)

    const unmet = redirectUrl(await approveConsent(browser, page))
    const met = await confirmAt(browser, redirectUrl(await browser.get(url)), authenticator)

    expect(error(unmet)).toBe('unmet_authentication_requirements')
    expect(unmet.searchParams.has('code')).toBe(false)
    expect(met.searchParams.has('code')).toBe(true)
  })

  it('does not tell an app without consent how the user signs in', async () => {
    const { browser } = await signInNewUser(passkeyBrowser())
    const app = new RelyingApp('kiosk')

    const silent = await app.callbackFor(browser, { ...ESSENTIAL, prompt: 'none' })
    const page = await browser.get(await app.authorizationUrl(ESSENTIAL))

    expect(error(silent)).toBe('consent_required')
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('action="/oidc/consent"')
  })
})

describe('GET /oidc/authorize with max_age or prompt=login', () => {
  it.each([{ max_age: '0' }, { prompt: 'login' }])(
    'accepts the passkey of the signed-in user as the new sign-in: %j',
    async (parameters) => {
      const { browser, authenticator } = await createPasskeyUser()
      const app = new RelyingApp('web')
      const signIn = redirectUrl(await browser.get(await app.authorizationUrl(parameters)))

      const callback = await confirmAt(browser, signIn, authenticator)

      const { id_token } = await requestTokens(browser, app, callback)
      expect(decodeJwt(id_token)).toMatchObject(PASSKEY_CLAIMS)
    },
  )

  it('keeps the scopes of the platform for an app that needs them', async () => {
    const CLIENTS = clientsWith({
      web: { upstream_scope: ['user.info.profile'], scope: 'openid profile platform' },
    })
    const { browser, authenticator } = await createPasskeyUser(passkeyBrowser({}, { CLIENTS }))
    const app = new RelyingApp('web')
    const signIn = redirectUrl(await browser.get(await app.authorizationUrl({ max_age: '0' })))

    const callback = await confirmAt(browser, signIn, authenticator)

    expect(callback.searchParams.get('code')).toBeTruthy()
  })
})
