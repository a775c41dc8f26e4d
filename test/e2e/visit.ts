import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { it as base, describe, expect, inject } from 'vitest'
import { chromiumPath, launchChromium } from './chromium.ts'

export const { login, platform, storefront, orders, gallery } = inject('services')

/** Tests that need a browser are skipped on a machine without one. */
export const describeInBrowser = describe.skipIf(!chromiumPath)

/** Milliseconds. Everything is on this machine, so whoever waits longer waits for nothing. */
const PATIENCE = 10_000

interface Fixtures {
  chromium: Browser
  /** What pages did that no page may do. A test that provokes something takes it out again. */
  complaints: string[]
  /** A browser profile of its own. */
  context: BrowserContext
  page: Page
  /** The handle of somebody who has never signed in. */
  persona: string
  /** Opens a profile with other settings. */
  openContext: (options?: BrowserContextOptions) => Promise<BrowserContext>
}

export const it = base.extend<Fixtures>({
  chromium: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what a fixture needs.
    async ({}, use) => {
      const browser = await launchChromium()
      await use(browser)
      await browser.close()
    },
    { scope: 'file' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: see above.
  complaints: async ({}, use) => {
    const complaints: string[] = []
    await use(complaints)
    expect(complaints).toEqual([])
  },
  openContext: async ({ chromium, complaints }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (options) => {
      const context = await chromium.newContext(options)
      context.setDefaultTimeout(PATIENCE)
      collectComplaints(context, complaints)
      contexts.push(context)
      return context
    })
    for (const context of contexts) await context.close()
  },
  context: async ({ openContext }, use) => use(await openContext()),
  page: async ({ context }, use) => use(await context.newPage()),
  // biome-ignore lint/correctness/noEmptyPattern: see above.
  persona: async ({}, use) => use(await invent('Mia Lindqvist')),
})

/** Tells the stand-in of a person nobody else in these tests is. */
export async function invent(displayName: string): Promise<string> {
  const handle = `e2e-${crypto.randomUUID().slice(0, 13)}`
  await fetch(`${platform}/__stand-in/users`, {
    method: 'POST',
    body: JSON.stringify({ handle, displayName }),
  })
  return handle
}

/** From the storefront to the platform. */
export async function goToPlatform(page: Page): Promise<void> {
  await page.goto(storefront)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Continue with TikTok' }).click()
}

/** From the storefront to the page that asks what to allow. */
export async function goToConsent(page: Page, persona: string): Promise<void> {
  await goToPlatform(page)
  await choosePersona(page, persona)
}

export async function choosePersona(page: Page, persona: string): Promise<void> {
  await page.getByTestId(`persona-${persona}`).click()
  await page.getByTestId('allow').waitFor()
}

export async function allow(page: Page): Promise<void> {
  await page.getByTestId('allow').click()
}

/** From our sign-in page through the platform, to wherever the person was going. */
export async function continueAs(page: Page, persona: string): Promise<void> {
  await page.getByRole('link', { name: 'Continue with TikTok' }).click()
  await choosePersona(page, persona)
  await allow(page)
}

/** The whole way, as a person with a mouse goes it. */
export async function signIn(page: Page, persona: string): Promise<void> {
  await goToConsent(page, persona)
  await allow(page)
  await page.waitForURL(`${storefront}/`)
}

/** Waits until this is the page's heading: a click alone does not wait for what it leads to. */
export async function seeHeading(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
}

export async function seeSignedOutShop(page: Page): Promise<void> {
  await page.waitForURL(`${storefront}/`)
  await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor()
}

export async function seeSignedOutGallery(page: Page): Promise<void> {
  await page.waitForURL(`${gallery}/`)
  await seeHeading(page, 'The gallery')
}

/** Whom the login service takes this browser for. */
export async function sessionOf(context: BrowserContext): Promise<SessionAnswer | null> {
  const response = await context.request.get(`${login}/api/auth/session?client_id=storefront`)
  return response.json()
}

export interface SessionAnswer {
  user: { id: string; name?: string }
  expires: string
  token: string
}

/** Whatever no page may do: fail to load a part, break its policy, script anything, or call a stranger. */
function collectComplaints(context: BrowserContext, complaints: string[]): void {
  context.on('console', (message) => {
    // A page that answers 4xx is told by its text, and a part that does is caught below.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text())
    }
  })
  context.on('weberror', (error) => complaints.push(String(error.error())))
  context.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`))
  context.on('response', (response) => {
    const isPart = !response.request().isNavigationRequest()
    if (isPart && response.status() >= 400)
      complaints.push(`${response.status()} ${response.url()}`)
  })
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
    if (protocol.startsWith('http') && !isLocal) complaints.push(`stranger: ${request.url()}`)
  })
}
