import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { Browser, serviceWith } from '../../browser.ts'
import { continueUrl } from '../../continue-url.ts'
import { redirectUrl } from '../../redirect.ts'
import { clientsWith } from '../../registered-clients.ts'
import { type ParameterChanges, RelyingApp, signedInAsNewUser } from './relying-app.ts'
import { approveConsent, consentForm } from './user-steps.ts'

const ALL = 'openid profile email offline_access'

/** An app that is not first-party, and a new user who opens its consent page. */
async function openConsentPage(changes: ParameterChanges = { scope: ALL }) {
  const browser = await signedInAsNewUser({ prompt: 'login' })
  const app = new RelyingApp('kiosk')
  const page = await browser.get(await app.authorizationUrl(changes))
  return { browser, app, page }
}

async function offeredScopes(page: Response): Promise<string[]> {
  return (await consentForm(page)).filter(([name]) => name === 'scope').map(([, value]) => value)
}

/** The same browser at a deployment with another registration of the app. */
function browserWith(
  browser: Browser,
  kiosk: Record<string, unknown>,
  settings: Record<string, unknown> = {},
): Browser {
  return new Browser(serviceWith({ CLIENTS: clientsWith({ kiosk }), ...settings })).withCookiesOf(
    browser,
  )
}

describe('the consent page', () => {
  it('[A13] offers every scope except openid to be declined, and each is selected', async () => {
    const { page } = await openConsentPage()

    expect(await offeredScopes(page)).toEqual(['profile', 'email', 'offline_access'])
  })

  it('offers no scope of required_scope, and nothing for a first-party app', async () => {
    const { browser, app } = await openConsentPage()
    const url = await app.authorizationUrl({ scope: ALL, prompt: 'consent' })
    const requiring = browserWith(browser, { required_scope: 'profile email' })
    const firstParty = browserWith(browser, { first_party: true })

    expect(await offeredScopes(await requiring.get(url))).toEqual(['offline_access'])
    expect(await offeredScopes(await firstParty.get(url))).toEqual([])
  })

  it('says what is always included, if something else can be declined', async () => {
    const { browser, app, page } = await openConsentPage()
    const url = await app.authorizationUrl({ scope: ALL, prompt: 'consent' })
    const requiring = browserWith(browser, { required_scope: 'profile email' })
    const requiringAll = browserWith(browser, { required_scope: ALL })

    const mark = '<p class="note">Always included</p>'
    expect(await page.text()).toMatch(new RegExp(`when you come back</bdi>${mark}</li>`))
    expect((await (await requiring.get(url)).text()).split(mark)).toHaveLength(4)
    expect(await (await requiringAll.get(url)).text()).not.toContain(mark)
  })

  it('[A28] shows what is new first if the app asks for more, and keeps what was decided', async () => {
    const { browser, app, page } = await openConsentPage({ scope: 'openid profile email' })
    await approveConsent(browser, page, ['email'])

    const extended = await browser.get(await app.authorizationUrl({ scope: ALL }))

    const html = await extended.clone().text()
    const [, first = '', decided = ''] = html.split(/<h2>|<details class="note">/)
    expect(first).toContain('New: the app will also be able to:')
    expect(first.match(/value="\w+" checked/g)).toEqual(['value="offline_access" checked'])
    expect(decided).toContain('What you have already decided')
    for (const text of ['Recognise you', 'See your name', 'See your email address']) {
      expect(decided).toContain(text)
      expect(first).not.toContain(text)
    }
    const tokens = await app.exchange(redirectUrl(await approveConsent(browser, extended)))
    expect(tokens.scope).toBe('openid profile offline_access')
  })

  it('shows everything in one list if nothing is new, or nothing was decided before', async () => {
    const { browser, app, page } = await openConsentPage({ scope: 'openid email' })
    expect(await page.clone().text()).not.toContain('<details class="note">')
    await approveConsent(browser, page, ['email'])

    const again = await browser.get(
      await app.authorizationUrl({ scope: 'openid email', prompt: 'consent' }),
    )

    expect(await again.text()).not.toContain('<details class="note">')
  })

  it('says where it leads, for how long the access lasts, and how to end it', async () => {
    const { page } = await openConsentPage()

    const html = await page.text()

    expect(html).toContain('You will return to kiosk.example.')
    expect(html).toContain('for up to 365 days')
    expect(html).toContain('remove this access at any time on your account page')
  })

  it('says that access without offline_access lasts as long as a session can', async () => {
    const { page } = await openConsentPage({ scope: 'openid profile' })

    expect(await page.text()).toContain('for up to 30 days')
  })
})

describe('a scope that the user declines', () => {
  it('[A13] is in no token, and its claims are neither in the ID token nor at userinfo', async () => {
    const { browser, app, page } = await openConsentPage()

    const callback = redirectUrl(await approveConsent(browser, page, ['profile']))
    const tokens = await app.exchange(callback)
    const refreshed = await app.refresh(tokens.refresh_token ?? '')
    const userinfo = await app.userinfo(tokens.access_token, tokens.claims()?.sub ?? '')

    for (const { scope, access_token } of [tokens, refreshed]) {
      expect(scope).toBe('openid email offline_access')
      expect(decodeJwt(access_token)['scope']).toBe('openid email offline_access')
    }
    expect(tokens.claims()).not.toHaveProperty('name')
    expect(Object.keys(userinfo)).toEqual(['sub'])
    await expect(
      app.refresh(refreshed.refresh_token ?? '', { scope: 'openid profile' }),
    ).rejects.toMatchObject({ error: 'invalid_scope' })
  })

  it('[A13] yields no refresh token if it is offline_access', async () => {
    const { browser, app, page } = await openConsentPage()

    const callback = redirectUrl(await approveConsent(browser, page, ['offline_access']))

    const tokens = await app.exchange(callback)

    expect(tokens.scope).toBe('openid profile email')
    expect(tokens.refresh_token).toBeUndefined()
  })

  it('[A28] also declines claims of this scope that are requested individually', async () => {
    const claims = JSON.stringify({ userinfo: { name: null }, id_token: { name: null } })
    const { browser, app, page } = await openConsentPage({ scope: 'openid', claims })
    expect(await offeredScopes(page.clone())).toEqual(['profile'])

    const tokens = await app.exchange(redirectUrl(await approveConsent(browser, page, ['profile'])))
    const userinfo = await app.userinfo(tokens.access_token, tokens.claims()?.sub ?? '')

    expect(tokens.claims()).not.toHaveProperty('name')
    expect(userinfo).not.toHaveProperty('name')
  })

  it('[A28] is remembered: the app is not granted it, and the user is not asked again', async () => {
    const { browser, app, page } = await openConsentPage({ scope: 'openid profile' })
    await approveConsent(browser, page, ['profile'])

    const silent = await app.tokens(browser, { scope: 'openid profile', prompt: 'none' })
    const withEmail = await browser.get(await app.authorizationUrl({ scope: 'openid email' }))

    expect(silent.scope).toBe('openid')
    expect(withEmail.status).toBe(200)
  })

  it('[A28] is offered again, not selected, when the app asks again, and can be accepted', async () => {
    const { browser, app, page } = await openConsentPage({ scope: 'openid profile email' })
    await approveConsent(browser, page, ['profile'])
    const url = await app.authorizationUrl({ scope: 'openid profile email', prompt: 'consent' })
    const again = await browser.get(url)
    const form = await consentForm(again)
    expect(form.filter(([name]) => name === 'scope')).toEqual([['scope', 'email']])

    const decided = await browser.fetch('/oidc/consent', {
      form: [...form, ['scope', 'profile']],
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    })
    const callback = redirectUrl(await browser.get(await continueUrl(decided)))

    expect((await app.exchange(callback)).scope).toBe('openid profile email')
  })

  it('[A28] ends the grants of the app, if the user had agreed to it before', async () => {
    const { browser, app, page } = await openConsentPage()
    const before = await app.exchange(redirectUrl(await approveConsent(browser, page)))
    const again = await browser.get(
      await app.authorizationUrl({ scope: 'openid profile', prompt: 'consent' }),
    )

    const callback = redirectUrl(await approveConsent(browser, again, ['profile']))

    expect((await app.exchange(callback)).scope).toBe('openid')
    await expect(app.refresh(before.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    const account = await (await browser.get('/account')).text()
    expect(account).not.toContain('see your name, username, picture and profile link')
  })

  it('[A28] is asked for again once the app requires it', async () => {
    const { browser, app, page } = await openConsentPage({ scope: 'openid profile' })
    await approveConsent(browser, page, ['profile'])
    const url = await app.authorizationUrl({ scope: 'openid profile' })

    expect((await browser.get(url)).status).toBe(303)
    expect((await browserWith(browser, { required_scope: 'profile' }).get(url)).status).toBe(200)
  })

  it('[A28] is no longer consented to, if the user had agreed to it before', async () => {
    const { browser, app, page } = await openConsentPage({ scope: 'openid profile' })
    await approveConsent(browser, page)
    const url = await app.authorizationUrl({ scope: 'openid profile' })
    const requiring = browserWith(browser, { required_scope: 'profile' })
    expect((await requiring.get(url)).status).toBe(303)

    const again = await browser.get(`${url}&prompt=consent`)
    await approveConsent(browser, again, ['profile'])

    const exported = await (await browser.post('/account/export', {})).json()
    expect(exported).toMatchObject({ consents: [{ scope: ['openid'], declined: ['profile'] }] })
    expect((await requiring.get(url)).status).toBe(200)
  })

  it('[A28] is no longer declined, if the user agrees to it later', async () => {
    const { browser, app, page } = await openConsentPage({ scope: 'openid profile' })
    await approveConsent(browser, page, ['profile'])
    const url = await app.authorizationUrl({ scope: 'openid profile', prompt: 'consent' })
    const form = await consentForm(await browser.get(url))

    const headers = { 'Sec-Fetch-Site': 'same-origin' }
    await browser.fetch('/oidc/consent', { form: [...form, ['scope', 'profile']], headers })

    const exported = await (await browser.post('/account/export', {})).json()
    expect(exported).toMatchObject({ consents: [{ scope: ['openid', 'profile'], declined: [] }] })
    expect((await app.tokens(browser)).scope).toBe('openid profile')
  })

  it('is in the export of the user', async () => {
    const { browser, page } = await openConsentPage({ scope: 'openid profile' })
    await approveConsent(browser, page, ['profile'])

    const exported = await (await browser.post('/account/export', {})).json()

    expect(exported).toMatchObject({
      consents: [{ client_id: 'kiosk', scope: ['openid'], declined: ['profile'] }],
    })
  })
})

describe('the scope of an API that the user declines', () => {
  const ORDERS = 'https://orders.example'
  const STOCK = 'https://stock.example'
  const READ = { name: 'read', description: 'Read your orders.' }
  const WRITE = { name: 'write', description: 'Change your orders.' }

  /** An app that uses APIs which all have the same scopes. */
  async function openApiConsentPage(resources: string[]) {
    const browser = browserWith(
      await signedInAsNewUser(),
      { scope: 'openid read write', resources },
      { APIS: resources.map((identifier) => ({ identifier, scopes: [READ, WRITE] })) },
    )
    const app = new RelyingApp('kiosk')
    const url = new URL(await app.authorizationUrl({ scope: 'openid read write' }))
    for (const identifier of resources) url.searchParams.append('resource', identifier)
    const page = await browser.get(url.href)
    const exchange = async (response: Response) => {
      const form = { ...app.codeExchangeForm(redirectUrl(response)), client_id: 'kiosk' }
      const tokens = await browser.fetch('/oidc/token', { form })
      return tokens.json<{ scope: string; access_token: string }>()
    }
    return { browser, page, exchange }
  }

  it('[A13] is not in the token, which is still for the API', async () => {
    const { browser, page, exchange } = await openApiConsentPage([ORDERS])

    const tokens = await exchange(await approveConsent(browser, page, [`${ORDERS} write`]))

    expect(tokens.scope).toBe('openid read')
    expect(decodeJwt(tokens.access_token).aud).toContain(ORDERS)
  })

  it('[A28] is shown below the name of its API if only the scope is new', async () => {
    const browser = browserWith(
      await signedInAsNewUser(),
      { scope: 'openid read write', resources: [ORDERS] },
      { APIS: [{ identifier: ORDERS, name: 'Orders', scopes: [READ, WRITE] }] },
    )
    const app = new RelyingApp('kiosk')
    const open = async (scope: string) => browser.get(await app.authorizationUrl({ scope }))
    await approveConsent(browser, await open('openid read'))

    const html = await (await open('openid read write')).text()

    const [, first = '', decided = ''] = html.split(/<h2>|<details class="note">/)
    expect(first).toMatch(/<li class="group">Use Orders<ul.*Change your orders/)
    expect(first).not.toContain('Read your orders')
    expect(decided).toContain('Read your orders')
  })

  it('[A13] is declined for every API of the request that has a scope of this name', async () => {
    const { browser, page, exchange } = await openApiConsentPage([ORDERS, STOCK])

    const tokens = await exchange(await approveConsent(browser, page, [`${STOCK} write`]))

    expect(tokens.scope).toBe('openid read')
  })
})

describe('POST /oidc/consent', () => {
  it.each([
    ['a scope that was not requested', ['profile', 'email', 'platform']],
    ['openid, which cannot be declined', []],
    ['something else', ['https://evil.example read', '', 'profile email']],
  ])('[A13][A29] grants nothing that the page did not offer: %s', async (_, selected) => {
    const { browser, app, page } = await openConsentPage({ scope: 'openid profile' })
    const form = (await consentForm(page)).filter(([name]) => name !== 'scope')

    const decided = await browser.fetch('/oidc/consent', {
      form: [...form, ...selected.map((value): [string, string] => ['scope', value])],
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    })
    const tokens = await app.exchange(redirectUrl(await browser.get(await continueUrl(decided))))

    expect(tokens.scope).toBe(selected.includes('profile') ? 'openid profile' : 'openid')
    const wider = await browser.get(await app.authorizationUrl({ scope: 'openid email' }))
    expect(wider.status).toBe(200)
  })
})
