import { base64url, decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import type { Browser } from '../browser.ts'
import { unescapeHtml } from '../oidc/answer.ts'
import { SECRETS, signedIn } from '../oidc/relying-app.ts'
import { Certifier, discovery } from './certifier.ts'

const BYE = 'https://certifier.example/post_logout_redirect'
const STATE = 's'.repeat(128)

/** Somebody who is signed in at the app, and the ID token it holds. */
async function signedInThere(): Promise<{ browser: Browser; hint: string }> {
  const browser = await signedIn()
  const { id_token = '' } = await new Certifier('query').tokens(browser)
  return { browser, hint: id_token }
}

/** The app sends the person to log out, with these parameters. */
function logOut(browser: Browser, parameters: Record<string, string>): Promise<Response> {
  return browser.get(`/oidc/logout?${new URLSearchParams(parameters)}`)
}

/** Presses the button of the page that asks. */
async function confirm(browser: Browser, asked: Response): Promise<Response> {
  const page = await asked.text()
  expect(page).toContain('id="confirm-logout"')
  expect(await browser.session()).not.toBeNull()
  const fields = page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)
  const form = Array.from(fields, ([, name = '', value = '']) => [name, unescapeHtml(value)])
  return browser.post('/oidc/logout/confirm', Object.fromEntries(form))
}

/** The page of who is signed out, and no way on. */
async function expectSignedOutPage(response: Response): Promise<void> {
  expect([response.status, response.headers.get('Location')]).toEqual([200, null])
  expect(await response.text()).toContain('You are signed out')
}

/** The app asks silently, and hears that nobody is there. */
async function expectLoggedOut(browser: Browser): Promise<void> {
  const certifier = new Certifier('query')
  const response = await certifier.ask(browser, { prompt: 'none' })
  expect(await certifier.refusal(response)).toBe('login_required')
}

/** A page that names what is wrong and leads nowhere; nobody has been logged out by it. */
async function expectRefused(browser: Browser, response: Response, word: string): Promise<void> {
  expect([response.status, response.headers.get('Location')]).toEqual([400, null])
  const page = await response.text()
  expect(page).toContain(word)
  expect(page).not.toContain(`${BYE}`)
  expect(await browser.session()).not.toBeNull()
}

describe('the RP-initiated logout plan', () => {
  it('oidcc-rp-initiated-logout-discovery-endpoint-verification: names the endpoint', async () => {
    const { end_session_endpoint } = await discovery()

    expect(URL.parse(String(end_session_endpoint))?.protocol).toBe('https:')
  })

  it('[J1] oidcc-rp-initiated-logout: leads back with the state and nothing else, logged out', async () => {
    const { browser, hint } = await signedInThere()

    const response = await logOut(browser, {
      id_token_hint: hint,
      post_logout_redirect_uri: BYE,
      state: STATE,
    })

    expect(response.status).toBe(303)
    expect(response.headers.get('Location')).toBe(`${BYE}?state=${STATE}`)
    await expectLoggedOut(browser)
    expect(await browser.session()).toBeNull()
  })

  it('[J1] oidcc-rp-initiated-logout-no-state: leads back without one, logged out', async () => {
    const { browser, hint } = await signedInThere()

    const response = await logOut(browser, { id_token_hint: hint, post_logout_redirect_uri: BYE })

    expect(response.status).toBe(303)
    expect(response.headers.get('Location')).toBe(BYE)
    await expectLoggedOut(browser)
  })

  it.each([
    ['oidcc-rp-initiated-logout-bad-post-logout-redirect-uri', 'https://certifier.example/other'],
    ['oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri', `${BYE}?foo=bar`],
  ])('[J1] %s: leads nowhere', async (_, post_logout_redirect_uri) => {
    const { browser, hint } = await signedInThere()

    const response = await logOut(browser, {
      id_token_hint: hint,
      post_logout_redirect_uri,
      state: STATE,
    })

    await expectRefused(browser, response, 'post_logout_redirect_uri')
  })

  it('[J3] oidcc-rp-initiated-logout-modified-id-token-hint: without a signature it leads nowhere', async () => {
    const { browser, hint } = await signedInThere()
    const [, claims = ''] = hint.split('.')
    for (const header of [{ alg: 'none' }, { ...decodeProtectedHeader(hint), alg: 'none' }]) {
      const response = await logOut(browser, {
        id_token_hint: `${base64url.encode(JSON.stringify(header))}.${claims}.`,
        post_logout_redirect_uri: BYE,
        state: STATE,
      })

      await expectRefused(browser, response, 'id_token_hint')
    }
  })

  it('[J3] oidcc-rp-initiated-logout-bad-id-token-hint: signed by somebody else it leads nowhere', async () => {
    const { browser, hint } = await signedInThere()
    const header = decodeProtectedHeader(hint)
    const forging = () => new SignJWT(decodeJwt(hint))
    const { privateKey } = await generateKeyPair('RS256')
    const secret = new TextEncoder().encode(SECRETS['certifier']?.padEnd(32))

    for (const forged of [
      await forging()
        .setProtectedHeader({ ...header, alg: 'RS256' })
        .sign(privateKey),
      await forging().setProtectedHeader({ alg: 'RS256', typ: 'JWT' }).sign(privateKey),
      await forging()
        .setProtectedHeader({ ...header, alg: 'HS256' })
        .sign(secret),
    ]) {
      const response = await logOut(browser, {
        id_token_hint: forged,
        post_logout_redirect_uri: BYE,
        state: STATE,
      })

      await expectRefused(browser, response, 'id_token_hint')
    }
  })

  it('[J3] oidcc-rp-initiated-logout-no-id-token-hint: leads nowhere', async () => {
    const { browser } = await signedInThere()

    const response = await logOut(browser, { post_logout_redirect_uri: BYE, state: STATE })

    await expectRefused(browser, response, 'id_token_hint')
  })

  it.each([
    ['oidcc-rp-initiated-logout-no-params', {}],
    ['oidcc-rp-initiated-logout-only-state', { state: STATE }],
  ])('[J2] %s: asks, and then shows that the person is signed out', async (_, parameters) => {
    const { browser } = await signedInThere()

    const response = await confirm(browser, await logOut(browser, parameters))

    await expectSignedOutPage(response)
    await expectLoggedOut(browser)
  })

  it('oidcc-rp-initiated-logout-no-post-logout-redirect-uri: shows that the person is signed out', async () => {
    const { browser, hint } = await signedInThere()

    const response = await logOut(browser, { id_token_hint: hint, state: STATE })

    await expectSignedOutPage(response)
    await expectLoggedOut(browser)
  })
})
