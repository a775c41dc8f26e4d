import type { Page } from 'playwright-core'
import { signInWithTikTok } from '../page-steps.ts'
import { CALLBACK } from './registrations.ts'

/**
 * Opens an authorization request, signs in, and returns the address of the app that the browser is
 * redirected to.
 */
export async function signInAtApp(request: URL, page: Page, persona: string): Promise<URL> {
  const callback = page.waitForRequest(`${CALLBACK}**`)
  await page.goto(request.href)
  await signInWithTikTok(page, persona)
  return new URL((await callback).url())
}
