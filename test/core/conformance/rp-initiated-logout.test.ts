import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import type { Browser } from '../../browser.ts'
import { hiddenFields } from '../../html.ts'
import { discoveryDocument } from '../oidc/published-metadata.ts'
import { logoutUrl, SECRETS, signedIn } from '../oidc/relying-app.ts'
import { unsignedJwt } from '../oidc/unsigned-jwt.ts'
import { ConformanceClient, LONG_STATE } from './conformance-client.ts'

const POST_LOGOUT_REDIRECT_URI = 'https://certifier.example/post_logout_redirect'

/** A browser that is signed in to the client, and the ID token that the client holds. */
async function signedInToClient(): Promise<{ browser: Browser; idToken: string }> {
  const browser = await signedIn()
  const { id_token = '' } = await new ConformanceClient('query').tokens(browser)
  return { browser, idToken: id_token }
}

function logOut(browser: Browser, parameters: Record<string, string>): Promise<Response> {
  return browser.get(logoutUrl(parameters))
}

/** Submits the form of the confirmation page. */
async function confirmLogout(browser: Browser, confirmationPage: Response): Promise<Response> {
  const html = await confirmationPage.text()
  expect(html).toContain('id="confirm-logout"')
  expect(await browser.session()).not.toBeNull()
  return browser.post('/oidc/logout/confirm', Object.fromEntries(hiddenFields(html)))
}

async function expectSignedOutPage(response: Response): Promise<void> {
  expect([response.status, response.headers.get('Location')]).toEqual([200, null])
  expect(await response.text()).toContain('You are signed out')
}

async function expectSignedOut(browser: Browser): Promise<void> {
  const client = new ConformanceClient('query')
  const response = await client.authorize(browser, { prompt: 'none' })
  expect(await client.readError(response)).toBe('login_required')
}

/** An error page without a redirect; the session continues. */
async function expectRejected(browser: Browser, response: Response, code: string): Promise<void> {
  expect([response.status, response.headers.get('Location')]).toEqual([400, null])
  const page = await response.text()
  expect(page).toContain(code)
  expect(page).not.toContain(POST_LOGOUT_REDIRECT_URI)
  expect(await browser.session()).not.toBeNull()
}

describe('the RP-initiated logout plan', () => {
  it('oidcc-rp-initiated-logout-discovery-endpoint-verification: discovery lists the endpoint', async () => {
    const { end_session_endpoint } = await discoveryDocument()

    expect(URL.parse(String(end_session_endpoint))?.protocol).toBe('https:')
  })

  it('[J1] oidcc-rp-initiated-logout: signs out and redirects with the state and nothing else', async () => {
    const { browser, idToken } = await signedInToClient()

    const response = await logOut(browser, {
      id_token_hint: idToken,
      post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
      state: LONG_STATE,
    })

    expect(response.status).toBe(303)
    expect(response.headers.get('Location')).toBe(`${POST_LOGOUT_REDIRECT_URI}?state=${LONG_STATE}`)
    await expectSignedOut(browser)
    expect(await browser.session()).toBeNull()
  })

  it('[J1] oidcc-rp-initiated-logout-no-state: signs out and redirects without a state', async () => {
    const { browser, idToken } = await signedInToClient()

    const response = await logOut(browser, {
      id_token_hint: idToken,
      post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
    })

    expect(response.status).toBe(303)
    expect(response.headers.get('Location')).toBe(POST_LOGOUT_REDIRECT_URI)
    await expectSignedOut(browser)
  })

  it.each([
    ['oidcc-rp-initiated-logout-bad-post-logout-redirect-uri', 'https://certifier.example/other'],
    [
      'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri',
      `${POST_LOGOUT_REDIRECT_URI}?foo=bar`,
    ],
  ])('[J1] %s: does not redirect', async (_, post_logout_redirect_uri) => {
    const { browser, idToken } = await signedInToClient()

    const response = await logOut(browser, {
      id_token_hint: idToken,
      post_logout_redirect_uri,
      state: LONG_STATE,
    })

    await expectRejected(browser, response, 'post_logout_redirect_uri_refused')
  })

  it('[J3] oidcc-rp-initiated-logout-modified-id-token-hint: rejects a hint without a signature', async () => {
    const { browser, idToken } = await signedInToClient()
    const headers = [{ alg: 'none' }, { ...decodeProtectedHeader(idToken), alg: 'none' }]

    for (const header of headers) {
      const response = await logOut(browser, {
        id_token_hint: unsignedJwt(decodeJwt(idToken), header),
        post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
        state: LONG_STATE,
      })

      await expectRejected(browser, response, 'id_token_hint_refused')
    }
  })

  it('[J3] oidcc-rp-initiated-logout-bad-id-token-hint: rejects a hint signed with another key', async () => {
    const { browser, idToken } = await signedInToClient()
    const header = decodeProtectedHeader(idToken)
    const { privateKey } = await generateKeyPair('RS256')
    const secret = new TextEncoder().encode(SECRETS['certifier']?.padEnd(32))
    const sign = (forgedHeader: { alg: string }, key: CryptoKey | Uint8Array) =>
      new SignJWT(decodeJwt(idToken)).setProtectedHeader(forgedHeader).sign(key)
    const forgeries = [
      await sign({ ...header, alg: 'RS256' }, privateKey),
      await sign({ alg: 'RS256', typ: 'JWT' } as { alg: string }, privateKey),
      await sign({ ...header, alg: 'HS256' }, secret),
    ]

    for (const forged of forgeries) {
      const response = await logOut(browser, {
        id_token_hint: forged,
        post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
        state: LONG_STATE,
      })

      await expectRejected(browser, response, 'id_token_hint_refused')
    }
  })

  it('[J3] oidcc-rp-initiated-logout-no-id-token-hint: does not redirect', async () => {
    const { browser } = await signedInToClient()

    const response = await logOut(browser, {
      post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
      state: LONG_STATE,
    })

    await expectRejected(browser, response, 'id_token_hint_missing')
  })

  it.each([
    ['oidcc-rp-initiated-logout-no-params', {}],
    ['oidcc-rp-initiated-logout-only-state', { state: LONG_STATE }],
  ])('[J2] %s: asks for confirmation and then shows the signed-out page', async (_, parameters) => {
    const { browser } = await signedInToClient()

    const response = await confirmLogout(browser, await logOut(browser, parameters))

    await expectSignedOutPage(response)
    await expectSignedOut(browser)
  })

  it('oidcc-rp-initiated-logout-no-post-logout-redirect-uri: shows the signed-out page', async () => {
    const { browser, idToken } = await signedInToClient()

    const response = await logOut(browser, { id_token_hint: idToken, state: LONG_STATE })

    await expectSignedOutPage(response)
    await expectSignedOut(browser)
  })
})
