import { runInDurableObject } from 'cloudflare:test'
import { exports } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser, LOGIN, serviceWith } from '../../browser.ts'
import { advanceClock, DAY, stopClock } from '../../clock.ts'
import { continueUrl } from '../../continue-url.ts'
import { addressAfterSignIn, interactionOf, redirectUrl } from '../../redirect.ts'
import { clientsWith } from '../../registered-clients.ts'
import { userObject } from '../../storage.ts'
import { expectListed, lists, readFeed } from './read-revocation-feed.ts'
import {
  basic,
  formRequest,
  getUserinfo,
  logoutUrl,
  OFFLINE_ACCESS,
  RelyingApp,
  signedIn,
  signedInAsNewUser,
} from './relying-app.ts'
import { resumedRequest, shownConsent } from './user-steps.ts'

/**
 * Signs in through a provider that returns an email address, verified unless `fault` changes it.
 */
async function signedInWithEmail(fault?: string): Promise<Browser> {
  const service = serviceWith({
    AUTH_OIDC_ID: 'our-client',
    AUTH_OIDC_SECRET: 'our-secret-Kq7vR2',
    AUTH_OIDC_ISSUER: 'https://hostile.example/plain',
  })
  const browser = new Browser(service)
  const { searchParams } = redirectUrl(await browser.get('/api/auth/signin/oidc'))
  const code = JSON.stringify({ nonce: searchParams.get('nonce'), fault })
  const state = searchParams.get('state') ?? ''
  await browser.get(`/api/auth/callback/oidc?${new URLSearchParams({ code, state })}`)
  return browser
}

/** The `error` that the app receives for this authorization request. */
async function authorizationError(browser: Browser, url: string): Promise<string | null> {
  return redirectUrl(await browser.get(url)).searchParams.get('error')
}

afterEach(() => {
  vi.useRealTimers()
})

describe('a client that requests more than it was granted', () => {
  it.each(['', 'nonsense'])(
    '[A27][A28] receives no code without consent, even for scope "%s"',
    async (scope) => {
      const url = await new RelyingApp('kiosk').authorizationUrl({ scope, prompt: 'none' })

      expect(await authorizationError(await signedInAsNewUser(), url)).toBe('consent_required')
    },
  )

  it('[A28][A31] needs consent for individually requested claims', async () => {
    const browser = await signedInAsNewUser()
    const claims = JSON.stringify({ userinfo: { name: null } })
    const url = await new RelyingApp('kiosk').authorizationUrl({ scope: 'openid', claims })

    const page = await (await browser.get(url)).text()

    expect(page).toContain('See your name, username, picture and profile link')
  })

  it('[A31][H3] receives no claim of a scope that it may not request', async () => {
    const browser = await signedInWithEmail()
    const claims = JSON.stringify({ userinfo: { email: null }, id_token: { email: null } })
    const request = { scope: 'openid', claims }

    const allowed = await new RelyingApp('web').tokens(browser, request)
    const limited = await new RelyingApp('post').tokens(browser, request)

    expect(allowed.claims()).toHaveProperty('email', 'pat@mail.example')
    expect(limited.claims()).not.toHaveProperty('email')
  })

  it('[C23][A25] cannot use a scope or resource removed from its registration, and keeps its grant', async () => {
    const { refresh_token = '' } = await new RelyingApp().tokens(await signedIn(), {
      ...OFFLINE_ACCESS,
      resource: 'https://stock.example',
    })
    const reduced = { scope: 'openid offline_access', resources: [] }
    const service = serviceWith({ CLIENTS: clientsWith({ web: reduced }) })
    const refresh = async (parameters: Record<string, string>) => {
      const form = { grant_type: 'refresh_token', refresh_token, ...parameters }
      return (await service(formRequest('/oidc/token', form, basic('web')))).json()
    }

    expect(await refresh({ resource: 'https://stock.example' })).toMatchObject({
      error: 'invalid_target',
    })
    expect(await refresh({ scope: 'openid profile' })).toMatchObject({ error: 'invalid_scope' })
    expect(await refresh({})).toMatchObject({ scope: 'openid offline_access' })
  })
})

describe('the limit of twenty grants per client and session', () => {
  it('[D] keeps a refresh token when more codes than that are never redeemed', async () => {
    const [app, browser] = [new RelyingApp(), await signedInAsNewUser()]
    const { refresh_token = '' } = await app.tokens(browser, OFFLINE_ACCESS)
    for (let request = 0; request < 25; request++)
      await new RelyingApp().callbackFor(browser, { prompt: 'none' })

    expect((await app.refresh(refresh_token)).access_token).toBeTruthy()
  })

  it('[Q10] ends the oldest refresh token when a client signs the user in repeatedly', async () => {
    const [app, browser] = [new RelyingApp(), await signedInAsNewUser()]
    const { refresh_token: oldest = '' } = await app.tokens(browser, OFFLINE_ACCESS)
    const { refresh_token: second = '' } = await app.tokens(browser, OFFLINE_ACCESS)
    for (let grants = 2; grants < 21; grants++) await app.tokens(browser, OFFLINE_ACCESS)

    await expect(app.refresh(oldest)).rejects.toMatchObject({ error: 'invalid_grant' })
    expect((await app.refresh(second)).access_token).toBeTruthy()
  })

  it('[Q10][G1] revokes the access tokens of a grant that it ends, and no others', async () => {
    const [app, browser] = [new RelyingApp(), await signedInAsNewUser()]
    const oldest = await app.tokens(browser, OFFLINE_ACCESS)
    const second = await app.tokens(browser, OFFLINE_ACCESS)
    for (let grants = 2; grants < 21; grants++) await app.tokens(browser, OFFLINE_ACCESS)

    await expectListed(oldest.access_token)
    expect(await lists(await readFeed(), second.access_token)).toBe(false)
  })

  it('[Q10] ends grants without a refresh token before those with one', async () => {
    const [app, browser] = [new RelyingApp(), await signedInAsNewUser()]
    const { refresh_token = '' } = await app.tokens(browser, OFFLINE_ACCESS)
    for (let grants = 0; grants < 25; grants++) {
      const tokens = await app.tokens(browser)
      expect(await app.userinfo(tokens.access_token, tokens.claims()?.sub ?? '')).toBeTruthy()
    }

    expect((await app.refresh(refresh_token)).access_token).toBeTruthy()
  })

  it('[Q10] stores twenty grants and no more', async () => {
    const browser = await signedInAsNewUser()
    const app = new RelyingApp()
    for (let grants = 0; grants < 25; grants++) await app.callbackFor(browser)
    const object = userObject((await browser.session())?.user.id ?? '')

    const count = await runInDurableObject(object, (_, { storage }) =>
      storage.sql.exec<{ n: number }>('SELECT count(*) AS n FROM grants').one(),
    )

    expect(count.n).toBe(20)
  })
})

describe('POST /oidc/token', () => {
  it('[Q6] does not spend the code when the keyring is unavailable', async () => {
    const app = new RelyingApp()
    const callback = await app.callbackFor(await signedIn())
    const KEYRING = {
      idFromName: () => 'x',
      get: () => ({ read: () => Promise.reject(new Error('down')) }),
    }
    const request = formRequest('/oidc/token', app.codeExchangeForm(callback), basic('web'))

    const response = await serviceWith({ KEYRING })(request)

    expect(await response.json()).toMatchObject({ error: 'temporarily_unavailable' })
    expect((await app.exchange(callback)).access_token).toBeTruthy()
  })

  it('[D4] ends the family when a spent refresh token is sent with an invalid scope', async () => {
    const app = new RelyingApp()
    const { refresh_token: first = '' } = await app.tokens(
      await signedInAsNewUser(),
      OFFLINE_ACCESS,
    )
    const { refresh_token: second = '' } = await app.refresh(first)
    advanceClock(3600)

    await expect(app.refresh(first, { scope: 'x' })).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    await expect(app.refresh(second)).rejects.toMatchObject({ error: 'invalid_grant' })
  })
})

describe('a sign-in for which the platform was not told to prompt the user', () => {
  it('[A17] does not satisfy prompt=login', async () => {
    const browser = await signedInAsNewUser()
    const url = await new RelyingApp().authorizationUrl({ prompt: 'login' })
    const toSignIn = await browser.get(url)

    const again = await browser.get(resumedRequest(toSignIn))

    interactionOf(again)
  })

  it('[S6] does not allow disconnecting an account', async () => {
    const browser = await signedInAsNewUser()

    const response = await browser.post('/account/disconnect', { account: 'x' })

    expect(addressAfterSignIn(response)).toBe('/account/disconnect?account=x')
  })
})

describe('GET /api/auth/signin/:provider?link=true', () => {
  it('[S6] starts nothing without a link value issued by /account/link, even from our own page', async () => {
    const browser = await signedInAsNewUser({ prompt: 'login' })

    const response = await browser.get('/api/auth/signin/tiktok?link=true', {
      'Sec-Fetch-Site': 'same-origin',
    })

    expect(response.headers.get('Location')).toBe('/account/link')
    expect(browser.cookieNames('attempt.')).toEqual([])
  })
})

describe('an email address', () => {
  it('[S2][S3] is stored only when the provider has verified it', async () => {
    const verified = await (await signedInWithEmail()).session()
    const unverified = await (await signedInWithEmail('email-unverified')).session()

    expect(verified?.user.email).toBe('pat@mail.example')
    expect(unverified?.user).not.toBeUndefined()
    expect(unverified?.user.email).toBeUndefined()
  })
})

describe('POST /oidc/consent', () => {
  it.each([
    [599, 200],
    [600, 400],
  ])('[A26] returns for the form of a consent page of %i s: %i', async (seconds, status) => {
    stopClock()
    const browser = await signedInAsNewUser()
    const url = await new RelyingApp('kiosk').authorizationUrl()
    const shown = await shownConsent(await browser.get(url))
    advanceClock(seconds)

    const response = await browser.post('/oidc/consent', { ...shown, answer: 'approve' })

    expect(response.status).toBe(status)
  })

  it.each([
    [59, true],
    [60, false],
  ])(
    '[A26][A28] continues the request of a native app %i s after the approval: %s',
    async (seconds, isGranted) => {
      stopClock()
      const browser = await signedInAsNewUser()
      const page = await browser.get(await new RelyingApp('native').authorizationUrl())
      const shown = await shownConsent(page)
      const approved = await browser.post('/oidc/consent', { ...shown, answer: 'approve' })
      advanceClock(seconds)

      const response = await browser.get(await continueUrl(approved))

      if (isGranted) expect(redirectUrl(response, 303).searchParams.has('code')).toBe(true)
      else await shownConsent(response)
    },
  )
})

describe('GET /oidc/authorize', () => {
  it('[A19] issues no code for a user other than the requested subject', async () => {
    const browser = await signedIn()
    const userId = (await browser.session())?.user.id
    const urlForSubject = (value?: string) =>
      new RelyingApp().authorizationUrl({
        prompt: 'none',
        claims: JSON.stringify({ id_token: { sub: { value } } }),
      })

    expect(await authorizationError(browser, await urlForSubject('usr_other'))).toBe(
      'login_required',
    )
    expect(await authorizationError(browser, await urlForSubject(userId))).toBeNull()
  })

  it('[A2] rejects a loopback port above 65535 on a page', async () => {
    const url = await new RelyingApp('native').authorizationUrl({
      redirect_uri: 'http://127.0.0.1:99999/callback',
    })

    const response = await (await signedIn()).get(url)

    expect(response.status).toBe(400)
  })

  it.each(['garbage', 'a.b.c'])(
    '[A19] returns invalid_request to the client for id_token_hint=%s',
    async (id_token_hint) => {
      const url = await new RelyingApp().authorizationUrl({ id_token_hint, prompt: 'none' })

      expect(await authorizationError(await signedIn(), url)).toBe('invalid_request')
    },
  )

  it('[E3] rejects a signed userinfo response as id_token_hint', async () => {
    const browser = await signedIn()
    const { access_token } = await new RelyingApp('post').tokens(browser)
    const userinfo = await getUserinfo(access_token)
    const url = await new RelyingApp('post').authorizationUrl({
      id_token_hint: await userinfo.text(),
    })

    expect(userinfo.headers.get('Content-Type')).toBe('application/jwt')
    expect(await authorizationError(browser, url)).toBe('invalid_request')
  })
})

describe('POST /oidc/authorize', () => {
  it('[A8] reports a repeated parameter to the client by redirect, not to the user as JSON', async () => {
    const { searchParams } = new URL(await new RelyingApp().authorizationUrl())
    const browser = await signedIn()

    const posted = await exports.default.fetch(
      new Request(`${LOGIN}/oidc/authorize`, {
        method: 'POST',
        body: `${searchParams}&nonce=again`,
        redirect: 'manual',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      }),
    )

    const target = redirectUrl(posted, 303)
    expect(await authorizationError(browser, target.href)).toBe('invalid_request')
  })
})

describe('GET /oidc/logout', () => {
  it('[D11][J7] ends the grants of the user even after the session has expired', async () => {
    const browser = await signedInAsNewUser()
    const app = new RelyingApp()
    const { refresh_token = '', id_token = '' } = await app.tokens(browser, OFFLINE_ACCESS)
    advanceClock(8 * DAY)

    await browser.get(logoutUrl({ id_token_hint: id_token }))

    await expect(app.refresh(refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it.each([{ method: 'HEAD' }, { headers: { 'Sec-Purpose': 'prefetch' } }])(
    '[K15] does not sign out on a prefetch or preview: %o',
    async (request) => {
      const browser = await signedIn()
      const { id_token = '' } = await new RelyingApp().tokens(browser)

      await browser.fetch(logoutUrl({ id_token_hint: id_token }), request)

      expect(await browser.session()).not.toBeNull()
    },
  )
})

describe('a request from the page of a registered app', () => {
  it.each(['/account/disconnect', '/oidc/consent', '/oidc/logout/confirm'])(
    '[A29][M6] cannot post a form of our own pages: %s',
    async (path) => {
      const browser = await signedIn()

      const response = await browser.fetch(path, {
        form: { account: 'x', interaction: 'x', shown: 'x', answer: 'approve' },
        headers: { Origin: 'https://shop.example', 'Sec-Fetch-Site': 'same-site' },
      })

      expect(response.status).toBe(403)
      expect(await browser.session()).not.toBeNull()
    },
  )

  it('[M4] cannot read the session unless the app is first-party', async () => {
    const browser = await signedIn()

    const response = await browser.get('/api/auth/session', { Origin: 'https://kiosk.example' })

    expect(response.status).toBe(403)
  })
})
