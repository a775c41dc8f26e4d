import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { digest } from '../../../src/foundation/crypto/digest.ts'
import { Browser, SHOP } from '../../browser.ts'
import { advanceClock, MINUTE, stopClock } from '../../clock.ts'
import { startLinking } from '../../link-account.ts'
import { redirectUrl } from '../../redirect.ts'
import { RelyingApp } from '../oidc/relying-app.ts'

const ANDROID_WEB_VIEW =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AP4A; wv) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36 trill_2023 BytedanceWebview/d8a21c6'
const IPHONE_WEB_VIEW =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 musical_ly_41.0 BytedanceWebview/d8a21c6'
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1'

describe('a callback in another browser than the one that started', () => {
  it('[K1] starts a new sign-in with a new state, and ignores the code', async () => {
    const phone = new Browser()
    const callback = await phone.approve(await phone.start({ callbackUrl: `${SHOP}/cart` }), 'mia')
    const otherBrowser = new Browser()

    const restarted = redirectUrl(await otherBrowser.get(callback))

    expect(restarted.host).toBe('www.tiktok.com')
    expect(restarted.searchParams.get('state')).not.toBe(
      new URL(callback).searchParams.get('state'),
    )
    expect(await otherBrowser.session()).toBeNull()
    const completed = await otherBrowser.get(await otherBrowser.approve(restarted, 'mia'))
    expect(completed.headers.get('Location')).toBe(`${SHOP}/cart`)
    expect((await otherBrowser.session())?.user.name).toBe('Mia Lindqvist')
  })

  it.each([
    [200, (callbackUrl: string) => callbackUrl],
    [201, () => `${SHOP}/`],
  ])(
    '[K1] returns to a page whose address has %i characters, or else to the home page: the platform accepts 512 in a state',
    async (length, expected) => {
      const callbackUrl = `${SHOP}/`.padEnd(length, 'x')
      const phone = new Browser()
      const authorization = await phone.start({ callbackUrl })
      const callback = await phone.approve(authorization, 'mia')
      const otherBrowser = new Browser()

      const restarted = redirectUrl(await otherBrowser.get(callback))
      const completed = await otherBrowser.get(await otherBrowser.approve(restarted, 'mia'))

      expect((authorization.searchParams.get('state') ?? '').length).toBeLessThanOrEqual(512)
      expect(redirectUrl(completed).href).toBe(expected(callbackUrl))
    },
  )

  it('[K1] shows an error page if it happens a second time', async () => {
    const phone = new Browser()
    const callback = await phone.approve(await phone.start(), 'mia')
    const secondBrowser = new Browser()
    const restarted = redirectUrl(await secondBrowser.get(callback))
    const secondCallback = await secondBrowser.approve(restarted, 'mia')

    const response = await new Browser().get(secondCallback)

    expect(response.status).toBe(400)
    expect(await response.text()).toContain('attempt_missing')
  })

  it('[K1] starts a new sign-in only once, for as long as the state is valid', async () => {
    stopClock()
    const phone = new Browser()
    const callback = await phone.approve(await phone.start(), 'mia')
    await new Browser().get(callback)
    advanceClock(10 * MINUTE - 1)
    const state = new URL(callback).searchParams.get('state') ?? ''
    const guard = env.GUARDS.get(env.GUARDS.idFromName(`restart ${await digest(state)}`))
    expect(await runDurableObjectAlarm(guard)).toBe(true)

    const response = await new Browser().get(callback)

    expect(response.status).toBe(400)
    expect(await response.text()).toContain('attempt_missing')
  })

  it.each([
    ['a desktop browser', { 'User-Agent': DESKTOP }],
    ['another kind of phone', { 'User-Agent': ANDROID_WEB_VIEW }],
    ['a frame', { 'User-Agent': SAFARI, 'Sec-Fetch-Dest': 'iframe' }],
    ['a script', { 'User-Agent': SAFARI, 'Sec-Fetch-Mode': 'no-cors' }],
  ])('[K1] starts no sign-in in %s, so that another site cannot cause one', async (_, headers) => {
    const phone = new Browser()
    const start = await phone.get('/api/auth/signin/tiktok', { 'User-Agent': IPHONE_WEB_VIEW })
    const callback = await phone.approve(redirectUrl(start), 'mia')

    const response = await new Browser().get(callback, headers)

    expect(response.status).toBe(400)
    expect((await new Browser().get(callback, { 'User-Agent': SAFARI })).status).toBe(302)
  })

  it('[K1] redirects to the home page of the app in the end, whose authorization request is lost', async () => {
    const phone = new Browser()
    const signIn = redirectUrl(await phone.get(await new RelyingApp('shop').authorizationUrl()))
    const start = redirectUrl(await phone.get(`${signIn.pathname}/tiktok${signIn.search}`))
    const callback = await phone.approve(start, 'mia')
    const otherBrowser = new Browser()

    const restarted = redirectUrl(await otherBrowser.get(callback))
    const completed = await otherBrowser.get(await otherBrowser.approve(restarted, 'mia'))

    expect(completed.headers.get('Location')).toBe(`${SHOP}/`)
  })

  it.each([
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  ])('shows an error page if a desktop browser started: %s', async (userAgent) => {
    const desktop = new Browser()
    const start = await desktop.get('/api/auth/signin/tiktok', { 'User-Agent': userAgent })
    const callback = await desktop.approve(redirectUrl(start), 'mia')

    expect(redirectUrl(start).searchParams.get('state')).toMatch(/^[\w-]{43}$/)
    expect((await new Browser().get(callback)).status).toBe(400)
  })

  it('[K1] shows an error page after ten minutes', async () => {
    const phone = new Browser()
    const callback = await phone.approve(await phone.start(), 'mia')
    advanceClock(10 * MINUTE + 1)

    expect((await new Browser().get(callback)).status).toBe(400)
  })

  it('[S6] shows an error page if it was to link an account', async () => {
    const phone = new Browser()
    await phone.signIn('mia', { prompt: 'login' })
    const start = await startLinking(phone, 'tiktok')
    const callback = await phone.approve(redirectUrl(start), 'noah')

    expect((await new Browser().get(callback)).status).toBe(400)
  })

  it.each(['', 'x', 'x.y', `${'a'.repeat(43)}.${'b'.repeat(80)}`])(
    '[K1] shows an error page for the state %j',
    async (state) => {
      const browser = new Browser()

      const response = await browser.get(
        `/api/auth/callback/tiktok?${new URLSearchParams({ code: 'x', state })}`,
      )

      expect(response.status).toBe(400)
      expect(browser.cookieNames('attempt.')).toEqual([])
    },
  )

  it('[K3] is not restarted with another provider', async () => {
    const phone = new Browser()
    const callback = await phone.approve(await phone.start(), 'mia')

    const response = await new Browser().get(callback.replace('/callback/tiktok', '/callback/oidc'))

    expect(response.status).toBe(404)
  })
})

describe('the sign-in page in the web view of an app', () => {
  it.each([
    [ANDROID_WEB_VIEW, 'intent://shop.example/#Intent;scheme=https;end'],
    [IPHONE_WEB_VIEW, 'x-safari-https://shop.example/'],
  ])('has a link that opens the system browser', async (userAgent, link) => {
    const page = await new Browser().get(`/api/auth/signin?callbackUrl=${SHOP}/`, {
      'User-Agent': userAgent,
    })

    expect(await page.text()).toContain(`id="to-browser" href="${link}"`)
  })

  it('links to the home page of the app, whose authorization request another browser cannot complete', async () => {
    const browser = new Browser()
    const signIn = redirectUrl(await browser.get(await new RelyingApp('shop').authorizationUrl()))

    const page = await browser.get(signIn.href, { 'User-Agent': IPHONE_WEB_VIEW })

    expect(await page.text()).toContain('href="x-safari-https://shop.example"')
  })

  it('has no such link in a normal browser', async () => {
    const page = await new Browser().get('/api/auth/signin', { 'User-Agent': SAFARI })

    expect(await page.text()).not.toContain('to-browser')
  })
})
