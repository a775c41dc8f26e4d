import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser } from '../../browser.ts'
import { advanceClock, DAY } from '../../clock.ts'
import { continueUrl } from '../../continue-url.ts'
import { hiddenFields } from '../../html.ts'
import { signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { expectListed } from './read-revocation-feed.ts'
import {
  logoutUrl,
  OFFLINE_ACCESS,
  RelyingApp,
  SECRETS,
  signedIn,
  signedInToApp,
} from './relying-app.ts'
import { unsignedJwt } from './unsigned-jwt.ts'

const POST_LOGOUT_REDIRECT_URI = 'https://web.example/bye'

afterEach(() => {
  vi.useRealTimers()
})

describe('GET /oidc/logout', () => {
  it('[J5] with an ID token but without the session cookie ends no session', async () => {
    const browser = await signedIn()
    const app = new RelyingApp()
    const tokens = await app.tokens(browser, { scope: 'openid offline_access' })

    await new Browser().get(logoutUrl({ id_token_hint: tokens.id_token ?? '' }))

    expect(await browser.sid()).toBe(tokens.claims()?.['sid'])
    expect((await app.refresh(tokens.refresh_token ?? '')).access_token).toBeTruthy()
  })

  it('[J4][D11] with the ID token of an expired session ends its grants', async () => {
    const app = new RelyingApp()
    const ended = await app.tokens(await signedIn(), OFFLINE_ACCESS)
    advanceClock(8 * DAY)
    const kept = await app.tokens(await signedIn(), OFFLINE_ACCESS)

    await new Browser().get(logoutUrl({ id_token_hint: ended.id_token ?? '' }))

    await expect(app.refresh(ended.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    expect((await app.refresh(kept.refresh_token ?? '')).access_token).toBeTruthy()
  })

  it('[J4][G1] with the ID token of an expired session revokes what its grants are still used for', async () => {
    const app = new RelyingApp()
    const { refresh_token = '', id_token = '' } = await app.tokens(await signedIn(), OFFLINE_ACCESS)
    advanceClock(8 * DAY)
    const { access_token } = await app.refresh(refresh_token)

    await new Browser().get(logoutUrl({ id_token_hint: id_token }))

    await expectListed(access_token)
  })

  it.each([
    ['another browser', () => new Browser()],
    ['the same browser', (browser: Browser) => browser],
  ])(
    '[J4][D11] with the ID token of an expired session ends its grants, although its browser has signed in again: %s',
    async (_, choose) => {
      const app = new RelyingApp()
      const { browser, handle } = await signInNewUser()
      const ended = await app.tokens(browser, OFFLINE_ACCESS)
      advanceClock(8 * DAY)
      await browser.signIn(handle)
      const kept = await app.tokens(browser, OFFLINE_ACCESS)

      await choose(browser).get(logoutUrl({ id_token_hint: ended.id_token ?? '' }))

      expect(kept.claims()?.['sid']).not.toBe(ended.claims()?.['sid'])
      await expect(app.refresh(ended.refresh_token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
      })
      expect((await app.refresh(kept.refresh_token ?? '')).access_token).toBeTruthy()
      expect(await browser.sid()).toBe(kept.claims()?.['sid'])
    },
  )

  it('[J1] without a hint or a client says that the hint is missing', async () => {
    const { browser } = await signedInToApp()

    for (const parameters of [{}, { id_token_hint: '' }, { client_id: '' }]) {
      const url = logoutUrl({ ...parameters, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI })
      const response = await browser.get(url)

      expect([response.status, response.headers.get('Location')]).toEqual([400, null])
      const page = await response.text()
      expect(page).toContain('<p>The parameter id_token_hint is missing, so')
      expect(page).toContain('<dd>id_token_hint_missing</dd>')
      expect(page).toContain('href="/api/auth/signout"')
    }
    expect(await browser.session()).not.toBeNull()
  })

  it('[J1] without a hint reports the address that cannot be verified, not the hint', async () => {
    const { browser } = await signedInToApp()
    const post_logout_redirect_uri = POST_LOGOUT_REDIRECT_URI

    for (const parameters of [{ client_id: 'unknown' }, { client_id: 'kiosk' }]) {
      const url = logoutUrl({ ...parameters, post_logout_redirect_uri })
      const response = await browser.get(url, { Accept: 'application/json' })

      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        error: 'post_logout_redirect_uri_refused',
        parameter: 'post_logout_redirect_uri',
      })
    }
  })

  it.each([
    ['an added slash', `${POST_LOGOUT_REDIRECT_URI}/`],
    ['a different case', 'https://WEB.example/bye'],
    ['a redirect_uri', 'https://web.example/callback'],
    ['another query', `${POST_LOGOUT_REDIRECT_URI}?foo=bar`],
  ])('[J1] does not redirect to an unregistered address: %s', async (_, address) => {
    const { browser, idToken } = await signedInToApp()

    const response = await browser.get(
      logoutUrl({ id_token_hint: idToken, post_logout_redirect_uri: address }),
    )

    expect(response.status).toBe(400)
    expect(response.headers.get('Location')).toBeNull()
    expect(await response.text()).toContain('post_logout_redirect_uri_refused')
    expect(await browser.session()).not.toBeNull()
  })

  it('[J1] with a hint signs out, and returns to the registered address with the state alone', async () => {
    const { browser, idToken } = await signedInToApp()
    const state = 's'.repeat(128)
    const parameters = {
      id_token_hint: idToken,
      post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
    }

    const response = await browser.get(logoutUrl({ ...parameters, state }))

    expect(response.status).toBe(303)
    expect(response.headers.get('Location')).toBe(`${POST_LOGOUT_REDIRECT_URI}?state=${state}`)
    expect(await browser.session()).toBeNull()
    const silent = await new RelyingApp().callbackFor(browser, { prompt: 'none' })
    expect(silent.searchParams.get('error')).toBe('login_required')
  })

  it.each([
    ['nothing', () => ({})],
    ['a state alone', () => ({ state: 'x' })],
    ['a hint alone', (idToken: string) => ({ id_token_hint: idToken, state: 'x' })],
  ])('[J2] with %s shows the signed-out page, without a hint after a question', async (_, read) => {
    const { browser, idToken } = await signedInToApp()
    const parameters: Record<string, string> = read(idToken)

    let response = await browser.get(logoutUrl(parameters))
    if (!parameters['id_token_hint']) {
      const html = await response.text()
      expect(html).toContain('id="confirm-logout"')
      expect(await browser.session()).not.toBeNull()
      const form = Object.fromEntries(hiddenFields(html))
      response = await browser.post('/oidc/logout/confirm', form)
    }

    expect([response.status, response.headers.get('Location')]).toEqual([200, null])
    expect(await response.text()).toContain('You are signed out')
    expect(await browser.session()).toBeNull()
  })

  it.each<[string, (idToken: string) => Promise<string>]>([
    [
      'of another issuer',
      () =>
        new SignJWT({ iss: 'https://evil.example' })
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode('x'.repeat(32))),
    ],
    ['that is malformed', async () => 'x.y.z'],
    ['without a signature', async (idToken) => unsignedJwt(decodeJwt(idToken), { alg: 'none' })],
    [
      'without a signature, with the id of our key',
      async (idToken) =>
        unsignedJwt(decodeJwt(idToken), { ...decodeProtectedHeader(idToken), alg: 'none' }),
    ],
    [
      'signed with another key, with the id of ours',
      async (idToken) => {
        const { privateKey } = await generateKeyPair('RS256')
        const header = { ...decodeProtectedHeader(idToken), alg: 'RS256' }
        return new SignJWT(decodeJwt(idToken)).setProtectedHeader(header).sign(privateKey)
      },
    ],
    [
      'signed with the secret of the client',
      async (idToken) => {
        const header = { ...decodeProtectedHeader(idToken), alg: 'HS256' }
        const secret = new TextEncoder().encode(SECRETS['web']?.padEnd(32))
        return new SignJWT(decodeJwt(idToken)).setProtectedHeader(header).sign(secret)
      },
    ],
  ])('[J3] rejects a hint %s', async (_, createHint) => {
    const { browser, idToken } = await signedInToApp()
    const parameters = {
      id_token_hint: await createHint(idToken),
      post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
    }

    const response = await browser.get(logoutUrl(parameters))

    expect(response.status).toBe(400)
    expect(response.headers.get('Location')).toBeNull()
    expect(await response.text()).toContain('id_token_hint_refused')
    expect(await browser.session()).not.toBeNull()
  })

  it('[J4] accepts an expired ID token', async () => {
    const { browser, idToken } = await signedInToApp()
    const parameters = {
      id_token_hint: idToken,
      post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
    }
    advanceClock(2 * 3600)

    const response = await browser.get(logoutUrl(parameters))

    expect(response.headers.get('Location')).toBe(POST_LOGOUT_REDIRECT_URI)
  })

  it('[J5] asks for confirmation when the hint belongs to another session', async () => {
    const { idToken } = await signedInToApp()
    const { browser } = await signedInToApp()
    const parameters = {
      id_token_hint: idToken,
      post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
    }

    const response = await browser.get(logoutUrl(parameters))

    expect(await response.text()).toContain('id="confirm-logout"')
    expect(await browser.session()).not.toBeNull()
  })

  it('[J1] rejects a client_id that contradicts the hint, and a repeated parameter', async () => {
    const { browser, idToken } = await signedInToApp()

    const otherClient = await browser.get(logoutUrl({ id_token_hint: idToken, client_id: 'post' }))
    const repeated = await browser.get(`${logoutUrl({ id_token_hint: idToken })}&state=a&state=b`)

    expect([otherClient.status, repeated.status]).toEqual([400, 400])
    expect(await browser.session()).not.toBeNull()
  })
})

describe('POST /oidc/logout', () => {
  it('[J1] redirects to the GET, so that the browser sends its cookies', async () => {
    const { browser, idToken } = await signedInToApp()

    const posted = await browser.fetch('/oidc/logout', {
      form: { id_token_hint: idToken, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI },
      headers: { Origin: 'https://web.example', 'Sec-Fetch-Site': 'cross-site' },
    })
    const response = await browser.get(redirectUrl(posted, 303).href)

    expect(response.headers.get('Location')).toBe(POST_LOGOUT_REDIRECT_URI)
  })
})

describe.each(['/oidc/logout', '/oidc/logout/confirm'])('POST %s', (path) => {
  it.each<{ problem: string; form: [string, string][]; contentType: string }>([
    {
      problem: 'a body that is not a form',
      form: [],
      contentType: 'application/json',
    },
    {
      problem: 'a repeated parameter',
      form: [
        ['state', 'a'],
        ['state', 'b'],
      ],
      contentType: 'application/x-www-form-urlencoded',
    },
  ])('[J1] responds to $problem with the error page', async ({ form, contentType }) => {
    const { browser } = await signedInToApp()

    const response = await browser.fetch(path, {
      form,
      headers: { 'Content-Type': contentType, 'Sec-Fetch-Site': 'same-origin' },
    })

    expect(response.status).toBe(400)
    expect(response.headers.get('Content-Type')).toContain('text/html')
    expect(await response.text()).toContain('request_invalid')
    expect(await browser.session()).not.toBeNull()
  })
})

describe('POST /oidc/logout/confirm', () => {
  it('[J2] is rejected from another origin', async () => {
    const { browser } = await signedInToApp()

    const response = await browser.fetch('/oidc/logout/confirm', {
      form: {},
      headers: { Origin: 'https://evil.example' },
    })

    expect(response.status).toBe(403)
    expect(await browser.session()).not.toBeNull()
  })
})

describe('POST /oidc/logout/confirm', () => {
  it.each(['https://evil.example/', `${POST_LOGOUT_REDIRECT_URI}/`])(
    '[J1][N1] validates the request again, and does not return to %s',
    async (address) => {
      const { browser } = await signedInToApp('web')
      const form = { client_id: 'web', post_logout_redirect_uri: address }

      const response = await browser.post('/oidc/logout/confirm', form)

      expect(response.status).toBe(400)
      expect(await response.text()).toContain('post_logout_redirect_uri_refused')
      expect(await browser.session()).not.toBeNull()
    },
  )

  it('returns to the app from a browser that sends neither Origin nor Sec-Fetch-Site', async () => {
    const { browser } = await signedInToApp('web')
    const request = {
      client_id: 'web',
      post_logout_redirect_uri: 'https://web.example/bye',
      state: 'x y',
    }
    const html = await (await browser.get(logoutUrl(request))).text()

    const response = await browser.fetch('/oidc/logout/confirm', {
      form: Object.fromEntries(hiddenFields(html)),
    })

    expect(await continueUrl(response)).toBe('https://web.example/bye?state=x+y')
  })
})
