import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Browser, LOGIN, lastLogEntry, serviceWith, WITH_GITHUB } from '../../browser.ts'
import { advanceClock } from '../../clock.ts'
import { continueUrl } from '../../continue-url.ts'
import { errorCode, findLink, hiddenFields } from '../../html.ts'
import { OWN_PAGE } from '../../link-account.ts'
import { createPlatformUser } from '../../new-user.ts'
import { readReadiness } from '../../read-readiness.ts'
import { interactionOf, redirectUrl } from '../../redirect.ts'
import { registeredClients } from '../../registered-clients.ts'
import { userObject } from '../../storage.ts'
import { type ParameterChanges, RelyingApp } from './relying-app.ts'

const SCHEME = 'com.example.app:/callback'
const LOOPBACK = 'http://127.0.0.1:51004/callback'
const LINK = 'https://app.example/callback'

const OWN_APP = {
  client_id: 'native',
  client_name: 'The shop',
  application_type: 'native',
  first_party: true,
  redirect_uris: [SCHEME, 'http://127.0.0.1/callback', LINK],
  post_logout_redirect_uris: ['com.example.app:/signed-out'],
}

const CLIENTS = [...registeredClients.filter(({ client_id }) => client_id !== 'native'), OWN_APP]

/** With a second provider, users see the sign-in page. */
const service = serviceWith({ CLIENTS, ...WITH_GITHUB })
const withoutSignInPage = serviceWith({ CLIENTS })

let handle: string

beforeEach(async () => {
  handle = await createPlatformUser({ displayName: 'Noah Brandt' })
})

afterEach(() => {
  vi.useRealTimers()
})

async function signedIn(): Promise<Browser> {
  const browser = new Browser(service)
  await browser.signIn(handle)
  return browser
}

const app = new RelyingApp('native')

async function authorize(browser: Browser, changes: ParameterChanges): Promise<Response> {
  return browser.get(await app.authorizationUrl(changes))
}

/** Presses the only button of the page. Returns where the browser continues. */
async function press(browser: Browser, page: string): Promise<string> {
  const fields = Object.fromEntries(hiddenFields(page))
  return continueUrl(await browser.post('/oidc/consent', fields))
}

/** The response to the app, by a redirect or by a page that opens it. */
async function answerOf(response: Response): Promise<URL> {
  return new URL(response.headers.get('Location') ?? (await continueUrl(response)))
}

/** Signs in at the platform, which answers without asking. Returns where the browser continues. */
async function answerSilently(browser: Browser, toPlatform: Response): Promise<string> {
  const callback = await browser.approve(redirectUrl(toPlatform), handle)
  return redirectUrl(await browser.get(callback, { 'Sec-Fetch-Site': 'cross-site' })).href
}

describe('a native app of the operator', () => {
  it.each([SCHEME, LOOPBACK])(
    '[A27][A28] is opened at %s after one button, every time, without consent',
    async (redirect_uri) => {
      const browser = await signedIn()
      const { user } = (await browser.session()) ?? {}

      for (const _ of [1, 2]) {
        const response = await authorize(browser, { redirect_uri })
        const page = await response.text()
        expect([response.status, response.headers.get('Location')]).toEqual([200, null])
        expect(page).toContain('Continue to The shop')
        expect(page).toContain('Noah Brandt')
        expect(page).not.toContain('id="approve"')
        expect(page.match(/<form method="post"/g)).toHaveLength(1)
        const answer = await answerOf(await browser.get(await press(browser, page)))
        expect(answer.href).toContain(`${redirect_uri}?code=ac_`)
        expect((await app.exchange(answer)).claims()?.sub).toBe(user?.id)
      }
      const { consents } = await userObject(user?.id).readUserData()
      expect(consents).toEqual([])
    },
  )

  it('[A27] is opened at a link of its own domain without a page', async () => {
    const browser = await signedIn()

    const answer = redirectUrl(await authorize(browser, { redirect_uri: LINK }), 303)
    const silent = await authorize(browser, { redirect_uri: LINK, prompt: 'none' })

    expect(answer.href).toContain(`${LINK}?code=ac_`)
    expect(redirectUrl(silent, 303).href).toContain(`${LINK}?code=ac_`)
  })

  it.each([SCHEME, LOOPBACK])(
    '[A15] gets interaction_required with prompt=none at %s',
    async (redirect_uri) => {
      const browser = await signedIn()
      const silent = async () => {
        const answer = await answerOf(await authorize(browser, { redirect_uri, prompt: 'none' }))
        return answer.searchParams.get('error')
      }

      expect(await silent()).toBe('interaction_required')
      await press(browser, await (await authorize(browser, { redirect_uri })).text())
      expect(await silent()).toBe('interaction_required')
      const signedOut = await authorize(new Browser(service), { redirect_uri, prompt: 'none' })
      expect((await answerOf(signedOut)).searchParams.get('error')).toBe('login_required')
    },
  )

  it('[A15] cannot be opened by a frame', async () => {
    const browser = await signedIn()
    const url = await app.authorizationUrl({ redirect_uri: SCHEME })

    const response = await browser.get(url, {
      'Sec-Fetch-Dest': 'iframe',
      'Sec-Fetch-Mode': 'navigate',
    })

    expect((await answerOf(response)).searchParams.get('error')).toBe('interaction_required')
  })

  it('is opened after a sign-in that the user started on our page', async () => {
    const browser = new Browser(service)
    const interaction = interactionOf(await authorize(browser, { redirect_uri: SCHEME }))

    const signInPage = await browser.get(`/api/auth/signin?interaction=${interaction}`)
    const link = findLink(await signInPage.text(), 'signin/tiktok?')
    const next = await answerSilently(browser, await browser.get(link, OWN_PAGE))

    expect((await answerOf(await browser.get(next))).href).toContain(`${SCHEME}?code=ac_`)
  })

  it.each([
    ['by a URL', { 'Sec-Fetch-Site': 'none' }],
    ['by another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['in a browser that does not say by whom', {}],
  ])('needs the button after a sign-in that was started %s', async (_, headers) => {
    const browser = new Browser(service)
    const interaction = interactionOf(await authorize(browser, { redirect_uri: SCHEME }))

    const url = `/api/auth/signin/tiktok?interaction=${interaction}`
    const toPlatform = await browser.get(url, { 'Sec-Fetch-Mode': 'navigate', ...headers })
    const next = await answerSilently(browser, toPlatform)

    const page = await (await browser.get(next)).text()
    expect(page).toContain('Continue to The shop')
    expect(page).not.toContain(SCHEME)
  })

  it('needs the button if the sign-in page is skipped and the provider answers silently', async () => {
    const browser = new Browser(withoutSignInPage)
    const interaction = interactionOf(await authorize(browser, { redirect_uri: LOOPBACK }))

    const toPlatform = await browser.get(`/api/auth/signin?interaction=${interaction}`)
    expect(redirectUrl(toPlatform).hostname).toBe('www.tiktok.com')
    const next = await answerSilently(browser, toPlatform)

    const response = await browser.get(next)
    expect([response.status, response.headers.get('Location')]).toEqual([200, null])
    expect(await response.text()).toContain('Continue to The shop')
  })

  it('needs the button for another request after a sign-in on our page', async () => {
    const browser = new Browser(service)
    const interaction = interactionOf(await authorize(browser, { redirect_uri: SCHEME }))
    const signInPage = await browser.get(`/api/auth/signin?interaction=${interaction}`)
    const link = findLink(await signInPage.text(), 'signin/tiktok?')
    await answerSilently(browser, await browser.get(link, OWN_PAGE))

    const again = await authorize(browser, { redirect_uri: SCHEME })
    const other = await authorize(browser, { redirect_uri: SCHEME, code_challenge: 'c'.repeat(43) })

    for (const response of [again, other]) {
      expect(response.status).toBe(200)
      expect(await response.text()).toContain('name="shown"')
    }
  })

  it('needs the button again a minute after it was pressed, or in another session', async () => {
    advanceClock(0)
    const browser = await signedIn()
    const page = async () => (await authorize(browser, { redirect_uri: LOOPBACK })).text()
    const late = await press(browser, await page())
    advanceClock(61)
    expect((await browser.get(late)).status).toBe(200)

    const next = await press(browser, await page())
    await browser.signIn(handle, { prompt: 'login' })
    expect((await browser.get(next)).status).toBe(200)
  })

  it('is not opened by a form of another site, or with the form of the consent page', async () => {
    const browser = await signedIn()
    const page = await (await authorize(browser, { redirect_uri: LOOPBACK })).text()
    const fields = Object.fromEntries(hiddenFields(page))

    const crossSite = await browser.post('/oidc/consent', fields, {
      'Sec-Fetch-Site': 'cross-site',
    })
    expect(crossSite.status).toBe(403)
    const third = { ...OWN_APP, first_party: false }
    const changed = new Browser(serviceWith({ CLIENTS: [third] })).withCookiesOf(browser)
    const next = await continueUrl(await changed.post('/oidc/consent', fields))
    expect(await (await changed.get(next)).text()).toContain('id="approve"')
  })

  it('shows the consent page if it asks for it', async () => {
    const browser = await signedIn()

    const response = await authorize(browser, { redirect_uri: SCHEME, prompt: 'consent' })

    expect(await response.text()).toContain('id="approve"')
  })

  it('does not share the session with pages of no origin', async () => {
    const browser = await signedIn()

    const response = await browser.get('/api/auth/session', { Origin: 'null' })

    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull()
  })
})

describe('a response to the scheme of an app', () => {
  it('is a page that opens the app, with a link for browsers that do not', async () => {
    const response = await authorize(new Browser(service), { redirect_uri: SCHEME, prompt: 'none' })

    const page = await response.clone().text()
    const answer = await answerOf(response)
    expect([response.status, response.headers.get('Location')]).toEqual([200, null])
    expect(`${answer.protocol}${answer.pathname}`).toBe(SCHEME)
    expect(Object.fromEntries(answer.searchParams)).toEqual({
      error: 'login_required',
      error_description: 'The user is not signed in.',
      state: app.state,
      iss: LOGIN,
    })
    expect(page).toContain('<h1>Continue to The shop</h1>')
    expect(page).toContain('it may not be installed on this device')
    expect(response.headers.get('Cache-Control')).toBe('no-store')
  })

  it.each([
    'com.example.app:/callback/',
    'com.example.app:/Callback',
    'com.example.app://callback',
    'com.example.app:/callback?x=1',
    'com.example.app.evil:/callback',
    'COM.example.app:/callback',
    'com.example.app:callback',
  ])('[A1] is sent only to the registered URL, not to %s', async (redirect_uri) => {
    const response = await authorize(new Browser(service), { redirect_uri, prompt: 'none' })

    expect([response.status, response.headers.get('Refresh')]).toEqual([400, null])
  })

  it('[A12] is not a form, which no app can receive', async () => {
    const changes = { redirect_uri: SCHEME, response_mode: 'form_post' }
    const answer = await answerOf(await authorize(new Browser(service), changes))

    expect(answer.searchParams.get('error_description')).toBe(
      'response_mode must be query or fragment.',
    )
  })

  it('is in the fragment if the app asks for it', async () => {
    const changes = { redirect_uri: SCHEME, response_mode: 'fragment', prompt: 'none' }
    const answer = await answerOf(await authorize(new Browser(service), changes))

    expect(answer.href).toMatch(/^com\.example\.app:\/callback#error=login_required&/)
  })

  it('[A28] follows the consent page for an app of others, which names the scheme', async () => {
    const others = serviceWith({ CLIENTS: [{ ...OWN_APP, first_party: false }] })
    const browser = new Browser(others)
    await browser.signIn(handle)

    const page = await (await authorize(browser, { redirect_uri: SCHEME })).text()
    const fields = Object.fromEntries(hiddenFields(page))
    const approved = await browser.post('/oidc/consent', { ...fields, answer: 'approve' })
    const answer = await answerOf(await browser.get(await continueUrl(approved)))

    expect(page).toContain('You will return to com.example.app.')
    expect(answer.href).toContain(`${SCHEME}?code=ac_`)
  })

  it('[I1] follows a sign-out', async () => {
    const browser = await signedIn()
    const page = await (await authorize(browser, { redirect_uri: LOOPBACK })).text()
    const answer = await answerOf(await browser.get(await press(browser, page)))
    const { id_token = '' } = await app.exchange(answer)

    const query = new URLSearchParams({
      id_token_hint: id_token,
      post_logout_redirect_uri: 'com.example.app:/signed-out',
      state: 's',
    })
    const response = await browser.get(`/oidc/logout?${query}`)

    expect(await continueUrl(response)).toBe('com.example.app:/signed-out?state=s')
    expect(await browser.session()).toBeNull()
  })
})

describe('a client of the settings that has a problem', () => {
  const broken = { ...OWN_APP, client_id: 'broken', redirect_uris: ['shop:/callback'] }
  const settings = { CLIENTS: [broken, ...CLIENTS] }

  it('is disabled and reported by /readyz, while the others work', async () => {
    const { response, failed } = await readReadiness(settings)
    const browser = new Browser(serviceWith(settings))
    await browser.signIn(handle)

    expect(response.status).toBe(503)
    expect(failed).toMatchObject([
      {
        name: 'settings',
        problem: expect.stringMatching(/^CLIENTS\.0\.redirect_uris\.0 must have a scheme/),
      },
    ])
    expect(redirectUrl(await authorize(browser, { redirect_uri: LINK }), 303).origin).toBe(
      'https://app.example',
    )
  })

  it('is unknown to apps, and the log says why', async () => {
    const query = new URLSearchParams({ client_id: 'broken', redirect_uri: 'shop:/callback' })

    const response = await new Browser(serviceWith(settings)).get(`/oidc/authorize?${query}`)

    expect([response.status, await errorCode(response)]).toEqual([400, 'client_unknown'])
    expect(lastLogEntry('client_unknown')).toMatchObject({
      hint: 'It is disabled in CLIENTS: /readyz says why.',
    })
  })

  it('is not replaced by a client in the database with the same id', async () => {
    const registration = JSON.stringify({ redirect_uris: ['https://other.example/'] })
    await env.DIRECTORY.prepare(
      'INSERT INTO clients (client_id, registration, created_at, updated_at) VALUES (?, ?, 0, 0)',
    )
      .bind('broken', registration)
      .run()
    const query = new URLSearchParams({
      client_id: 'broken',
      redirect_uri: 'https://other.example/',
    })

    const response = await new Browser(serviceWith(settings)).get(`/oidc/authorize?${query}`)
    const returned = await new Browser(serviceWith(settings)).get(
      '/api/auth/signin?callbackUrl=https://other.example/',
    )

    expect([response.status, await errorCode(response)]).toEqual([400, 'client_unknown'])
    expect(await errorCode(returned)).toBe('return_url_refused')
  })
})
