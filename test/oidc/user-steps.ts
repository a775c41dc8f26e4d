import { expect } from 'vitest'
import { Browser } from '../browser.ts'
import { continueUrl } from '../continue-url.ts'
import { hiddenFields, unescapeHtml } from '../html.ts'
import { redirectUrl } from '../redirect.ts'

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
  expect(signInPage.pathname).toBe('/api/auth/signin')
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

/**
 * The authorization request that a sign-in returns to. It is sealed for the browser under test, which
 * must not sign in here, so another browser with the same token does.
 */
export async function resumedRequest(browser: Browser, toSignIn: Response): Promise<string> {
  const copy = new Browser()
  for (const name of browser.cookieNames('csrf')) {
    copy.cookies.set(name, browser.cookies.get(name) ?? '')
  }
  const platform = await startAtTikTok(copy, redirectUrl(toSignIn))
  const returned = await copy.get(await copy.approve(platform, 'mia'))
  const { pathname, search } = redirectUrl(returned)
  return `${pathname}${search}`
}

/** The sealed authorization request in the form of a consent page. */
export async function consentRequest(consentPage: Response): Promise<string> {
  const html = await consentPage.text()
  expect(html).toContain('id="approve"')
  return hiddenFields(html).get('request') ?? ''
}

/** Approves on the consent page, and returns the response to the authorization request. */
export async function approveConsent(browser: Browser, consentPage: Response): Promise<Response> {
  const request = await consentRequest(consentPage)
  const approved = await browser.post('/oidc/consent', { request, answer: 'approve' })
  return browser.get(await continueUrl(approved))
}
