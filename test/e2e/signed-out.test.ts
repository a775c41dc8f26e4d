import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { launchChromium } from './chromium.ts'
import { it as base, describeInBrowser, login, seeHeading, signIn, storefront } from './visit.ts'

/** People's browsers keep the pages they leave, to show them again at once. Playwright's do not, unless told. */
const it = base.extend<{ chromium: Browser }>({
  chromium: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what a fixture needs.
    async ({}, use) => {
      const browser = await launchChromium({ ignoreDefaultArgs: ['--disable-back-forward-cache'] })
      await use(browser)
      await browser.close()
    },
    { scope: 'file' },
  ],
})

/** Where the login service shows who is signed in. */
const PLACES = ['/account', '/api/auth/signin'] as const

/** Presses the button on the login service's own page. */
async function signOut(page: Page): Promise<void> {
  await page.goto(`${login}/api/auth/signout`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await seeHeading(page, 'You are signed out')
}

/** The person's name, wherever it stands. */
async function isNamed(page: Page): Promise<boolean> {
  return (await page.locator('body').textContent())?.includes('Lindqvist') ?? false
}

/** The cookies of this browser, divided into those of the login service and those of everybody else. */
async function cookiesIn(context: BrowserContext) {
  const cookies = (await context.cookies()).map(({ expires: _, ...cookie }) => cookie)
  const isOurs = ({ name, domain }: { name: string; domain: string }) =>
    name.startsWith('vestibule.') && domain === new URL(login).hostname
  return {
    ours: cookies.filter(isOurs).map(({ name }) => name),
    others: cookies.filter((cookie) => !isOurs(cookie)),
  }
}

describeInBrowser('who has signed out', () => {
  it('[J6] leaves no session behind, and the cookies of others as they were', async ({
    page,
    context,
    persona,
  }) => {
    await signIn(page, persona)
    const sibling = { value: 'x', path: '/', httpOnly: true }
    await context.addCookies([
      { ...sibling, name: 'session', domain: new URL(login).hostname },
      { ...sibling, name: 'vestibule.session', domain: 'other.localhost' },
    ])
    const before = await cookiesIn(context)
    expect(before.ours).toContain('vestibule.session')
    // Ports share their cookies: the storefront's are our services.
    expect(before.others.map(({ name }) => name)).toContain('storefront.session')

    await signOut(page)

    const after = await cookiesIn(context)
    expect(after.ours).not.toContain('vestibule.session')
    expect(after.others).toEqual(before.others)
  })

  it('[J6] takes what the browser has kept of us along', async ({ page, context, persona }) => {
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    let isKept = false
    devtools.on('Network.responseReceived', ({ response }) => {
      isKept = response.fromDiskCache ?? false
    })
    /** Whether the browser has this without asking: the one thing of ours it may keep for a while. */
    const keepsKeys = async () => {
      await page.goto('about:blank')
      isKept = false
      await page.goto(`${login}/.well-known/jwks.json`)
      return isKept
    }
    await signIn(page, persona)
    await keepsKeys()
    expect(await keepsKeys()).toBe(true)

    await signOut(page)

    expect(await keepsKeys()).toBe(false)
  })

  it.for(PLACES)('[J11] finds nothing at %s by going back', async (place, { page, persona }) => {
    await signIn(page, persona)
    await page.goto(login + place)
    expect(await isNamed(page)).toBe(true)
    await signOut(page)

    // The page that asked, then the place itself.
    for (const step of ['the question', place]) {
      await page.goBack()
      expect([step, await isNamed(page)]).toEqual([step, false])
    }
    await seeHeading(page, 'Sign in')
  })

  it.for(PLACES)(
    '[J11] finds nothing at %s by going back where another tab signed out',
    async (place, { page, context, persona }) => {
      await signIn(page, persona)
      await page.goto(login + place)
      expect(await isNamed(page)).toBe(true)
      await page.goto(`${storefront}/nowhere`)

      await signOut(await context.newPage())
      await page.goBack()

      expect(await isNamed(page)).toBe(false)
      await seeHeading(page, 'Sign in')
    },
  )
})
