import { describe, expect, it } from 'vitest'
import { Browser, serviceWith } from './browser.ts'
import { RelyingApp } from './oidc/relying-app.ts'

const LOCAL = 'http://localhost:8787'

/** What a cookie is set with, besides its value and its life. */
function attributesOf(cookie: string | undefined): string[] {
  const [, ...attributes] = cookie?.toLowerCase().split(/;\s*/) ?? []
  return attributes.filter((one) => !/^(max-age|expires)=/.test(one)).sort()
}

/** The ways to sign out. */
const WAYS: Record<string, (browser: Browser) => Promise<Response>> = {
  'our own page': (browser) => browser.post('/api/auth/signout', {}),
  'an app’s script': (browser) =>
    browser.post('/api/auth/signout', {}, { Accept: 'application/json' }),
  'a confirmed logout': (browser) => browser.post('/oidc/logout/confirm', {}),
  'an app’s logout': async (browser) => {
    const { id_token = '' } = await new RelyingApp().tokens(browser)
    return browser.get(`/oidc/logout?id_token_hint=${id_token}`)
  },
}

describe('signing out', () => {
  it.each(Object.entries(WAYS))(
    '[J6] by %s clears the session as it was set, and the cache alone',
    async (_, signOut) => {
      const browser = new Browser()
      const set = (await browser.signIn()).headers.getSetCookie()

      const { headers } = await signOut(browser)

      const [cleared, ...more] = headers.getSetCookie()
      expect(more).toEqual([])
      expect(cleared).toMatch(/^__Host-vestibule\.session=;/)
      expect(cleared).toMatch(/Max-Age=0/)
      expect(attributesOf(cleared)).toEqual(
        attributesOf(set.find((cookie) => cookie.startsWith('__Host-vestibule.session='))),
      )
      expect(headers.get('Clear-Site-Data')).toBe('"cache"')
    },
  )

  it('[J6] on loopback clears the session as it was set there', async () => {
    const browser = new Browser(serviceWith({ AUTH_URL: LOCAL }), LOCAL)
    const set = (await browser.signIn()).headers.getSetCookie()

    const [cleared] = (await browser.post('/api/auth/signout', {})).headers.getSetCookie()

    expect(cleared).toMatch(/^vestibule\.session=;.*Max-Age=0/)
    expect(attributesOf(cleared)).toEqual(
      attributesOf(set.find((cookie) => cookie.startsWith('vestibule.session='))),
    )
  })

  it('[J6] clears the cache of who was signed out already', async () => {
    const { headers } = await new Browser().post('/api/auth/signout', {})

    expect(headers.get('Clear-Site-Data')).toBe('"cache"')
    expect(headers.getSetCookie()).toEqual([])
  })
})
