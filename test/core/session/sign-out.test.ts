import { describe, expect, it } from 'vitest'
import { Browser, serviceWith } from '../../browser.ts'
import { advanceClock } from '../../clock.ts'
import { OFFLINE_ACCESS, RelyingApp, signedInAsNewUser } from '../oidc/relying-app.ts'

const LOCAL = 'http://localhost:8787'

/** The attributes of a cookie, except its lifetime. */
function parseAttributes(cookie: string | undefined): string[] {
  const [, ...attributes] = cookie?.toLowerCase().split(/;\s*/) ?? []
  return attributes.filter((attribute) => !/^(max-age|expires)=/.test(attribute)).sort()
}

/** All requests that sign a user out. */
const SIGN_OUTS: Record<string, (browser: Browser) => Promise<Response>> = {
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
  it.each(Object.entries(SIGN_OUTS))(
    '[J6] by %s clears the cookie with the attributes it was set with, remembers the sign-out, and clears only the cache besides',
    async (_, signOut) => {
      const browser = new Browser()
      const set = (await browser.signIn()).headers.getSetCookie()

      const { headers } = await signOut(browser)

      const [cleared, ...more] = headers.getSetCookie()
      expect(more).toEqual([expect.stringMatching(/^__Host-vestibule\.signed-out=yes; /)])
      expect(cleared).toMatch(/^__Host-vestibule\.session=;/)
      expect(cleared).toMatch(/Max-Age=0/)
      expect(parseAttributes(cleared)).toEqual(
        parseAttributes(set.find((cookie) => cookie.startsWith('__Host-vestibule.session='))),
      )
      expect(headers.get('Clear-Site-Data')).toBe('"cache"')
    },
  )

  it('[J6] on loopback clears the cookie with the attributes it was set with', async () => {
    const browser = new Browser(serviceWith({ AUTH_URL: LOCAL }), LOCAL)
    const set = (await browser.signIn()).headers.getSetCookie()

    const [cleared] = (await browser.post('/api/auth/signout', {})).headers.getSetCookie()

    expect(cleared).toMatch(/^vestibule\.session=;.*Max-Age=0/)
    expect(parseAttributes(cleared)).toEqual(
      parseAttributes(set.find((cookie) => cookie.startsWith('vestibule.session='))),
    )
  })

  it('[J6] clears the cache even when not signed in', async () => {
    const { headers } = await new Browser().post('/api/auth/signout', {})

    expect(headers.get('Clear-Site-Data')).toBe('"cache"')
    expect(headers.getSetCookie()).toEqual([])
  })

  it.each(['our own page', 'a confirmed logout', 'an app’s logout'])(
    'by %s names the provider that the session was opened with',
    async (name) => {
      const browser = new Browser()
      await browser.signIn()

      const page = await (await SIGN_OUTS[name]?.(browser))?.text()

      expect(page).toContain('<p>You may still be signed in to TikTok.</p>')
    },
  )

  it('names the provider as it is configured, and not what the browser last used', async () => {
    const browser = new Browser(serviceWith({ AUTH_TIKTOK_NAME: 'Clips' }))
    await browser.signIn()
    browser.cookies.set('__Host-vestibule.provider', 'github')

    const page = await (await browser.post('/api/auth/signout', {})).text()

    expect(page).toContain('<p>You may still be signed in to Clips.</p>')
  })

  it('[D1][J6] does not end refresh tokens, which outlive their session, once that has expired', async () => {
    const browser = await signedInAsNewUser()
    const app = new RelyingApp()
    const { refresh_token = '' } = await app.tokens(browser, OFFLINE_ACCESS)
    advanceClock(8 * 24 * 3600)
    expect(await browser.session()).toBeNull()

    await browser.post('/api/auth/signout', {})

    const form = { grant_type: 'refresh_token', refresh_token }
    expect((await app.requestTokens(form)).status).toBe(200)
  })

  it('names no provider to a user who was not signed in', async () => {
    const page = await (await new Browser().post('/api/auth/signout', {})).text()

    expect(page).toContain('You are signed out')
    expect(page).not.toContain('still be signed in')
  })
})
