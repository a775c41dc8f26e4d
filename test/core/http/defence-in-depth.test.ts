import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { Hono } from 'hono'
import { importJWK, type JWK, SignJWT } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import type { AppEnv } from '../../../src/core/http/app-env.ts'
import { respondWithPage } from '../../../src/core/pages/page-response.tsx'
import { Browser, SHOP, serviceWith, standIn, TOKEN_PATH } from '../../browser.ts'
import { advanceClock, MINUTE } from '../../clock.ts'
import { readConfig } from '../../deployment.ts'
import { errorCode } from '../../html.ts'
import { linkAddress, OWN_PAGE } from '../../link-account.ts'
import { createPlatformUser, signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { clientsWith, clientsWithout, registeredClients } from '../../registered-clients.ts'
import { sha256Hex } from '../../sha256-hex.ts'
import { userObject } from '../../storage.ts'
import { createWebhookNow, deliver, signWebhook } from '../../webhook-delivery.ts'
import { logoutDeliveries } from '../oidc/logout-token-receiver.ts'
import {
  basic,
  bearer,
  formRequest,
  logoutUrl,
  OFFLINE_ACCESS,
  RelyingApp,
  signedInAsNewUser,
} from '../oidc/relying-app.ts'
import { approveConsent, shownConsent } from '../oidc/user-steps.ts'

/*
 * Checks behind other checks: what they reject cannot normally reach them, so other tests do not
 * notice when they are missing.
 */

describe('a token that our own key signed', () => {
  /** A private key of the keyring, opened with the deployment's secret. */
  async function ownKey(alg: 'ES256' | 'RS256') {
    const keys = await env.KEYRING.get(env.KEYRING.idFromName('keyring')).read()
    const key = keys.find((one) => one.alg === alg && one.state === 'active')
    const { seal } = readConfig(env)
    const jwk = await seal.open('keyring', key?.kid ?? '', key?.sealedPrivateJwk ?? '')
    return { kid: key?.kid ?? '', jwk: JSON.parse(jwk ?? '{}') as JWK }
  }

  async function sign(alg: string, header: object, changes: object = {}): Promise<string> {
    const { browser, userId } = await signInNewUser()
    const tokens = await new RelyingApp().tokens(browser)
    const claims = JSON.parse(atob(tokens.access_token.split('.')[1]?.replace(/-/g, '+') ?? ''))
    const { kid, jwk } = await ownKey(alg.startsWith('ES') ? 'ES256' : 'RS256')
    expect(claims.sub).toBe(userId)
    return new SignJWT({ ...claims, ...changes })
      .setProtectedHeader({ alg, typ: 'at+jwt', kid, ...header })
      .sign(await importJWK(jwk, alg))
  }

  async function userinfoStatus(token: string): Promise<number> {
    return (await new Browser().get('/oidc/userinfo', bearer(token))).status
  }

  it('[E1] is accepted with the algorithm of the key', async () => {
    expect(await userinfoStatus(await sign('ES256', {}))).toBe(200)
  })

  it.each(['RS384', 'RS512', 'PS256', 'PS512'])(
    '[E1] is rejected with %s, although the key could verify it',
    async (alg) => {
      expect(await userinfoStatus(await sign(alg, {}))).toBe(401)
    },
  )

  it('[E3] is rejected as an access token if its type is another one', async () => {
    expect(await userinfoStatus(await sign('ES256', { typ: 'logout+jwt' }))).toBe(401)
    expect(await userinfoStatus(await sign('ES256', { typ: 'JWT' }))).toBe(401)
  })

  it('[E5] is rejected without an expiry, or from another issuer', async () => {
    expect(await userinfoStatus(await sign('ES256', {}, { exp: undefined }))).toBe(401)
    expect(await userinfoStatus(await sign('ES256', {}, { iss: 'https://other.example' }))).toBe(
      401,
    )
  })
})

describe('a client that is no longer registered', () => {
  it('[C23] has its tokens rejected by userinfo and introspection', async () => {
    const { access_token } = await new RelyingApp('web').tokens(await signedInAsNewUser())
    const api = {
      client_id: 'api',
      redirect_uris: ['https://api.example/'],
      client_secrets_sha256: [await sha256Hex('api-secret')],
      introspects: ['https://orders.example'],
    }
    const introspect = async (clients: object[]) => {
      const headers = { Authorization: `Basic ${btoa('api:api-secret')}` }
      const request = formRequest('/oidc/introspect', { token: access_token }, headers)
      return (await serviceWith({ CLIENTS: clients })(request)).json()
    }
    const others = clientsWithout('web')

    expect(await introspect([api, ...registeredClients])).toMatchObject({ active: true })
    expect(await introspect([api, ...others])).toEqual({ active: false })
    const withoutClient = new Browser(serviceWith({ CLIENTS: others }))
    expect((await withoutClient.get('/oidc/userinfo', bearer(access_token))).status).toBe(401)
  })
})

describe('a client that was removed', () => {
  const WEB = new RelyingApp('web')
  const withoutWeb = serviceWith({ CLIENTS: clientsWithout('web') })
  const post = (path: string, form: Record<string, string>) =>
    withoutWeb(formRequest(path, form, basic('web')))

  interface Tokens {
    access_token: string
    refresh_token: string
    id_token: string
    /** The callback with an unredeemed code. */
    code: URL
  }

  const hint = { post_logout_redirect_uri: 'https://web.example/bye' }

  it.each<[string, number, (tokens: Tokens, browser: Browser) => Promise<Response>]>([
    ['/oidc/authorize', 400, async (_, browser) => browser.get(await WEB.authorizationUrl())],
    [
      '/oidc/token, with a refresh token',
      401,
      ({ refresh_token }) => post('/oidc/token', { grant_type: 'refresh_token', refresh_token }),
    ],
    [
      '/oidc/token, with a code',
      401,
      async ({ code }) => post('/oidc/token', WEB.codeExchangeForm(code)),
    ],
    ['/oidc/revoke', 401, ({ refresh_token }) => post('/oidc/revoke', { token: refresh_token })],
    [
      '/oidc/introspect',
      401,
      ({ access_token }) => post('/oidc/introspect', { token: access_token }),
    ],
    [
      '/oidc/userinfo',
      401,
      ({ access_token }, browser) => browser.get('/oidc/userinfo', bearer(access_token)),
    ],
    [
      '/oidc/logout',
      400,
      ({ id_token }, browser) => browser.get(logoutUrl({ ...hint, id_token_hint: id_token })),
    ],
    ['/api/auth/session', 400, (_, browser) => browser.get('/api/auth/session?client_id=web')],
    [
      '/api/auth/session from its page',
      403,
      (_, browser) => browser.get('/api/auth/session', { Origin: 'https://web.example' }),
    ],
    [
      '/api/auth/signout from its page',
      403,
      (_, browser) =>
        browser.fetch('/api/auth/signout', {
          form: {},
          headers: { Origin: 'https://web.example' },
        }),
    ],
    [
      '/api/auth/signin',
      400,
      (_, browser) =>
        browser.get(`/api/auth/signin?callbackUrl=${encodeURIComponent('https://web.example/')}`),
    ],
  ])('[C23] is rejected by every endpoint, and loses nothing: %s', async (_, status, send) => {
    const browser = await signedInAsNewUser()
    const code = await WEB.callbackFor(browser)
    const tokens = { ...(await WEB.tokens(browser, OFFLINE_ACCESS)), code } as unknown as Tokens
    const copy = new Browser(withoutWeb).withCookiesOf(browser)

    const response = await send(tokens, copy)

    expect(response.status).toBe(status)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull()
    expect(await browser.session()).not.toBeNull()
    expect((await WEB.refresh(tokens.refresh_token)).access_token).toBeTruthy()
  })
})

describe('the page that a user returns to', () => {
  it('[N1] is checked again after the sign-in, because its app may have been removed', async () => {
    const browser = new Browser()
    const callback = await browser.approve(await browser.start({ callbackUrl: SHOP }), 'mia')
    const without = new Browser(serviceWith({ CLIENTS: clientsWithout('shop') })).withCookiesOf(
      browser,
    )

    const response = await without.get(callback)

    expect(await errorCode(response)).toBe('return_url_refused')
    expect(await without.session()).toBeNull()
  })

  it('[N1] is checked again each time the interaction continues', async () => {
    const browser = await signedInAsNewUser()
    await browser.get(`/api/auth/signin?callbackUrl=${encodeURIComponent(`${SHOP}/x`)}`)
    const id = browser.cookieNames('interaction.').at(-1)?.split('.').at(-1)
    const without = new Browser(serviceWith({ CLIENTS: clientsWithout('shop') })).withCookiesOf(
      browser,
    )

    for (const path of [`/api/auth/signin?interaction=${id}`, `/oidc/authorize/${id}`]) {
      expect(await errorCode(await without.get(path))).toBe('return_url_refused')
      expect((await browser.get(path)).status).toBeLessThan(400)
    }
  })
})

describe('a page', () => {
  it.each(['/api/auth/signin', '/api/auth/signout', '/api/auth/error', '/no-such-page'])(
    '[M9] is not shared by users or languages, even by a cache that ignores no-store: %s',
    async (path) => {
      const vary = (await new Browser().get(path)).headers.get('Vary') ?? ''

      expect(vary).toContain('Cookie')
      expect(vary).toContain('Accept-Language')
    },
  )
})

describe('a post from another origin', () => {
  it.each([
    { Origin: 'https://evil.example' },
    { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
    { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ])('[M6] is rejected even with the CSRF token: %o', async (headers) => {
    const { browser } = await signInNewUser()
    const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')

    for (const path of ['/api/auth/signout', '/account/delete', '/account/sessions']) {
      const response = await browser.fetch(path, { form: { csrfToken, sid: 'others' }, headers })
      expect(response.status).toBe(403)
    }
    expect(await browser.session()).not.toBeNull()
  })
})

describe('signing in as another user in the same browser', () => {
  it("ends the former user's session and grants", async () => {
    const first = await signInNewUser()
    const copy = new Browser().withCookiesOf(first.browser)
    const app = new RelyingApp()
    const { refresh_token = '' } = await app.tokens(first.browser, {
      scope: 'openid offline_access',
    })

    await first.browser.signIn(await createPlatformUser(), { prompt: 'select_account' })

    expect((await first.browser.session())?.user.id).not.toBe(first.userId)
    // Not `session()`, which reads the user's object and deletes a copy that is out of date.
    await vi.waitFor(async () =>
      expect(await copy.json('/api/auth/session?token=false')).toBeNull(),
    )
    expect(await copy.session()).toBeNull()
    await expect(app.refresh(refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
  })
})

describe('signing in again in the same browser', () => {
  it('deletes the cached copy of the former session', async () => {
    const { browser, handle } = await signInNewUser()
    const copy = new Browser().withCookiesOf(browser)

    await browser.signIn(handle, { prompt: 'login' })

    await vi.waitFor(async () =>
      expect(await copy.json('/api/auth/session?token=false')).toBeNull(),
    )
    expect(await browser.session()).not.toBeNull()
  })
})

describe('a token response of the platform without an open_id', () => {
  it('[K8] is rejected, although the profile has one', async () => {
    const browser = new Browser()
    const callback = await browser.approve(await browser.start(), await createPlatformUser())
    await standIn.fault({ path: TOKEN_PATH, without: 'open_id' })

    const response = await browser.get(callback)

    expect(await errorCode(response)).toBe('provider_invalid')
    expect(await browser.session()).toBeNull()
  })
})

describe('a cached copy of a session that has ended', () => {
  it('[J12] is deleted as soon as a request reads the session itself', async () => {
    const { browser, userId } = await signInNewUser()
    await runInDurableObject(userObject(userId), (_, { storage }) => {
      for (const [key] of storage.kv.list({ prefix: 'session:' })) storage.kv.delete(key)
    })

    expect(await browser.session()).toBeNull()

    await vi.waitFor(async () =>
      expect(await browser.json('/api/auth/session?token=false')).toBeNull(),
    )
  })
})

describe('a link that links an account', () => {
  it.each([
    [9, 'www.tiktok.com'],
    [11, 'login.example'],
  ])('[S6] that is %i minutes old leads to %s, even after a new sign-in', async (minutes, host) => {
    const { browser, handle } = await signInNewUser()
    const link = await linkAddress(browser, 'tiktok')
    advanceClock(minutes * MINUTE)
    await browser.signIn(handle, { prompt: 'login' })

    const response = await browser.get(link, OWN_PAGE)

    expect(redirectUrl(response, 302).host).toBe(host)
  })
})

describe('the state of a lost attempt', () => {
  it('[K3] is not used at the callback of another provider', async () => {
    const service = serviceWith({
      AUTH_GITLAB_ID: 'git-client',
      AUTH_GITLAB_SECRET: 'git-secret-7Hk2',
      AUTH_GITLAB_ISSUER: 'https://git.example',
    })
    const callback = new URL(
      await new Browser(service).approve(await new Browser(service).start(), 'mia'),
    )
    const other = callback.pathname.replace('tiktok', 'gitlab')

    const response = await new Browser(service).get(`${other}${callback.search}`)

    expect(await errorCode(response)).toBe('attempt_missing')
  })
})

describe('a consent', () => {
  it.each([
    [9, true],
    [11, false],
  ])('[A26] on a page that is %i minutes old is accepted: %s', async (minutes, isAccepted) => {
    const { browser } = await signInNewUser()
    const page = await browser.get(await new RelyingApp('kiosk').authorizationUrl())
    const shown = await shownConsent(page)
    advanceClock(minutes * MINUTE)

    const response = await browser.post('/oidc/consent', { ...shown, answer: 'approve' })

    expect(response.ok).toBe(isAccepted)
    if (!isAccepted) expect(await errorCode(response)).toBe('attempt_missing')
  })

  it('[A28] for one API does not cover another', async () => {
    const resources = ['https://orders.example', 'https://stock.example'] as const
    const service = serviceWith({ CLIENTS: clientsWith({ kiosk: { resources } }) })
    const { browser } = await signInNewUser(new Browser(service))
    const request = async (resource: string) => {
      const url = await new RelyingApp('kiosk').authorizationUrl({ scope: 'openid', resource })
      return browser.get(url)
    }
    await approveConsent(browser, await request(resources[0]))

    const sameAgain = await request(resources[0])
    const another = await request(resources[1])

    expect(redirectUrl(sameAgain).searchParams.has('code')).toBe(true)
    expect(another.status).toBe(200)
    expect(await another.text()).toContain('id="approve"')
  })
})

describe('removing an app on the account page', () => {
  it('notifies this app only, and keeps the grants of the others', async () => {
    const { browser } = await signInNewUser()
    const kept = new RelyingApp('web')
    const tokens = await kept.tokens(browser, { scope: 'openid offline_access' })
    await new RelyingApp('post').tokens(browser)
    const sid = String(tokens.claims()?.['sid'])

    await browser.post('/account/consents', { client_id: 'post' })

    await vi.waitFor(async () =>
      expect(await logoutDeliveries({ sid, path: '/post' })).toHaveLength(1),
    )
    expect(await logoutDeliveries({ sid, path: '/web' })).toEqual([])
    expect((await kept.refresh(tokens.refresh_token ?? '')).access_token).toBeTruthy()
  })
})

describe('a webhook about the same account id at another app', () => {
  it('changes nothing', async () => {
    const { browser, handle } = await signInNewUser()
    const secret = 'the-secret-of-the-other-app-Zt8wQm3n'
    const { body } = await createWebhookNow(handle, { reason: 'disconnected' })
    const event = { ...JSON.parse(body), client_key: 'other-app' }
    const text = JSON.stringify(event)
    const signature = await signWebhook(text, event.create_time, secret)
    const otherApp = serviceWith({ AUTH_TIKTOK_ID: 'other-app', AUTH_TIKTOK_SECRET: secret })

    expect((await deliver({ body: text, signature }, otherApp)).status).toBe(200)

    expect(await browser.session()).not.toBeNull()
  })
})

describe('the times of a session', () => {
  it('are never later than now, whatever the provider sends as auth_time', async () => {
    const now = Math.floor(Date.now() / 1000)
    const { userId } = await signInNewUser()

    const session = await runInDurableObject(userObject(userId), (object) =>
      object.openSession({
        secretDigest: 'digest',
        sid: 'ses_x',
        attempt: 'attempt',
        user: { id: 'usr_x' },
        claimedAt: Number.MAX_SAFE_INTEGER,
        level: 'proved',
        authenticatedAt: now + 10_000,
      }),
    )

    expect(session?.authenticatedAt).toBeLessThan(now + 100)
  })
})

describe('the Content-Security-Policy of a page', () => {
  it('[M1] does not list the origin of an image whose host would end the directive', async () => {
    const images = ['https://a;form-action/x.png', 'https://pictures.example/y.png']
    const service = new Hono<AppEnv>().get('/', (c) =>
      respondWithPage(c, 'A page', { title: 'A page', images }),
    )

    const response = await service.request('https://login.example/')

    const policy = response.headers.get('Content-Security-Policy')
    expect(policy).toContain("; img-src data: https://pictures.example; form-action 'self';")
  })
})
