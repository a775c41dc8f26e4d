import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser, LOGIN } from '../browser.ts'
import { RelyingApp, resumed } from './relying-app.ts'

const CROSS_SITE = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }

afterEach(() => {
  vi.useRealTimers()
})

/** Where a stranger with this request is sent to sign in. */
async function toSignIn(browser: Browser, changes: Record<string, string> = {}): Promise<URL> {
  const app = new RelyingApp('shop')
  const response = await browser.get(await app.authorizationUrl(changes), CROSS_SITE)
  return new URL(response.headers.get('Location') ?? '', LOGIN)
}

describe('a request that needs a sign-in first', () => {
  it('[A26] travels sealed: the address says nothing of it', async () => {
    const state = 'state-that-is-nobodys-business'

    const url = await toSignIn(new Browser(), { state })

    expect(url.href).not.toContain(state)
    expect(url.href).not.toContain('redirect_uri')
    expect([...url.searchParams.keys()]).toEqual(['request'])
  })

  it('[A26] comes back as it went, after the sign-in', async () => {
    const browser = new Browser()
    const app = new RelyingApp('shop')
    const sent = await browser.get(await app.authorizationUrl({ state: 'a+b &%2B=é' }))
    const start = new URL(sent.headers.get('Location') ?? '', LOGIN)
    const atPlatform = await browser.get(`${start.pathname}/tiktok${start.search}`)
    const authorization = new URL(atPlatform.headers.get('Location') ?? '')

    const back = await browser.get(await browser.approve(authorization, 'mia'))
    const answered = await browser.get(back.headers.get('Location') ?? '')

    const answer = new URL(answered.headers.get('Location') ?? '')
    expect(answer.origin).toBe('https://shop.example')
    expect(answer.searchParams.get('state')).toBe('a+b &%2B=é')
    expect(back.headers.get('Location')).toBe(`${LOGIN}${await resumed(sent)}`)
  })

  it.each([
    ['altered', (request: string) => `${request.slice(0, -2)}AA`],
    ['made up', () => 'x'.repeat(80)],
    ['empty', () => ''],
  ])('[A26] is refused when it is %s', async (_, change) => {
    const browser = new Browser()
    const url = await toSignIn(browser)
    url.searchParams.set('request', change(url.searchParams.get('request') ?? ''))

    const page = await browser.get(url.href)
    const start = await browser.get(`${url.pathname}/tiktok${url.search}`)

    expect([page.status, start.status]).toEqual([400, 400])
    expect(browser.cookieNames('attempt.')).toEqual([])
  })

  it('[A26] is good for an hour', async () => {
    const browser = new Browser()
    const url = await toSignIn(browser)
    vi.useFakeTimers({ now: Date.now() + 3_599_000, toFake: ['Date'] })
    expect((await browser.get(url.href)).status).toBe(200)
    vi.setSystemTime(Date.now() + 2_000)

    expect((await browser.get(url.href)).status).toBe(400)
  })

  it('[A26] is not told by the page that a refusal leads to', async () => {
    const browser = new Browser()
    const url = await toSignIn(browser, { state: 'state-that-is-nobodys-business' })
    const atPlatform = await browser.get(`${url.pathname}/tiktok${url.search}`)
    const authorization = new URL(atPlatform.headers.get('Location') ?? '')

    const refused = await browser.get(await browser.approve(authorization, 'mia', 'deny'))

    const again = (await refused.text()).match(/href="(\/api\/auth\/signin\/tiktok[^"]+)"/)?.[1]
    expect(refused.status).toBe(403)
    expect(again).toMatch(/\?request=[\w-]+&amp;prompt=consent$/)
  })
})

describe('the provider hint', () => {
  it('leads straight to the platform, though the browser comes from another site', async () => {
    const browser = new Browser()
    const url = await toSignIn(browser, { provider: 'tiktok' })
    expect(url.pathname).toBe('/api/auth/signin/tiktok')

    const response = await browser.get(url.href, CROSS_SITE)

    expect(response.status).toBe(302)
    expect(new URL(response.headers.get('Location') ?? '').host).toBe('www.tiktok.com')
  })

  it('[K10] does so only with a request of ours', async () => {
    const browser = new Browser()

    const response = await browser.get('/api/auth/signin/tiktok?request=made-up', CROSS_SITE)

    expect(response.status).toBe(400)
    expect(browser.cookieNames('attempt.')).toEqual([])
  })

  it('of a provider that is not enabled is told as an error', async () => {
    const browser = new Browser()
    const url = await toSignIn(browser, { provider: 'nobody' })

    expect((await browser.get(url.href, CROSS_SITE)).status).toBe(404)
  })
})

describe('ui_locales', () => {
  it.each([
    ['es', 'es'],
    ['se es-MX en', 'es'],
    ['se', 'en'],
  ])('%s has the sign-in page speak %s', async (ui_locales, language) => {
    const browser = new Browser()
    const url = await toSignIn(browser, { ui_locales })

    const page = await browser.get(url.href, { 'Accept-Language': 'en' })

    expect(await page.text()).toContain(`<html lang="${language}">`)
  })
})
