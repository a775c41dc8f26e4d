import { expect } from 'vitest'
import { options } from '../../../src/deployment.ts'
import { Passkey } from '../../../src/providers.ts'
import { createVestibule, type VestibuleOptions } from '../../../src/vestibule.ts'
import { Browser, serviceOf } from '../../browser.ts'
import { hiddenFields, unescapeHtml } from '../../html.ts'
import { signInNewUser } from '../../new-user.ts'
import { confirmMethods } from '../../storage.ts'
import { Authenticator, type Deviations } from './authenticator.ts'

/** A browser at a deployment with passkeys. */
export function passkeyBrowser(
  changes: Partial<VestibuleOptions> = {},
  settings: Record<string, unknown> = {},
): Browser {
  const providers = [...options.providers, Passkey()]
  const service = serviceOf(createVestibule({ ...options, providers, ...changes }), settings)
  const { AUTH_URL } = settings
  return new Browser(service, typeof AUTH_URL === 'string' ? AUTH_URL : undefined)
}

/** The options in the form of a page. */
// biome-ignore lint/suspicious/noExplicitAny: the two kinds of options have different fields.
export function readOptions(html: string): any {
  const [, text = ''] = html.match(/data-options="([^"]*)"/) ?? []
  expect(text, html).not.toBe('')
  return JSON.parse(unescapeHtml(text))
}

/** Opens the page that creates a passkey. */
export async function openCreatePage(browser: Browser) {
  const response = await browser.get('/account/passkeys/new')
  expect(response.status).toBe(200)
  return readOptions(await response.text())
}

/** Adds a passkey to the signed-in user. */
export async function addPasskey(
  browser: Browser,
  authenticator: Authenticator,
  deviations: Deviations = {},
): Promise<Response> {
  const credential = await authenticator.create(await openCreatePage(browser), deviations)
  return browser.post('/account/passkeys', { credential })
}

/** A user who has signed in through the platform and has a passkey, which is confirmed. */
export async function createPasskeyUser(browser = passkeyBrowser()) {
  const user = await createUnconfirmedUser(browser)
  await confirmMethods(user.userId)
  return user
}

/** A user who has signed in through the platform and has just added a passkey. */
export async function createUnconfirmedUser(browser = passkeyBrowser()) {
  const user = await signInNewUser(browser)
  const authenticator = new Authenticator()
  const response = await addPasskey(browser, authenticator)
  expect(response.status).toBe(303)
  return { ...user, authenticator }
}

/** A user who has a passkey, and has confirmed with it that they may change their account. */
export async function createConfirmedUser(browser = passkeyBrowser()) {
  const user = await createPasskeyUser(browser)
  await confirmWithPasskey(browser, user.authenticator)
  return user
}

/** Confirms with a passkey that the signed-in user may change their account. */
export async function confirmWithPasskey(
  browser: Browser,
  authenticator: Authenticator,
): Promise<void> {
  const query = { prompt: 'login', callbackUrl: '/account/link' }
  const response = await signInWithPasskey(browser, authenticator, { query })
  expect(response.status).toBe(200)
}

/** Opens the sign-in page and returns the options of its button. */
export async function openSignInPage(browser: Browser, query: Record<string, string> = {}) {
  const response = await browser.get(`/api/auth/signin?${new URLSearchParams(query)}`)
  expect(response.status).toBe(200)
  return readOptions(await response.text())
}

/** Sends an assertion, without the other fields of the page's form. */
export function sendAssertion(browser: Browser, credential: string): Promise<Response> {
  return browser.post('/api/auth/signin/passkey', { credential })
}

/** Uses a passkey on a page, as its script does. */
export async function usePasskey(
  browser: Browser,
  html: string,
  { authenticator, ...deviations }: Deviations & { authenticator: Authenticator },
): Promise<Response> {
  const credential = await authenticator.get(readOptions(html), deviations)
  const [form = '', action = ''] =
    html.match(/<form method="post" action="([^"]+)" id="passkey".*?<\/form>/s) ?? []
  const fields = Object.fromEntries(hiddenFields(form))
  return browser.post(action, { ...fields, credential })
}

/** Signs in with a passkey. */
export async function signInWithPasskey(
  browser: Browser,
  authenticator: Authenticator,
  { query = {}, ...deviations }: Deviations & { query?: Record<string, string> } = {},
): Promise<Response> {
  const page = await browser.get(`/api/auth/signin?${new URLSearchParams(query)}`)
  return usePasskey(browser, await page.text(), { authenticator, ...deviations })
}
