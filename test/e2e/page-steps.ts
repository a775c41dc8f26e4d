import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { approveAs } from '../approval.ts'
import { NAME } from '../user-name.ts'
import { gallery, login, storefront } from './browser-fixtures.ts'

/** The sign-in page to which the app at this origin sends its users. */
export function signInPage(loginUrl: string, app: string): string {
  return `${loginUrl}/api/auth/signin?${new URLSearchParams({ callbackUrl: `${app}/` })}`
}

/** From the storefront to the platform. */
export async function goToPlatform(page: Page): Promise<void> {
  await page.goto(storefront)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await chooseTikTok(page)
}

/** From the storefront to the platform's consent page. */
export async function goToConsent(page: Page, persona: string): Promise<void> {
  await goToPlatform(page)
  await choosePersona(page, persona)
}

/** From our sign-in page to the platform. */
export async function chooseTikTok(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with TikTok' }).click()
}

/** From the platform's login page to its consent page. */
export async function choosePersona(page: Page, persona: string): Promise<void> {
  await page.getByTestId(`persona-${persona}`).click()
  await page.getByTestId('allow').waitFor()
}

/** Consents on the platform's page. */
export async function allow(page: Page): Promise<void> {
  await page.getByTestId('allow').click()
}

/** Cancels on the platform's consent page. */
export async function deny(page: Page): Promise<void> {
  await page.getByTestId('deny').click()
}

/** From our sign-in page through the platform to where the user was going. */
export async function signInWithTikTok(page: Page, persona: string): Promise<void> {
  await chooseTikTok(page)
  await choosePersona(page, persona)
  await allow(page)
}

/** A complete sign-in at the storefront. */
export async function signIn(page: Page, persona: string): Promise<void> {
  await goToConsent(page, persona)
  await allow(page)
  await page.waitForURL(`${storefront}/`)
}

/**
 * Signs a browser in at the login service without opening pages, for tests of what a signed-in user
 * does next.
 */
export async function signInWithoutPages(context: BrowserContext, persona: string): Promise<void> {
  const start = `${login}/api/auth/signin/tiktok?callbackUrl=/account`
  const getAccount = async () => {
    const started = await context.request.get(start, { maxRedirects: 0 })
    const authorization = started.headers()['location'] ?? ''
    const account = await context.request.get(approveAs(persona, authorization).href)
    return account.url()
  }
  // A service whose machine stood still for seconds asks the user to try again.
  await expect.poll(getAccount, { timeout: 30_000 }).toBe(`${login}/account`)
}

/** Waits for a page with this heading; a click does not wait for the page it leads to. */
export async function waitForHeading(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
}

/** Waits for the login service's error page with this code. */
export async function waitForErrorPage(page: Page, code: string): Promise<void> {
  await page.locator('dd').getByText(code, { exact: true }).waitFor({ state: 'attached' })
}

export async function waitForSignedOutStorefront(page: Page): Promise<void> {
  await page.waitForURL(`${storefront}/`)
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
}

/** A user who signs out earlier sees an error: the orders API rejects the token from then on. */
export async function waitForOrders(page: Page): Promise<void> {
  await page.locator('#order-list').getByRole('listitem').first().waitFor()
}

/** Signs out with the user button of the storefront. */
export async function signOutAtStorefront(page: Page, name = NAME): Promise<void> {
  await waitForOrders(page)
  await page.getByRole('button', { name }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

export async function waitForSignedOutGallery(page: Page): Promise<void> {
  await page.waitForURL(`${gallery}/`)
  await waitForHeading(page, 'Three new landscapes')
}

export interface SessionResponse {
  user: { id: string; name?: string }
  expires: string
  token: string
}

/** The session of this browser at the login service. */
export async function readSession(context: BrowserContext): Promise<SessionResponse | null> {
  const response = await context.request.get(`${login}/api/auth/session?client_id=storefront`)
  return response.json()
}
