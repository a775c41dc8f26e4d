import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser, LOGIN, standIn, TOKEN_PATH } from '../browser.ts'
import { advanceClock } from '../clock.ts'
import { findLink, languageSwitchPath } from '../html.ts'
import { REQUEST_SIGN_IN_PATH, redirectUrl } from '../redirect.ts'
import { authorizationResponse } from './authorization-response.ts'
import { RelyingApp, signedIn } from './relying-app.ts'
import { startAtTikTok } from './user-steps.ts'

const CROSS_SITE = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }

afterEach(() => {
  vi.useRealTimers()
})

/** Sends an authorization request without a session, and returns the address of the sign-in page. */
async function signInPageFor(browser: Browser, changes: Record<string, string> = {}): Promise<URL> {
  const url = await new RelyingApp('shop').authorizationUrl(changes)
  return redirectUrl(await browser.get(url, CROSS_SITE))
}

describe('an authorization request that requires a sign-in', () => {
  it('[A26] is sealed in the address of the sign-in page', async () => {
    const state = 'state-that-is-nobodys-business'

    const signInPage = await signInPageFor(new Browser(), { state })

    expect(signInPage.href).not.toContain(state)
    expect(signInPage.href).not.toContain('redirect_uri')
    expect(signInPage.pathname).toMatch(REQUEST_SIGN_IN_PATH)
    expect(signInPage.search).toBe('')
  })

  it('[A26] is resumed after the sign-in, unchanged except for reauth', async () => {
    const browser = new Browser()
    const request = await new RelyingApp('shop').authorizationUrl({ state: 'a+b &%2B=é' })
    const signInPage = redirectUrl(await browser.get(request))
    const platform = await startAtTikTok(browser, signInPage)

    const resumed = redirectUrl(await browser.get(await browser.approve(platform, 'mia')))
    const callback = redirectUrl(await browser.get(resumed.href))

    expect(`${resumed.origin}${resumed.pathname}`).toBe(request.split('?')[0])
    expect(resumed.searchParams.has('reauth')).toBe(true)
    resumed.searchParams.delete('reauth')
    expect([...resumed.searchParams]).toEqual([...new URL(request).searchParams])
    expect(callback.origin).toBe('https://shop.example')
    expect(callback.searchParams.get('state')).toBe('a+b &%2B=é')
  })

  it('[A26] can be continued only by the browser that it was sealed for', async () => {
    const attacker = await signInPageFor(new Browser())

    const victim = new Browser()
    await signInPageFor(victim)
    const page = await victim.get(attacker.href)
    const start = await victim.get(`${attacker.pathname}/tiktok${attacker.search}`, CROSS_SITE)

    expect([page.status, start.status]).toEqual([400, 400])
    expect(victim.cookieNames('attempt.')).toEqual([])
  })

  it('[K11] does not replace the signed-in user when another site has started it', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    const request = await new RelyingApp('shop').authorizationUrl({
      provider: 'tiktok',
      prompt: 'select_account',
    })
    const toProvider = redirectUrl(await browser.get(request, CROSS_SITE))
    const platform = redirectUrl(await browser.get(toProvider.href, CROSS_SITE))

    const response = await browser.get(await browser.approve(platform, 'noah'))

    expect(response.status).toBe(409)
    expect((await browser.session())?.user.name).toBe('Mia Lindqvist')
  })

  it.each([
    ['altered', (request: string) => `${request.slice(0, -2)}AA`],
    ['invented', () => 'x'.repeat(80)],
    ['empty', () => ''],
    ['longer than any', (request: string) => request.repeat(3)],
  ])('[A26] is rejected when it is %s', async (_, change) => {
    const browser = new Browser()
    const { pathname } = await signInPageFor(browser)
    const request = change(pathname.match(REQUEST_SIGN_IN_PATH)?.[1] ?? '')

    const page = await browser.get(`/api/auth/request/${request}/signin`)
    const start = await browser.get(`/api/auth/request/${request}/signin/tiktok`)

    const status = request === '' ? 404 : 400
    expect([page.status, start.status]).toEqual([status, status])
    expect(browser.cookieNames('attempt.')).toEqual([])
  })

  it('[A26] is not repeated on the page, whose links and forms are relative to it', async () => {
    const browser = new Browser()
    const { href, pathname } = await signInPageFor(browser, { state: 'x'.repeat(1300) })
    const [, request = ''] = pathname.match(REQUEST_SIGN_IN_PATH) ?? []

    const page = await (await browser.get(href)).text()
    const german = await (await browser.get(languageSwitchPath(page, 'de'))).text()
    const start = await browser.get(findLink(german, 'signin/tiktok'))

    expect(request.length).toBeGreaterThan(2000)
    expect(page).not.toContain(request)
    expect(german).toContain('<html lang="de">')
    expect(start.status).toBe(302)
  })

  it('[N1] is a part of the path of sign-ins only', async () => {
    const browser = new Browser()
    const { pathname } = await signInPageFor(browser)
    const prefix = pathname.replace(/signin$/, '')

    for (const path of ['', 'session', 'signout', 'csrf', 'signin.json', 'signin/../session/x'])
      expect((await browser.get(prefix + path)).status, path).toBe(404)
    expect((await browser.fetch(pathname, { method: 'PUT' })).status).toBe(405)
  })

  it('[A26] is valid for an hour', async () => {
    const browser = new Browser()
    const signInPage = await signInPageFor(browser)
    advanceClock(3599)
    expect((await browser.get(signInPage.href)).status).toBe(200)

    advanceClock(2)

    expect((await browser.get(signInPage.href)).status).toBe(400)
  })

  it('[A26] stays sealed on the page shown when the user cancels at the platform', async () => {
    const browser = new Browser()
    const signInPage = await signInPageFor(browser, { state: 'state-that-is-nobodys-business' })
    const platform = await startAtTikTok(browser, signInPage)

    const response = await browser.get(await browser.approve(platform, 'mia', 'deny'))

    const retry = findLink(await response.text(), '/signin/tiktok')
    expect(response.status).toBe(403)
    expect(retry).toMatch(/^\/api\/auth\/request\/[\w-]+\/signin\/tiktok\?prompt=consent$/)
  })
})

describe('the parameter provider', () => {
  it('redirects directly to the platform, although the browser comes from another site', async () => {
    const browser = new Browser()
    const signIn = await signInPageFor(browser, { provider: 'tiktok' })
    expect(signIn.pathname).toMatch(/^\/api\/auth\/request\/[\w-]+\/signin\/tiktok$/)

    const response = await browser.get(signIn.href, CROSS_SITE)

    expect(response.status).toBe(302)
    expect(redirectUrl(response).host).toBe('www.tiktok.com')
  })

  it('[K10] does so only with a sealed request of ours', async () => {
    const browser = new Browser()

    const response = await browser.get('/api/auth/request/made-up/signin/tiktok', CROSS_SITE)

    expect(response.status).toBe(400)
    expect(browser.cookieNames('attempt.')).toEqual([])
  })

  it.each([
    'nobody',
    'google',
    '..',
    '.',
    '%2e%2e',
    '../signout',
    'tiktok/qr',
    'TikTok',
    'tiktok ',
  ])('[N1] is ignored unless it is an enabled provider: "%s"', async (provider) => {
    const browser = new Browser()

    const signIn = await signInPageFor(browser, { provider })

    expect(signIn.pathname).toMatch(REQUEST_SIGN_IN_PATH)
    expect((await browser.get(signIn.href, CROSS_SITE)).status).toBe(200)
  })
})

describe('an authorization request that the user cancels at the platform', () => {
  /** Cancels at the platform, and returns the address of the link back to the app. */
  async function cancelSignIn(browser: Browser, request: string): Promise<string> {
    const platform = await startAtTikTok(browser, redirectUrl(await browser.get(request)))
    const response = await browser.get(await browser.approve(platform, 'mia', 'deny'))
    expect(response.status).toBe(403)
    return findLink(await response.text(), '/oidc/authorize?')
  }

  it.each(['query', 'form_post'])(
    'is answered with access_denied when the user returns to the app (RFC 6749 §4.1.2.1): %s',
    async (response_mode) => {
      const browser = new Browser()
      const app = new RelyingApp('shop')
      const goBack = await cancelSignIn(browser, await app.authorizationUrl({ response_mode }))

      const response = await browser.get(goBack)

      expect(Object.fromEntries(await authorizationResponse(response))).toEqual({
        error: 'access_denied',
        error_description: expect.any(String),
        state: app.state,
        iss: LOGIN,
      })
    },
  )

  it('is answered with access_denied although the user is signed in', async () => {
    const browser = await signedIn()
    const request = await new RelyingApp('shop').authorizationUrl({ prompt: 'select_account' })

    const response = await browser.get(await cancelSignIn(browser, request))

    expect((await authorizationResponse(response)).get('error')).toBe('access_denied')
  })

  it.each([
    ['the state is another', (params: URLSearchParams) => params.set('state', 'another')],
    ['a parameter is added', (params: URLSearchParams) => params.set('prompt', 'login')],
    ['the mark is altered', (params: URLSearchParams) => params.set('denied', 'x'.repeat(80))],
    ['the mark is empty', (params: URLSearchParams) => params.set('denied', '')],
  ])('is not answered with access_denied when %s', async (_, change) => {
    const browser = new Browser()
    const request = await new RelyingApp('shop').authorizationUrl()
    const goBack = new URL(await cancelSignIn(browser, request), LOGIN)
    change(goBack.searchParams)

    const response = await browser.get(goBack.href)

    expect(redirectUrl(response, 303).pathname).toMatch(REQUEST_SIGN_IN_PATH)
  })

  it('can still be completed by trying again', async () => {
    const browser = new Browser()
    const request = await new RelyingApp('shop').authorizationUrl()
    await browser.get(await cancelSignIn(browser, request))

    await browser.signIn()

    expect(redirectUrl(await browser.get(request)).searchParams.has('code')).toBe(true)
  })

  it('is answered with login_required when the platform failed instead', async () => {
    const browser = new Browser()
    const request = await new RelyingApp('shop').authorizationUrl()
    const platform = await startAtTikTok(browser, redirectUrl(await browser.get(request)))
    const callback = await browser.approve(platform, 'mia')
    await standIn.fault({ path: TOKEN_PATH, status: 503 })
    const page = await (await browser.get(callback)).text()

    const response = await browser.get(findLink(page, '/oidc/authorize?'))

    expect((await authorizationResponse(response)).get('error')).toBe('login_required')
  })
})

describe('ui_locales', () => {
  it.each([
    ['es', 'es'],
    ['se es-MX en', 'es'],
    ['se', 'en'],
  ])('%s: the language of the sign-in page is %s', async (ui_locales, language) => {
    const browser = new Browser()
    const signInPage = await signInPageFor(browser, { ui_locales })

    const page = await browser.get(signInPage.href, { 'Accept-Language': 'en' })

    expect(await page.text()).toContain(`<html lang="${language}">`)
  })
})
