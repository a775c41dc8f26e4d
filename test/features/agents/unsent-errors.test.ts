import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { Browser, LOGIN, lastLogEntry, serviceWith } from '../../browser.ts'
import { advanceClock } from '../../clock.ts'
import { continueUrl } from '../../continue-url.ts'
import { type ParameterChanges, signedInAsNewUser } from '../../core/oidc/relying-app.ts'
import { unsignedJwt } from '../../core/oidc/unsigned-jwt.ts'
import { resumedRequest, shownConsent } from '../../core/oidc/user-steps.ts'
import { redirectUrl } from '../../redirect.ts'
import { unreachable } from '../../storage.ts'
import {
  OPEN_SETTINGS,
  openService,
  PAYROLL,
  UnregisteredApp,
  unsentResponse,
} from './unregistered-app.ts'

const ERRORS: [error: string, changes: ParameterChanges][] = [
  ['login_required', { prompt: 'none' }],
  ['invalid_request', { code_challenge: undefined, code_challenge_method: undefined }],
  ['invalid_request', { response_type: undefined }],
  ['unsupported_response_type', { response_type: 'token' }],
  ['invalid_request', { response_mode: 'fragment' }],
  ['invalid_request', { response_mode: 'form_post' }],
  ['invalid_request', { id_token_hint: 'x' }],
  ['invalid_request', { max_age: '-1' }],
  ['invalid_target', { resource: PAYROLL }],
  ['request_not_supported', { request: unsignedJwt({ response_mode: 'form_post' }) }],
  ['request_uri_not_supported', { request_uri: 'https://agents.example/request' }],
]

/** A new user of the service that accepts unregistered clients. */
async function newUser(): Promise<Browser> {
  return new Browser(openService).withCookiesOf(await signedInAsNewUser())
}

async function errorSentTo(app: UnregisteredApp, browser: Browser, changes: ParameterChanges) {
  return redirectUrl(await app.authorize(browser, changes)).searchParams.get('error')
}

describe('the error of an unregistered client', () => {
  it.each(ERRORS)(
    '[A3][A6] is shown to a user who has not allowed the client: %s, %o',
    async (error, changes) => {
      const app = await new UnregisteredApp().publish()
      const state = '"><script>alert(1)</script>'

      const response = await app.authorize(new Browser(openService), { state, ...changes })

      const page = await response.clone().text()
      const url = await unsentResponse(response)
      expect(page).toContain(`Go back to ${app.host} only if you know it.`)
      expect(page).toContain(`<dd>${error}</dd>`)
      expect(page).not.toContain('<script>alert')
      expect(url.origin + url.pathname).toBe(app.redirectUri)
      expect(url.hash).toBe('')
      expect(Object.fromEntries(url.searchParams)).toEqual({
        error,
        error_description: expect.any(String),
        state,
        iss: LOGIN,
      })
      expect(lastLogEntry()).toMatchObject({ code: error })
    },
  )

  it('[A15] is shown if somebody else, or the user in another session, has allowed the client', async () => {
    const app = await new UnregisteredApp().publish()
    await app.code(await newUser())
    const other = await newUser()

    const withoutConsent = await unsentResponse(await app.authorize(other, { prompt: 'none' }))
    await app.code(other)
    await other.post('/api/auth/signout', {})
    const signedOut = await unsentResponse(await app.authorize(other, { prompt: 'none' }))

    expect(withoutConsent.searchParams.get('error')).toBe('consent_required')
    expect(signedOut.searchParams.get('error')).toBe('login_required')
  })

  it('[A6] is sent to a client that the user has allowed, until it changes', async () => {
    const app = await new UnregisteredApp().publish()
    const browser = await newUser()
    await app.code(browser)

    expect(await errorSentTo(app, browser, { prompt: 'none', max_age: '0' })).toBe('login_required')
    expect(await errorSentTo(app, browser, { resource: PAYROLL })).toBe('invalid_target')
    const more = { prompt: 'none', scope: 'openid profile' }
    expect(await errorSentTo(app, browser, more)).toBe('consent_required')
    advanceClock(2 * 3600)
    await app.publish({ redirect_uris: [app.redirectUri, `${app.origin}/new`] })
    const redirect_uri = `${app.origin}/new`
    const changed = await app.authorize(browser, { redirect_uri, prompt: 'none' })
    expect((await unsentResponse(changed)).searchParams.get('error')).toBe('consent_required')
  })

  it('[A6] is sent after the user has denied the request, or cancelled the sign-in', async () => {
    const app = await new UnregisteredApp().publish()
    const browser = await newUser()
    const shown = await shownConsent(await app.authorize(browser))
    const decided = await browser.post('/oidc/consent', { ...shown, answer: 'deny' })
    const denied = await browser.get(await continueUrl(decided), OWN_PAGE)
    const stranger = new Browser(openService)
    const request = resumedRequest(await app.authorize(stranger))
    const cancelled = await stranger.get(`${request}?cancel=denied`, OWN_PAGE)

    for (const response of [denied, cancelled]) {
      expect(redirectUrl(response).searchParams.get('error')).toBe('access_denied')
    }
  })

  it.each(['cross-site', 'same-site'])(
    '[A3] is shown if a %s page cancels the request',
    async (site) => {
      const app = await new UnregisteredApp().publish()
      const browser = new Browser(openService)

      for (const reason of ['denied', 'failed']) {
        const request = resumedRequest(await app.authorize(browser, { state: reason }))
        const response = await browser.get(`${request}?cancel=${reason}`, {
          'Sec-Fetch-Site': site,
        })
        await unsentResponse(response)
      }
    },
  )

  it('is JSON for programs', async () => {
    const app = await new UnregisteredApp().publish()
    const path = await app.authorizationPath({ prompt: 'none' })

    const response = await openService(new Request(LOGIN + path, { redirect: 'manual' }))

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: 'login_required',
      reference: expect.any(String),
    })
  })

  it('[Q6] is not sent while it is unknown whether the user has allowed the client', async () => {
    const app = await new UnregisteredApp().publish()
    const user = await newUser()
    const USERS = unreachable(env.USERS as never)
    const browser = new Browser(serviceWith({ ...OPEN_SETTINGS, USERS })).withCookiesOf(user)

    const response = await app.authorize(browser, { response_type: 'token' })

    expect([response.status, response.headers.get('Location')]).toEqual([503, null])
  })
})

const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin' }
