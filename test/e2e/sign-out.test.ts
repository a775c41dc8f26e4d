import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { NAME } from '../user-name.ts'
import { it as base, describeInBrowser, gallery, login, storefront } from './browser-fixtures.ts'
import { launchChromium } from './chromium.ts'
import { signInWithoutPages, waitForHeading } from './page-steps.ts'

/** Browsers keep pages in a back/forward cache, which Playwright disables by default. */
const it = base.extend<{ chromium: Browser }>({
  chromium: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures are needed.
    async ({}, use) => {
      const browser = await launchChromium({ ignoreDefaultArgs: ['--disable-back-forward-cache'] })
      await use(browser)
      await browser.close()
    },
    { scope: 'worker' },
  ],
})

/** The pages of the login service that show the user's name. */
const PAGES = ['/account', '/api/auth/signin'] as const

/** Signs out on the login service's own page. */
async function signOut(page: Page): Promise<void> {
  await page.goto(`${login}/api/auth/signout`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await waitForHeading(page, 'You are signed out')
}

/** Whether the page contains the user's name. */
async function showsName(page: Page): Promise<boolean> {
  return (await page.locator('body').textContent())?.includes(NAME) ?? false
}

/** The names of the login service's cookies, and all cookies of other services. */
async function readCookies(context: BrowserContext) {
  const cookies = (await context.cookies()).map(({ expires: _, ...cookie }) => cookie)
  const isOurs = ({ name, domain }: { name: string; domain: string }) =>
    name.startsWith('vestibule.') && domain === new URL(login).hostname
  return {
    ours: cookies.filter(isOurs).map(({ name }) => name),
    others: cookies.filter((cookie) => !isOurs(cookie)),
  }
}

describeInBrowser('a sign-out', () => {
  it('[J6] deletes the session cookie, and no cookies of other services', async ({
    page,
    context,
    persona,
  }) => {
    await signInWithoutPages(context, persona)
    await page.goto(`${gallery}/signin`)
    const sibling = { value: 'x', path: '/', httpOnly: true }
    await context.addCookies([
      { ...sibling, name: 'session', domain: new URL(login).hostname },
      { ...sibling, name: 'vestibule.session', domain: 'other.localhost' },
    ])
    const before = await readCookies(context)
    expect(before.ours).toContain('vestibule.session')
    // Cookies do not depend on the port: the gallery's cookies are sent to the login service as
    // well.
    expect(before.others.map(({ name }) => name)).toContain('gallery.session')

    await signOut(page)

    const after = await readCookies(context)
    expect(after.ours).not.toContain('vestibule.session')
    expect(after.others).toEqual(before.others)
  })

  it('[J6] clears the browser cache of the login service', async ({ page, context, persona }) => {
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    let isFromCache = false
    devtools.on('Network.responseReceived', ({ response }) => {
      isFromCache = response.fromDiskCache ?? false
    })
    /** Whether the JWKS, the only cacheable response of the service, comes from the cache. */
    const isKeySetCached = async () => {
      await page.goto('about:blank')
      isFromCache = false
      await page.goto(`${login}/.well-known/jwks.json`)
      return isFromCache
    }
    await signInWithoutPages(context, persona)
    await isKeySetCached()
    expect(await isKeySetCached()).toBe(true)

    await signOut(page)

    expect(await isKeySetCached()).toBe(false)
  })

  it.for(PAGES)('[J11] hides %s from the Back button', async (path, { page, context, persona }) => {
    await signInWithoutPages(context, persona)
    await page.goto(login + path)
    expect(await showsName(page)).toBe(true)
    await signOut(page)

    // The first step back leads to the sign-out page, the second one to the page itself.
    for (const step of ['/api/auth/signout', path]) {
      await page.goBack()
      expect([step, await showsName(page)]).toEqual([step, false])
    }
    await waitForHeading(page, 'Sign in')
  })

  it.for(PAGES)(
    '[J11] in one tab hides %s from the Back button of another tab',
    async (path, { page, context, persona }) => {
      await signInWithoutPages(context, persona)
      await page.goto(login + path)
      expect(await showsName(page)).toBe(true)
      await page.goto(`${storefront}/nowhere`)

      await signOut(await context.newPage())
      await page.goBack()

      expect(await showsName(page)).toBe(false)
      await waitForHeading(page, 'Sign in')
    },
  )
})
