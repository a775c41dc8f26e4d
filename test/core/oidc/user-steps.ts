import { expect } from 'vitest'
import type { Browser } from '../../browser.ts'
import { continueUrl } from '../../continue-url.ts'
import { hiddenFields, unescapeHtml } from '../../html.ts'
import { interactionOf, redirectUrl } from '../../redirect.ts'

/**
 * Signs in on the page that an authorization request has redirected to, and returns the response to
 * that request once the browser is sent back to it.
 */
export async function signInOnPage(
  browser: Browser,
  response: Response,
  persona = 'mia',
): Promise<Response> {
  const signInPage = redirectUrl(response, 303)
  interactionOf(response)
  const html = await (await browser.get(signInPage.href)).text()
  const [, href = ''] = html.match(/href="([^"]*signin\/tiktok[^"]*)"/) ?? []
  const platform = redirectUrl(await browser.get(unescapeHtml(href)))
  const returned = await browser.get(await browser.approve(platform, persona))
  return browser.get(redirectUrl(returned).href)
}

/** Starts the sign-in with TikTok from the address of a sign-in page; returns TikTok's address. */
export async function startAtTikTok(browser: Browser, signInPage: URL): Promise<URL> {
  return redirectUrl(await browser.get(`${signInPage.pathname}/tiktok${signInPage.search}`))
}

/** Where a sign-in returns to that an authorization request requires. */
export function resumedRequest(toSignIn: Response): string {
  return `/oidc/authorize/${interactionOf(toSignIn)}`
}

/** The hidden fields that identify a consent page. */
export async function shownConsent(consentPage: Response) {
  const html = await consentPage.text()
  expect(html).toContain('id="approve"')
  const fields = hiddenFields(html)
  return { interaction: fields.get('interaction') ?? '', shown: fields.get('shown') ?? '' }
}

/**
 * Approves on the consent page, and returns the response to the authorization request. The
 * checkboxes are left as they are, except for those of the deselected scopes.
 */
export async function approveConsent(
  browser: Browser,
  consentPage: Response,
  deselected: readonly string[] = [],
): Promise<Response> {
  const form = await consentForm(consentPage)
  const kept = form.filter(([name, value]) => name !== 'scope' || !deselected.includes(value))
  const headers = { 'Sec-Fetch-Site': 'same-origin' }
  const approved = await browser.fetch('/oidc/consent', { form: kept, headers })
  return browser.get(await continueUrl(approved))
}

/** What the form of a consent page sends if nothing is changed before the user approves. */
export async function consentForm(consentPage: Response): Promise<[name: string, value: string][]> {
  const html = await consentPage.text()
  expect(html).toContain('id="approve"')
  const checkboxes = html.matchAll(/<input type="checkbox" name="scope" value="([^"]*)" checked/g)
  return [
    ['interaction', hiddenFields(html).get('interaction') ?? ''],
    ['shown', hiddenFields(html).get('shown') ?? ''],
    ['answer', 'approve'],
    ...Array.from(checkboxes, ([, value = '']): [string, string] => ['scope', unescapeHtml(value)]),
  ]
}
