import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser } from '../browser.ts'
import { advanceClock } from './clock.ts'
import { redirectTarget } from './redirect-target.ts'
import { RelyingApp } from './relying-app.ts'
import { startAtTikTok } from './user-steps.ts'

const CROSS_SITE = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }

afterEach(() => {
  vi.useRealTimers()
})

/** Sends an authorization request without a session, and returns the address of the sign-in page. */
async function signInPageFor(browser: Browser, changes: Record<string, string> = {}): Promise<URL> {
  const url = await new RelyingApp('shop').authorizationUrl(changes)
  return redirectTarget(await browser.get(url, CROSS_SITE))
}

describe('an authorization request that requires a sign-in', () => {
  it('[A26] is sealed in the address of the sign-in page', async () => {
    const state = 'state-that-is-nobodys-business'

    const signInPage = await signInPageFor(new Browser(), { state })

    expect(signInPage.href).not.toContain(state)
    expect(signInPage.href).not.toContain('redirect_uri')
    expect([...signInPage.searchParams.keys()]).toEqual(['request'])
  })

  it('[A26] is resumed after the sign-in, unchanged except for reauth', async () => {
    const browser = new Browser()
    const request = await new RelyingApp('shop').authorizationUrl({ state: 'a+b &%2B=é' })
    const signInPage = redirectTarget(await browser.get(request))
    const platform = await startAtTikTok(browser, signInPage)

    const resumed = redirectTarget(await browser.get(await browser.approve(platform, 'mia')))
    const callback = redirectTarget(await browser.get(resumed.href))

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
    const toProvider = redirectTarget(await browser.get(request, CROSS_SITE))
    const platform = redirectTarget(await browser.get(toProvider.href, CROSS_SITE))

    const response = await browser.get(await browser.approve(platform, 'noah'))

    expect(response.status).toBe(409)
    expect((await browser.session())?.user.name).toBe('Mia Lindqvist')
  })

  it.each([
    ['altered', (request: string) => `${request.slice(0, -2)}AA`],
    ['invented', () => 'x'.repeat(80)],
    ['empty', () => ''],
  ])('[A26] is rejected when it is %s', async (_, change) => {
    const browser = new Browser()
    const url = await signInPageFor(browser)
    url.searchParams.set('request', change(url.searchParams.get('request') ?? ''))

    const page = await browser.get(url.href)
    const start = await browser.get(`${url.pathname}/tiktok${url.search}`)

    expect([page.status, start.status]).toEqual([400, 400])
    expect(browser.cookieNames('attempt.')).toEqual([])
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

    const [, retry] =
      (await response.text()).match(/href="(\/api\/auth\/signin\/tiktok[^"]+)"/) ?? []
    expect(response.status).toBe(403)
    expect(retry).toMatch(/\?request=[\w-]+&amp;prompt=consent$/)
  })
})

describe('the parameter provider', () => {
  it('redirects directly to the platform, although the browser comes from another site', async () => {
    const browser = new Browser()
    const signIn = await signInPageFor(browser, { provider: 'tiktok' })
    expect(signIn.pathname).toBe('/api/auth/signin/tiktok')

    const response = await browser.get(signIn.href, CROSS_SITE)

    expect(response.status).toBe(302)
    expect(redirectTarget(response).host).toBe('www.tiktok.com')
  })

  it('[K10] does so only with a sealed request of ours', async () => {
    const browser = new Browser()

    const response = await browser.get('/api/auth/signin/tiktok?request=made-up', CROSS_SITE)

    expect(response.status).toBe(400)
    expect(browser.cookieNames('attempt.')).toEqual([])
  })

  it('returns 404 for a provider that is not enabled', async () => {
    const browser = new Browser()
    const signIn = await signInPageFor(browser, { provider: 'nobody' })

    const response = await browser.get(signIn.href, CROSS_SITE)

    expect(response.status).toBe(404)
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
