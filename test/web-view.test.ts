import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser, LOGIN, SHOP } from './browser.ts'
import { RelyingApp } from './oidc/relying-app.ts'

function leadsTo(response: Response): URL {
  return new URL(response.headers.get('Location') ?? '/nowhere', LOGIN)
}

afterEach(() => {
  vi.useRealTimers()
})

const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AP4A; wv) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36 trill_2023 BytedanceWebview/d8a21c6'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 musical_ly_41.0 BytedanceWebview/d8a21c6'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1'

describe('who comes back in another browser', () => {
  it('[K1] goes the way once more by themselves, with nothing of what came', async () => {
    const phone = new Browser()
    const callback = await phone.approve(await phone.start({ callbackUrl: `${SHOP}/cart` }), 'mia')
    const other = new Browser()

    const again = leadsTo(await other.get(callback))

    expect(again.host).toBe('www.tiktok.com')
    expect(again.searchParams.get('state')).not.toBe(new URL(callback).searchParams.get('state'))
    expect(await other.session()).toBeNull()
    const back = await other.get(await other.approve(again, 'mia'))
    expect(back.headers.get('Location')).toBe(`${SHOP}/cart`)
    expect((await other.session())?.user.name).toBe('Mia Lindqvist')
  })

  it('[K1] is told what to do when that fails, too', async () => {
    const phone = new Browser()
    const callback = await phone.approve(await phone.start(), 'mia')
    const other = new Browser()
    const again = leadsTo(await other.get(callback))
    const second = await other.approve(again, 'mia')

    const told = await new Browser().get(second)

    expect(told.status).toBe(400)
    expect(await told.text()).toContain('attempt_missing')
  })

  it('[K1] ends at the app whose request was lost, which can ask again', async () => {
    const phone = new Browser()
    const sent = leadsTo(await phone.get(await new RelyingApp('shop').authorizationUrl()))
    const start = leadsTo(await phone.get(`${sent.pathname}/tiktok${sent.search}`))
    const callback = await phone.approve(start, 'mia')
    const other = new Browser()

    const again = leadsTo(await other.get(callback))
    const back = await other.get(await other.approve(again, 'mia'))

    expect(back.headers.get('Location')).toBe(`${SHOP}/`)
  })

  it.each([
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  ])('is shown the way where no phone can have been: %s', async (agent) => {
    const desktop = new Browser()
    const start = await desktop.get('/api/auth/signin/tiktok', { 'User-Agent': agent })
    const callback = await desktop.approve(leadsTo(start), 'mia')

    expect(leadsTo(start).searchParams.get('state')).toMatch(/^[\w-]{43}$/)
    expect((await new Browser().get(callback)).status).toBe(400)
  })

  it('[K10] goes nowhere by itself ten minutes later', async () => {
    const phone = new Browser()
    const callback = await phone.approve(await phone.start(), 'mia')
    vi.useFakeTimers({ now: Date.now() + 601_000, toFake: ['Date'] })

    expect((await new Browser().get(callback)).status).toBe(400)
  })

  it('[S6] does not sign in with what was to be linked', async () => {
    const phone = new Browser()
    await phone.signIn('mia', { prompt: 'login' })
    const page = await (await phone.get('/account')).text()
    const link = page.match(/href="([^"]*signin\/tiktok\?[^"]*link=[^"]*)"/)?.[1] ?? ''
    const start = await phone.get(link.replaceAll('&amp;', '&'), {
      'Sec-Fetch-Site': 'same-origin',
      'Sec-Fetch-Mode': 'navigate',
    })
    const callback = await phone.approve(leadsTo(start), 'noah')

    expect((await new Browser().get(callback)).status).toBe(400)
  })

  it.each(['', 'x', 'x.y', `${'a'.repeat(43)}.${'b'.repeat(80)}`])(
    '[K1] with the state %j goes nowhere',
    async (state) => {
      const browser = new Browser()

      const response = await browser.get(
        `/api/auth/callback/tiktok?${new URLSearchParams({ code: 'x', state })}`,
      )

      expect(response.status).toBe(400)
      expect(browser.cookieNames('attempt.')).toEqual([])
    },
  )

  it('[K3] goes the way again only through the provider it went to', async () => {
    const phone = new Browser()
    const callback = await phone.approve(await phone.start(), 'mia')

    const response = await new Browser().get(callback.replace('/callback/tiktok', '/callback/oidc'))

    expect(response.status).toBe(404)
  })
})

describe('who is in a browser inside of an app', () => {
  it.each([
    [ANDROID, 'intent://shop.example/#Intent;scheme=https;end'],
    [IPHONE, 'x-safari-https://shop.example/'],
  ])('is shown the way out of it', async (agent, way) => {
    const browser = new Browser()

    const page = await browser.get(`/api/auth/signin?callbackUrl=${SHOP}/`, { 'User-Agent': agent })

    expect(await page.text()).toContain(`id="to-browser" href="${way}"`)
  })

  it('is led to the app, because its request is of no use elsewhere', async () => {
    const browser = new Browser()
    const sent = leadsTo(await browser.get(await new RelyingApp('shop').authorizationUrl()))

    const page = await browser.get(sent.href, { 'User-Agent': IPHONE })

    expect(await page.text()).toContain('href="x-safari-https://shop.example"')
  })

  it('is not who has a browser of their own', async () => {
    const page = await new Browser().get('/api/auth/signin', { 'User-Agent': SAFARI })

    expect(await page.text()).not.toContain('to-browser')
  })
})
