import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

/** Milliseconds in which a session ends at the app after it has ended at the login service. */
const REVOCATION_TIMEOUT = 15_000

interface RunningServer {
  /** Where a recipe of docs/server.md runs. */
  url: string
  login: string
  /** The user at the stand-in, whose name is Mia Lindqvist. */
  handle: string
}

/** Signs a user in and out with Chromium at a server, and out of the login service. */
export async function checkServer(page: Page, server: RunningServer): Promise<string[]> {
  const { url, login, handle } = server
  await startSignIn(page, url)
  await page.getByTestId(`persona-${handle}`).click()
  await page.getByTestId('allow').click()
  await page.getByText('Hello, Mia Lindqvist').waitFor()
  if (page.url() !== `${url}/`) throw new Error(`returned to ${page.url()}`)

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  const response = await page.request.get(`${login}/api/auth/session`)
  if ((await response.json()) !== null) throw new Error('still signed in at the login service')

  await startSignIn(page, url)
  await page.getByText('Hello, Mia Lindqvist').waitFor()
  await page.goto(`${login}/api/auth/signout`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForLoadState()
  const seconds = await waitForSignOut(page, url)
  return ['sign-in and sign-out', `signed out ${seconds} s after the login service`]
}

/** The platform remembers users who have signed in and allowed the access before. */
async function startSignIn(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Sign in with TikTok' }).click()
}

async function waitForSignOut(page: Page, url: string): Promise<number> {
  const start = performance.now()
  for (;;) {
    await page.goto(url)
    if (await page.getByRole('link', { name: 'Sign in' }).isVisible()) break
    if (performance.now() - start > REVOCATION_TIMEOUT) throw new Error('still signed in')
    await sleep(500)
  }
  return Math.ceil((performance.now() - start) / 1000)
}
