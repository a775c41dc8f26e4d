import type { Page } from 'playwright-core'
import type { Services } from '../../demo/services.ts'
import { launchChromium } from '../e2e/chromium.ts'

/** Opens Chromium, with the handle of a new user whose name is Mia Lindqvist. */
export async function withChromium(
  { platform }: Pick<Services, 'platform'>,
  check: (page: Page, handle: string) => Promise<string[]>,
): Promise<string[]> {
  const handle = `interop-${crypto.randomUUID().slice(0, 13)}`
  await fetch(`${platform}/__stand-in/users`, {
    method: 'POST',
    body: JSON.stringify({ handle, displayName: 'Mia Lindqvist' }),
  })
  const browser = await launchChromium()
  try {
    return await check(await browser.newPage(), handle)
  } finally {
    await browser.close()
  }
}

/** Signs a user in at the frontends that were started. */
export async function checkFrontends(page: Page, url: string, handle: string): Promise<string[]> {
  await page.goto(url)
  await signIn(page, handle)
  await page.getByText('Hello, Mia Lindqvist').waitFor()
  await page.getByRole('button', { name: 'Your orders' }).click()
  await page.getByText('"customer":"usr_').waitFor()
  for (const name of ['vue', 'svelte']) {
    await page.goto(`${url}/${name}.html`)
    await page.getByText('signed-in Mia Lindqvist').waitFor()
  }
  await page.goto(url)
  await page.getByRole('button', { name: 'Mia Lindqvist' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByText('Sign in to see your orders.').waitFor()
  return ['sign-in and sign-out with React', 'a token that Hono accepts', 'Vue', 'Svelte']
}

async function signIn(page: Page, handle: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Sign in with TikTok' }).click()
  await page.getByTestId(`persona-${handle}`).click()
  await page.getByTestId('allow').click()
}
