import type { Browser } from './browser.ts'
import { findLink } from './html.ts'

/**
 * The headers that browsers send with a link of our own pages. Accounts are linked by those alone.
 */
export const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'navigate' }

/** The address that links an account of this provider. */
export async function linkAddress(browser: Browser, provider: string): Promise<string> {
  const page = await (await browser.get('/account/link')).text()
  return findLink(page, `signin/${provider}?`)
}

/** Follows that link, which redirects to the provider. */
export async function startLinking(browser: Browser, provider: string): Promise<Response> {
  return browser.get(await linkAddress(browser, provider), OWN_PAGE)
}
