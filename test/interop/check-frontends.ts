import type { Page } from 'playwright-core'
import type { Services } from '../../demo/services.ts'
import { launchChromium } from '../e2e/chromium.ts'
import { NAME } from '../user-name.ts'

/** Opens Chromium, with the handle of a new user whose name is {@link NAME}. */
export async function withChromium(
  { platform }: Pick<Services, 'platform'>,
  check: (page: Page, handle: string) => Promise<string[]>,
): Promise<string[]> {
  const handle = `interop-${crypto.randomUUID().slice(0, 13)}`
  await fetch(`${platform}/__stand-in/users`, {
    method: 'POST',
    body: JSON.stringify({ handle, displayName: NAME }),
  })
  const browser = await launchChromium()
  try {
    const context = await browser.newContext() // in which a check can open further pages
    return await check(await context.newPage(), handle)
  } finally {
    await browser.close()
  }
}

/** Milliseconds after which the library looks for a sign-out when the user returns to the page. */
const RECHECK_INTERVAL = 10_000

interface RunningFrontends {
  url: string
  login: string
  /** The user at the stand-in, whose name is {@link NAME}. */
  handle: string
  pages?: readonly string[] | undefined
}

/** Signs a user in at the frontends that were started. */
export async function checkFrontends(
  page: Page,
  { url, login, handle, pages = [] }: RunningFrontends,
): Promise<string[]> {
  await page.goto(url)
  await signIn(page, handle)
  await page.getByText(`Hello, ${NAME}`).waitFor()
  await page.getByRole('button', { name: 'Your orders' }).click()
  await page.getByText('"customer":"usr_').waitFor()
  for (const name of pages) {
    await page.goto(`${url}/${name}.html`)
    await page.getByText(`signed-in ${NAME}`).waitFor()
  }
  await page.goto(url)
  await page.getByRole('button', { name: NAME }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByText('Sign in to see your orders.').waitFor()

  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Sign in with TikTok' }).click()
  await page.getByText(`Hello, ${NAME}`).waitFor()
  const other = await page.context().newPage()
  await other.goto(`${login}/api/auth/signout`)
  const signOut = other.getByRole('button', { name: 'Sign out' })
  await signOut.click()
  await signOut.waitFor({ state: 'detached' })
  await other.close()
  await page.waitForTimeout(RECHECK_INTERVAL)
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await page.getByText('Sign in to see your orders.').waitFor()
  const done = ['sign-in and sign-out with React', 'a token that Hono accepts', ...pages]
  return [...done, 'a sign-out elsewhere']
}

async function signIn(page: Page, handle: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Sign in with TikTok' }).click()
  await page.getByTestId(`persona-${handle}`).click()
  await page.getByTestId('allow').click()
}
