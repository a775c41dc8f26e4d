import { describe, expect, it } from 'vitest'
import { Browser, SHOP } from './browser.ts'
import { continueUrl } from './continue-url.ts'
import { errorCode } from './html.ts'
import { createPlatformUser, signInNewUser } from './new-user.ts'
import { RelyingApp } from './oidc/relying-app.ts'
import { redirectUrl } from './redirect.ts'
import { linkedProviders } from './storage.ts'

/** What the list of providers sends that have no button. */
const CHOICE = { provider: 'tiktok' }

describe('POST /api/auth/signin', () => {
  it('continues at the provider, and then where the user wanted to go', async () => {
    const browser = new Browser()
    const callbackUrl = `${SHOP}/cart`

    const response = await browser.post('/api/auth/signin', { ...CHOICE, callbackUrl })
    const platform = new URL(await continueUrl(response))
    const callback = await browser.get(await browser.approve(platform, 'mia'))

    expect(platform.host).toBe('www.tiktok.com')
    expect(callback.headers.get('Location')).toBe(callbackUrl)
  })

  it('continues the authorization request in its path', async () => {
    const browser = new Browser()
    const page = redirectUrl(await browser.get(await new RelyingApp('shop').authorizationUrl()))

    const platform = new URL(await continueUrl(await browser.post(page.pathname, CHOICE)))
    const callback = await browser.get(await browser.approve(platform, 'mia'))

    const app = redirectUrl(await browser.get(redirectUrl(callback).href))
    expect(app.searchParams.get('code')).toMatch(/^ac_/)
  })

  it('[S6] links an account', async () => {
    const { browser, userId } = await signInNewUser()
    const page = await (await browser.get('/account/link')).text()
    const [, href = ''] = page.match(/href="\/api\/auth\/signin\/tiktok\?([^"]+)"/) ?? []
    const params = Object.fromEntries(new URLSearchParams(href.replaceAll('&amp;', '&')))

    const response = await browser.post('/api/auth/signin', { ...params, ...CHOICE })
    const platform = new URL(await continueUrl(response))
    await browser.get(await browser.approve(platform, await createPlatformUser()))

    expect(await linkedProviders(userId)).toEqual(['tiktok', 'tiktok'])
  })

  it.each([
    ['another site', 'https://evil.example'],
    ['an app', SHOP],
  ])('[K10] starts no sign-in for %s', async (_, origin) => {
    const browser = new Browser()

    const headers = { Origin: origin, 'Sec-Fetch-Site': 'cross-site' }
    const response = await browser.post('/api/auth/signin', CHOICE, headers)

    expect(response.status).toBe(403)
    expect(browser.cookieNames('attempt.')).toEqual([])
  })

  it.each(['', 'nobody', '..', '<b>', 'tiktok/qr', 'email'])(
    '[N1] rejects a provider that is not enabled: "%s"',
    async (provider) => {
      const response = await new Browser().post('/api/auth/signin', { provider })

      expect(response.status).toBe(404)
      expect(await errorCode(response)).toBe('provider_unknown')
    },
  )

  it('rejects a form without a provider', async () => {
    expect((await new Browser().post('/api/auth/signin', {})).status).toBe(400)
  })
})
