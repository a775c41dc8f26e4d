import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  Browser,
  LOGIN,
  SHOP,
  serviceWith,
  standIn,
  TOKEN_PATH,
  WITH_GITHUB,
} from '../../browser.ts'
import { advanceClock } from '../../clock.ts'
import { findLink, languageSwitchPath } from '../../html.ts'
import { redirectUrl } from '../../redirect.ts'
import { authorizationResponse } from './authorization-response.ts'
import { RelyingApp, signedIn } from './relying-app.ts'
import { resumedRequest, shownConsent, startAtTikTok } from './user-steps.ts'

/** A deployment that does not skip the sign-in page. */
const service = serviceWith(WITH_GITHUB)

const CROSS_SITE = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }

afterEach(() => {
  vi.useRealTimers()
})

/**
 * Sends an authorization request without a session, and returns the address of the sign-in page.
 */
async function signInPageFor(browser: Browser, changes: Record<string, string> = {}): Promise<URL> {
  const url = await new RelyingApp('shop').authorizationUrl(changes)
  return redirectUrl(await browser.get(url, CROSS_SITE))
}

function randomText(length: number): string {
  return Array.from({ length }, () => Math.floor(Math.random() * 36).toString(36)).join('')
}

describe('an authorization request that requires a sign-in', () => {
  it('[A26] is not in the address of the sign-in page, but sealed in a cookie', async () => {
    const state = 'state-that-is-nobodys-business'

    const browser = new Browser(service)
    const signInPage = await signInPageFor(browser, { state })

    expect(signInPage.pathname).toBe('/api/auth/signin')
    expect([...signInPage.searchParams.keys()]).toEqual(['interaction'])
    expect(browser.cookieNames('interaction.')).toHaveLength(1)
    expect([...browser.cookies.values()].join(' ')).not.toContain(state)
  })

  it('[A26] is continued after the sign-in, unchanged', async () => {
    const browser = new Browser(service)
    const request = await new RelyingApp('shop').authorizationUrl({ state: 'a+b &%2B=é' })
    const signInPage = redirectUrl(await browser.get(request))
    const platform = await startAtTikTok(browser, signInPage)

    const resumed = redirectUrl(await browser.get(await browser.approve(platform, 'mia')))
    const callback = redirectUrl(await browser.get(resumed.href))

    expect(resumed.pathname).toBe(`/oidc/authorize/${signInPage.searchParams.get('interaction')}`)
    expect(resumed.search).toBe('')
    expect(callback.origin).toBe('https://shop.example')
    expect(callback.searchParams.get('state')).toBe('a+b &%2B=é')
  })

  it('[A26] can be continued only by the browser that sent it', async () => {
    const attacker = await signInPageFor(new Browser(service))

    const victim = new Browser(service)
    await signInPageFor(victim)
    const page = await victim.get(attacker.href)
    const start = await victim.get(`${attacker.pathname}/tiktok${attacker.search}`, CROSS_SITE)
    const id = attacker.searchParams.get('interaction')
    const answer = await victim.get(`/oidc/authorize/${id}`)

    expect([page.status, start.status, answer.status]).toEqual([400, 400, 400])
    expect(victim.cookieNames('attempt.')).toEqual([])
  })

  it('[K11] does not replace the signed-in user when another site has started it', async () => {
    const browser = new Browser(service)
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
    [undefined, false],
    ['cross-site', false],
    ['same-site', false],
    ['same-origin', true],
    ['none', true],
  ])(
    '[K11] with prompt=select_account and Sec-Fetch-Site: %s replaces the signed-in user: %s',
    async (site, isReplaced) => {
      const browser = await signedIn('mia')
      const url = await new RelyingApp('shop').authorizationUrl({ prompt: 'select_account' })
      const { pathname, search } = redirectUrl(await browser.get(url))
      const headers = site === undefined ? {} : { 'Sec-Fetch-Site': site }
      const start = await browser.get(`${pathname}/tiktok${search}`, headers)

      const response = await browser.get(await browser.approve(redirectUrl(start), 'noah'))

      expect(response.status).toBe(isReplaced ? 302 : 409)
      const name = isReplaced ? 'Noah Adeyemi' : 'Mia Lindqvist'
      expect((await browser.session())?.user.name).toBe(name)
    },
  )

  it.each([
    ['altered', (id: string) => `${id.slice(0, -2)}AA`],
    ['invented', () => 'x'.repeat(22)],
    ['empty', () => ''],
    ['longer than any', (id: string) => id.repeat(30)],
    ['another cookie', () => '../session'],
  ])('[A26] is rejected when its id is %s', async (_, change) => {
    const browser = new Browser(service)
    const { searchParams } = await signInPageFor(browser)
    const query = new URLSearchParams({
      interaction: change(searchParams.get('interaction') ?? ''),
    })

    const page = await browser.get(`/api/auth/signin?${query}`)
    const start = await browser.get(`/api/auth/signin/tiktok?${query}`)

    expect([page.status, start.status]).toEqual([400, 400])
    expect(browser.cookieNames('attempt.')).toEqual([])
  })

  it('[A26] is rejected when its cookie is that of another interaction', async () => {
    const browser = new Browser(service)
    const first = await signInPageFor(browser)
    const [name = ''] = browser.cookieNames('interaction.')
    const second = await signInPageFor(browser, { state: 'another' })
    const other = browser.cookieNames('interaction.').find((cookie) => cookie !== name) ?? ''
    browser.cookies.set(name, browser.cookies.get(other) ?? '')

    expect((await browser.get(first.href)).status).toBe(400)
    expect((await browser.get(second.href)).status).toBe(200)
  })

  it('is continued in another language', async () => {
    const browser = new Browser(service)
    const { href } = await signInPageFor(browser, { state: 'x'.repeat(1300) })

    const page = await (await browser.get(href)).text()
    const german = await (await browser.get(languageSwitchPath(page, 'de'))).text()
    const start = await browser.get(findLink(german, 'signin/tiktok'))

    expect(german).toContain('<html lang="de">')
    expect(start.status).toBe(302)
  })

  it('is continued if it has more than 6 KB', async () => {
    const browser = new Browser(service)
    const app = new RelyingApp('shop')
    // Random, like the encrypted states of some libraries.
    const state = randomText(2000)
    const url = new URL(await app.authorizationUrl({ state, nonce: randomText(500) }))
    for (const name of ['ui_locales', 'acr_values', 'provider', 'prompt'])
      url.searchParams.set(name, randomText(1000))
    expect(url.search.length).toBeGreaterThan(6 * 1024)

    const signInPage = redirectUrl(await browser.get(url.href))
    const platform = await startAtTikTok(browser, signInPage)
    const resumed = redirectUrl(await browser.get(await browser.approve(platform, 'mia')))
    const callback = redirectUrl(await browser.get(resumed.href))

    expect(callback.searchParams.get('state')).toBe(state)
    expect(callback.searchParams.has('code')).toBe(true)
  })

  it('[A26] is valid for an hour', async () => {
    const browser = new Browser(service)
    const signInPage = await signInPageFor(browser)
    advanceClock(3599)
    expect((await browser.get(signInPage.href)).status).toBe(200)

    advanceClock(2)

    expect((await browser.get(signInPage.href)).status).toBe(400)
  })

  it('[A26] is valid for an hour in all, also if it is continued meanwhile', async () => {
    const browser = await signedIn()
    const url = await new RelyingApp('kiosk').authorizationUrl({ prompt: 'consent' })
    const { interaction } = await shownConsent(await browser.get(url))
    advanceClock(3000)
    expect((await browser.get(`/oidc/authorize/${interaction}`)).status).toBe(200)

    advanceClock(601)

    expect((await browser.get(`/oidc/authorize/${interaction}`)).status).toBe(400)
  })

  it('[A26] can be tried again on the page shown when the user cancels at the platform', async () => {
    const browser = new Browser(service)
    const signInPage = await signInPageFor(browser, { state: 'state-that-is-nobodys-business' })
    const platform = await startAtTikTok(browser, signInPage)

    const response = await browser.get(await browser.approve(platform, 'mia', 'deny'))

    const page = await (await browser.get(redirectUrl(response, 303).href)).text()
    const retry = findLink(page, '/signin/tiktok')
    const id = signInPage.searchParams.get('interaction')
    expect(retry).toBe(`/api/auth/signin/tiktok?interaction=${id}&prompt=consent`)
  })
})

describe('an authorization request that is too long for the cookies of a browser', () => {
  it('[A23] is answered with an error if the user must sign in', async () => {
    const browser = new Browser(service)
    const url = new URL(await new RelyingApp('shop').authorizationUrl())
    for (const name of [
      'state',
      'nonce',
      'ui_locales',
      'acr_values',
      'provider',
      'prompt',
      'claims',
    ])
      url.searchParams.set(name, name === 'claims' ? `{"x":"${'é'.repeat(900)}"}` : 'x'.repeat(500))

    const response = await browser.get(url.href)

    expect(redirectUrl(response).searchParams.get('error')).toBe('invalid_request')
    expect(browser.cookieNames('interaction.')).toEqual([])
  })
})

describe('the parameter provider', () => {
  it('redirects directly to the platform, although the browser comes from another site', async () => {
    const browser = new Browser(service)
    const signIn = await signInPageFor(browser, { provider: 'tiktok' })
    expect(signIn.pathname).toBe('/api/auth/signin/tiktok')

    const response = await browser.get(signIn.href, CROSS_SITE)

    expect(response.status).toBe(302)
    expect(redirectUrl(response).host).toBe('www.tiktok.com')
  })

  it('[K10] does so only for an authorization request of this browser', async () => {
    const browser = new Browser(service)
    await browser.get(`/api/auth/signin?callbackUrl=${encodeURIComponent(SHOP)}`)
    const [cookie = ''] = browser.cookieNames('interaction.')
    const visit = cookie.split('.').at(-1)

    const unknown = await browser.get('/api/auth/signin/tiktok?interaction=made-up', CROSS_SITE)
    const ofPage = await browser.get(`/api/auth/signin/tiktok?interaction=${visit}`, CROSS_SITE)

    expect(unknown.status).toBe(400)
    expect(redirectUrl(ofPage).pathname).toBe('/api/auth/signin')
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
    const browser = new Browser(service)

    const signIn = await signInPageFor(browser, { provider })

    expect(signIn.pathname).toBe('/api/auth/signin')
    expect((await browser.get(signIn.href, CROSS_SITE)).status).toBe(200)
  })
})

describe('an authorization request that the user cancels at the platform', () => {
  /** Cancels at the platform, and returns the address of the link back to the app. */
  async function cancelSignIn(browser: Browser, request: string): Promise<string> {
    const platform = await startAtTikTok(browser, redirectUrl(await browser.get(request)))
    const response = await browser.get(await browser.approve(platform, 'mia', 'deny'))
    const page =
      response.status === 303 ? await browser.get(redirectUrl(response, 303).href) : response
    return findLink(await page.text(), '/oidc/authorize/')
  }

  it.each(['query', 'fragment', 'form_post'])(
    'is answered with access_denied when the user returns to the app (RFC 6749 §4.1.2.1): %s',
    async (response_mode) => {
      const browser = new Browser(service)
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

  it('is answered only once: afterwards, the user continues on the page of the app', async () => {
    const browser = new Browser(service)
    const request = await new RelyingApp('shop').authorizationUrl()
    const goBack = await cancelSignIn(browser, request)
    await browser.get(goBack)

    const again = await browser.get(goBack)

    expect(redirectUrl(again, 303).href).toBe(`${SHOP}/`)
  })

  it('can still be completed by trying again', async () => {
    const browser = new Browser(service)
    const request = await new RelyingApp('shop').authorizationUrl()
    await browser.get(await cancelSignIn(browser, request))

    await browser.signIn()

    expect(redirectUrl(await browser.get(request)).searchParams.has('code')).toBe(true)
  })

  it('is answered with login_required when the platform failed instead', async () => {
    const browser = new Browser(service)
    const request = await new RelyingApp('shop').authorizationUrl()
    const platform = await startAtTikTok(browser, redirectUrl(await browser.get(request)))
    const callback = await browser.approve(platform, 'mia')
    await standIn.fault({ path: TOKEN_PATH, status: 503 })
    const page = await (await browser.get(callback)).text()

    const goBack = findLink(page, '/oidc/authorize/')
    const response = await browser.get(goBack)

    expect((await authorizationResponse(response)).get('error')).toBe('login_required')
    // It is answered only once.
    expect(redirectUrl(await browser.get(goBack), 303).href).toBe(`${SHOP}/`)
  })
})

describe('an authorization request of a signed-in user that fails at the platform', () => {
  it.each([
    [{ prompt: 'login' }, 'login_required'],
    [{ prompt: 'select_account' }, 'login_required'],
  ])('[A17] is not granted by the link back to the app: %o', async (changes, error) => {
    const browser = await signedIn()
    const request = await new RelyingApp('shop').authorizationUrl(changes)
    const platform = await startAtTikTok(browser, redirectUrl(await browser.get(request)))
    const callback = await browser.approve(platform, 'mia')
    await standIn.fault({ path: TOKEN_PATH, status: 503 })
    const page = await (await browser.get(callback)).text()

    const response = await browser.get(findLink(page, '/oidc/authorize/'))

    expect((await authorizationResponse(response)).get('error')).toBe(error)
  })
})

describe('many interactions', () => {
  const longVisit = () =>
    `/api/auth/signin?callbackUrl=${encodeURIComponent(`/?${crypto.randomUUID()}${'x'.repeat(7900)}`)}`

  it('[R6] do not lock a browser out, even if they are started at the same time', async () => {
    const browser = await signedIn()
    await Promise.all(Array.from({ length: 6 }, () => browser.get(longVisit(), CROSS_SITE)))

    const rejected = await browser.get('/api/auth/session')
    const next = await browser.session()

    expect(rejected.status).toBe(431)
    expect(next?.user.name).toBe('Mia Lindqvist')
  })

  it.each([
    ['a script', { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'empty' }],
    ['an image', { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }],
    ['a frame', { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' }],
  ])('[K13][R6] are not started by %s of a page of the same site', async (_, metadata) => {
    const browser = new Browser(service)
    const headers = { 'Sec-Fetch-Site': 'same-site', ...metadata }
    const app = new RelyingApp('shop')
    const requests = Array.from({ length: 40 }, (_, index) =>
      app.authorizationUrl({ state: `${index}${'x'.repeat(2000)}` }),
    )
    const responses = await Promise.all(
      (await Promise.all(requests)).map((request) => browser.get(request, headers)),
    )
    await Promise.all(Array.from({ length: 40 }, () => browser.get(longVisit(), headers)))

    for (const response of responses) {
      expect((await authorizationResponse(response)).get('error')).toBe('login_required')
    }
    expect(browser.cookieNames('interaction.')).toEqual([])
    expect(browser.cookieNames('attempt.')).toEqual([])
  })

  it.each([
    ['sends no fetch metadata', {}],
    ['sends only the mode', { 'Sec-Fetch-Mode': 'navigate' }],
    ['opens a page', { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }],
  ])('[K13] are started by a browser that %s', async (_, headers) => {
    const browser = new Browser(service)
    const response = await browser.get(await new RelyingApp('shop').authorizationUrl(), headers)

    expect(redirectUrl(response, 303).pathname).toBe('/api/auth/signin')
    expect(browser.cookieNames('interaction.')).toHaveLength(1)
  })

  it('[K13][R6] are all cleared at once if a browser has too many', async () => {
    const browser = new Browser(service)
    const visits = Array.from({ length: 60 }, (_, index) => `/${index}?${'x'.repeat(400)}`)
    await Promise.all(
      visits.map((visit) =>
        browser.get(`/api/auth/signin?callbackUrl=${encodeURIComponent(visit)}`),
      ),
    )
    expect(browser.cookieNames('interaction.')).toHaveLength(60)

    expect((await browser.get('/api/auth/signin')).status).toBe(431)
    expect(browser.cookieNames('interaction.')).toEqual([])
    expect((await browser.get('/api/auth/signin')).status).toBe(200)
  })

  it('[L9] are dropped, the oldest first', async () => {
    const browser = new Browser(service)
    for (let count = 0; count < 7; count++) await signInPageFor(browser, { state: `s${count}` })
    expect(browser.cookieNames('interaction.')).toHaveLength(5)

    for (let count = 0; count < 3; count++) await browser.get(longVisit())

    const size = browser
      .cookieNames('interaction.')
      .reduce((sum, name) => sum + name.length + (browser.cookies.get(name)?.length ?? 0), 0)
    expect(size).toBeLessThanOrEqual(12 * 1024)
  })

  it('[K12] that other pages start do not prevent a sign-in from being finished', async () => {
    const browser = new Browser(service)
    const platform = await startAtTikTok(browser, await signInPageFor(browser))
    for (let count = 0; count < 6; count++)
      await browser.get(`/api/auth/signin?callbackUrl=/${count}`, CROSS_SITE)

    const response = await browser.get(await browser.approve(platform, 'mia'))

    expect(redirectUrl(response).href).toBe(`${LOGIN}/`)
    expect((await browser.session())?.user.name).toBe('Mia Lindqvist')
  })

  it('leave no parts of a long request once it is answered', async () => {
    const browser = await signedIn()
    const state = 'x'.repeat(2000)
    const url = new URL(await new RelyingApp('shop').authorizationUrl({ state, prompt: 'login' }))
    for (const name of ['ui_locales', 'acr_values', 'provider'])
      url.searchParams.set(name, 'x'.repeat(1000))
    const resumed = resumedRequest(await browser.get(url.href))
    expect(browser.cookieNames('interaction.').length).toBeGreaterThan(2)
    await browser.signIn('mia', { prompt: 'login' })

    expect(redirectUrl(await browser.get(resumed)).searchParams.has('code')).toBe(true)

    expect(browser.cookieNames('interaction.').every((name) => /\.[\w-]{22}$/.test(name))).toBe(
      true,
    )
  })

  it.each(['b@d', 'x', '10', '1.1'])(
    '[L9] with a malformed name do not cause an error: %s',
    async (suffix) => {
      const cookies = Array.from(
        { length: 7 },
        (_, index) => `__Host-vestibule.interaction.AAAA${index}.${suffix}=1`,
      )

      const response = await new Browser(service).get('/api/auth/signin', {
        Cookie: cookies.join('; '),
      })

      expect(response.status).toBe(200)
    },
  )
})

describe('ui_locales', () => {
  it.each([
    ['es', 'es'],
    ['se es-MX en', 'es'],
    ['se', 'en'],
  ])('%s: the language of the sign-in page is %s', async (ui_locales, language) => {
    const browser = new Browser(service)
    const signInPage = await signInPageFor(browser, { ui_locales })

    const page = await browser.get(signInPage.href, { 'Accept-Language': 'en' })

    expect(await page.text()).toContain(`<html lang="${language}">`)
  })
})
