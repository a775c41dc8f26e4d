import { describe, expect, it } from 'vitest'
import { Browser, SHOP, serviceWith, WITH_GITHUB } from '../../browser.ts'
import { redirectUrl } from '../../redirect.ts'
import { clientsWith } from '../../registered-clients.ts'
import { RelyingApp } from '../oidc/relying-app.ts'

/** A deployment whose only provider is TikTok. */
const service = serviceWith({})

const CROSS_SITE = {
  'Sec-Fetch-Site': 'cross-site',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Dest': 'document',
}
const SAME_SITE = { ...CROSS_SITE, 'Sec-Fetch-Site': 'same-site' }
const SIGN_IN_FOR_SHOP = `/api/auth/signin?callbackUrl=${encodeURIComponent(`${SHOP}/`)}`

/** Sends an app's authorization request, and then the request that it redirects to. */
async function requestSignIn(
  browser: Browser,
  { clientId = 'shop', parameters = {}, headers = {} } = {},
): Promise<Response> {
  const url = await new RelyingApp(clientId).authorizationUrl(parameters)
  const allHeaders = { ...CROSS_SITE, ...headers }
  const signInPage = redirectUrl(await browser.get(url, allHeaders))
  return browser.get(signInPage.href, allHeaders)
}

function expectSkipped(response: Response, browser: Browser): void {
  expect(redirectUrl(response).host).toBe('www.tiktok.com')
  expect(browser.cookieNames('attempt.')).toHaveLength(1)
}

async function expectPage(response: Response, browser: Browser): Promise<string> {
  expect(response.status).toBe(200)
  expect(browser.cookieNames('attempt.')).toEqual([])
  return response.text()
}

describe('the sign-in page of a deployment with one provider', () => {
  it('is skipped for an authorization request of a first-party app, which then receives a code', async () => {
    const browser = new Browser(service)

    const response = await requestSignIn(browser)
    expectSkipped(response, browser)
    const returned = await browser.get(await browser.approve(redirectUrl(response), 'mia'))
    const callback = redirectUrl(await browser.get(redirectUrl(returned).href))

    expect(callback.origin).toBe(SHOP)
    expect(callback.searchParams.has('code')).toBe(true)
  })

  it('is skipped for a first-party app on our own site', async () => {
    const browser = new Browser(service)

    expectSkipped(await browser.get(SIGN_IN_FOR_SHOP, SAME_SITE), browser)
  })

  it('is shown for other apps, unless skip_sign_in_page decides otherwise', async () => {
    const changed = serviceWith({
      CLIENTS: clientsWith({
        kiosk: { skip_sign_in_page: true },
        shop: { skip_sign_in_page: false },
      }),
    })
    const [kiosk, shop, unchanged] = [
      new Browser(changed),
      new Browser(changed),
      new Browser(service),
    ]

    expectSkipped(await requestSignIn(kiosk, { clientId: 'kiosk' }), kiosk)
    await expectPage(await requestSignIn(shop), shop)
    await expectPage(await requestSignIn(unchanged, { clientId: 'kiosk' }), unchanged)
  })

  it('is shown with a second provider', async () => {
    const browser = new Browser(serviceWith(WITH_GITHUB))

    await expectPage(await requestSignIn(browser), browser)
  })

  it.each(['login', 'select_account', 'consent'])('is shown for prompt=%s', async (prompt) => {
    const browser = new Browser(service)

    const fromSite = await browser.get(`${SIGN_IN_FOR_SHOP}&prompt=${prompt}`, SAME_SITE)

    await expectPage(fromSite, browser)
  })

  it('is shown in the browser of another app, which may have no cookies', async () => {
    const browser = new Browser(service)
    const headers = { 'User-Agent': 'Mozilla/5.0 (Linux; Android 15; wv) Instagram 350.0' }

    const page = await expectPage(await requestSignIn(browser, { headers }), browser)

    expect(page).toContain('id="to-browser"')
  })

  it('is shown again in another language', async () => {
    const browser = new Browser(service)
    const url = redirectUrl(await browser.get(await new RelyingApp('shop').authorizationUrl()))
    url.searchParams.set('language', 'es')

    const response = await browser.get(url.href, { 'Sec-Fetch-Site': 'same-origin' })

    await expectPage(response, browser)
  })

  it('is shown after a sign-out in this browser, until the next sign-in', async () => {
    const browser = new Browser(service)
    await browser.signIn('mia')
    await browser.post('/api/auth/signout', {})
    await expectPage(await requestSignIn(browser), browser)
    await browser.signIn('mia')
    for (const name of browser.cookieNames('session')) browser.cookies.delete(name)

    const afterExpiry = await requestSignIn(browser)

    expectSkipped(afterExpiry, browser)
  })

  it('[K11] is shown to a signed-in user, whom another sign-in could replace', async () => {
    const browser = new Browser(service)
    await browser.signIn('mia')

    const page = await expectPage(await browser.get(SIGN_IN_FOR_SHOP, SAME_SITE), browser)

    expect(page).toContain('Continue as')
  })

  it.each<[string, Record<string, string>]>([
    ['from another site', CROSS_SITE],
    ['from a page of ours', { ...CROSS_SITE, 'Sec-Fetch-Site': 'same-origin' }],
    ['from the address bar', { ...CROSS_SITE, 'Sec-Fetch-Site': 'none' }],
    ['from a browser that does not say', {}],
    ['that is not a navigation', { ...SAME_SITE, 'Sec-Fetch-Mode': 'no-cors' }],
    ['in a frame', { ...SAME_SITE, 'Sec-Fetch-Dest': 'iframe' }],
    ['that is a prefetch', { ...SAME_SITE, 'Sec-Purpose': 'prefetch' }],
  ])('[K10] is shown for a request with callbackUrl %s', async (_, headers) => {
    const browser = new Browser(service)

    await expectPage(await browser.get(SIGN_IN_FOR_SHOP, headers), browser)
  })

  it.each<[string, Record<string, string>]>([
    ['that is not a navigation', { 'Sec-Fetch-Mode': 'cors' }],
    ['in a frame', { 'Sec-Fetch-Dest': 'iframe' }],
    ['from a page of ours', { 'Sec-Fetch-Site': 'same-origin' }],
  ])('[K10] is shown for an authorization request %s', async (_, headers) => {
    const browser = new Browser(service)
    const url = await new RelyingApp('shop').authorizationUrl()
    const signInPage = redirectUrl(await browser.get(url, CROSS_SITE))

    await expectPage(await browser.get(signInPage.href, { ...CROSS_SITE, ...headers }), browser)
  })

  it('[A26][K10] is not skipped with an authorization request of another browser', async () => {
    const url = () => new RelyingApp('shop').authorizationUrl()
    const attacker = redirectUrl(await new Browser(service).get(await url()))
    const victim = new Browser(service)
    await victim.get(await url(), CROSS_SITE)

    const response = await victim.get(attacker.href, CROSS_SITE)

    expect(response.status).toBe(400)
    expect(victim.cookieNames('attempt.')).toEqual([])
  })

  it('[K1] is skipped without accepting the callback of a sign-in that another browser started', async () => {
    const attacker = new Browser(service)
    const started = redirectUrl(await requestSignIn(attacker))
    const attackersCallback = await attacker.approve(started, 'noah')
    const victim = new Browser(service)
    expectSkipped(await requestSignIn(victim), victim)

    const response = await victim.get(attackersCallback, CROSS_SITE)

    // The sign-in starts again, with a state of this browser (decision 15).
    expect(redirectUrl(response).host).toBe('www.tiktok.com')
    expect(await victim.session()).toBeNull()
  })

  it('[A27] is skipped when another site starts the request, and the user returns to the registered app', async () => {
    const browser = new Browser(service)
    const response = await requestSignIn(browser, { parameters: { state: 'of-the-attacker' } })

    const returned = await browser.get(await browser.approve(redirectUrl(response), 'mia'))
    const callback = redirectUrl(await browser.get(redirectUrl(returned).href))

    expect((await browser.session())?.user.name).toBe('Mia Lindqvist')
    expect(callback.origin).toBe(SHOP)
  })
})
