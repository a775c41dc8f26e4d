import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { linkAccount } from '../../../src/core/users/directory.ts'
import { Browser, serviceWith } from '../../browser.ts'
import { readConfig } from '../../deployment.ts'
import { findLink } from '../../html.ts'
import { createPlatformUser } from '../../new-user.ts'
import { redeemCode } from '../../redeem-code.ts'
import { redirectUrl } from '../../redirect.ts'
import { clientsWith } from '../../registered-clients.ts'
import { RelyingApp } from '../oidc/relying-app.ts'

/** The clients may read platform data, and `web` requires one more upstream scope. */
const CLIENTS = clientsWith({
  shop: { scope: 'openid profile platform' },
  web: { scope: 'openid profile platform', upstream_scope: ['user.info.stats'] },
})

const service = serviceWith({ CLIENTS })

const WITH_GOOGLE = { AUTH_GOOGLE_ID: 'id', AUTH_GOOGLE_SECRET: 'secret' }

async function linkGoogle(userId: string): Promise<void> {
  const accountId = crypto.randomUUID()
  await linkAccount(env, readConfig(env), {
    userId,
    account: {
      provider: 'google',
      issuer: 'https://accounts.google.com',
      accountId,
      clientId: 'id',
      scope: undefined,
      user: { id: accountId },
    },
    marks: { unconfirmedSid: undefined, confirmed: [] },
    origin: {},
  })
}

async function createUser(): Promise<{ browser: Browser; handle: string }> {
  const handle = await createPlatformUser({ bio: 'Bakes.', verified: true, followers: 12 })
  return { browser: new Browser(service), handle }
}

/** Follows an authorization request of an app to the authorization request at the platform. */
async function followToPlatform(browser: Browser, url: string): Promise<URL> {
  const { pathname, search } = redirectUrl(await browser.get(url))
  const path = pathname.endsWith('/signin') ? `${pathname}/tiktok` : pathname
  return redirectUrl(await browser.get(`${path}${search}`))
}

async function fetchUserinfo(app: RelyingApp, browser: Browser, scope: string) {
  const callback = await browser.get(await app.authorizationUrl({ scope }))
  const response = await redeemCode(browser, app, redirectUrl(callback))
  const { access_token } = await response.json<{ access_token: string }>()
  const userinfo = await browser.get('/oidc/userinfo', { Authorization: `Bearer ${access_token}` })
  return userinfo.json<Record<string, unknown>>()
}

describe('the claim platform', () => {
  it('contains the profile fields of the platform and the time they were read', async () => {
    const { browser, handle } = await createUser()
    await browser.signIn(handle)
    const app = new RelyingApp('shop')

    const claims = await fetchUserinfo(app, browser, 'openid platform')

    const platform = claims['platform'] as Record<string, unknown>
    expect(platform).toMatchObject({ provider: 'tiktok', username: handle, is_verified: true })
    expect(Math.abs(Number(platform['read_at']) - Date.now() / 1000)).toBeLessThan(60)
    expect(JSON.stringify(claims)).not.toContain('open_id')
    expect(JSON.stringify(claims)).not.toContain('null')
    expect(platform).not.toHaveProperty('follower_count')
  })

  it('is absent without the scope platform, and in the session', async () => {
    const { browser, handle } = await createUser()
    await browser.signIn(handle)

    const claims = await fetchUserinfo(new RelyingApp('shop'), browser, 'openid profile')

    expect(claims).not.toHaveProperty('platform')
    expect(JSON.stringify(await browser.session())).not.toContain('is_verified')
  })

  it('contains the fields of the granted scopes only', async () => {
    const { browser, handle } = await createUser()
    await browser.signIn(handle, { grant: 'user.info.basic' })

    const { platform } = await fetchUserinfo(new RelyingApp('shop'), browser, 'openid platform')

    expect(Object.keys(platform as object).toSorted()).toEqual(['provider', 'read_at'])
  })
})

describe('a client with a required upstream scope', () => {
  it('sends a user who has not granted it to the platform, which requests consent', async () => {
    const { browser, handle } = await createUser()
    await browser.signIn(handle)
    const { sid } = decodeJwt((await browser.session())?.token ?? '')
    const app = new RelyingApp('web')
    const url = await app.authorizationUrl()

    const authorization = await followToPlatform(browser, url)

    expect(authorization.searchParams.get('scope')).toBe(
      'user.info.basic,user.info.profile,user.info.stats',
    )
    expect(authorization.searchParams.get('disable_auto_auth')).toBe('1')
    const resumed = redirectUrl(await browser.get(await browser.approve(authorization, handle)))
    const callback = redirectUrl(await browser.get(resumed.href))
    expect(callback.origin).toBe('https://web.example')
    expect(callback.searchParams.get('code')).toMatch(/^ac_/)
    expect(decodeJwt((await browser.session())?.token ?? '')).toMatchObject({ sid })
  })

  it('shows the app, the user and what the platform must share, before the user goes there', async () => {
    const { browser, handle } = await createUser()
    await browser.signIn(handle)
    const url = redirectUrl(await browser.get(await new RelyingApp('web').authorizationUrl()))

    const page = await (await browser.get(url.href)).text()

    expect(page).toContain('The web app is asking for more access')
    expect(page).toContain(
      'Sign in again with TikTok, and allow the following on the page that opens:',
    )
    expect(page).toContain('You are signed in as')
    expect(page).toContain('<li>See how many followers, likes and videos you have</li>')
    expect(page).toContain('You will return to web.example.')
  })

  it('offers only the providers that the user has accounts of', async () => {
    const handle = await createPlatformUser()
    const clients = clientsWith({
      web: { upstream_scope: ['a scope that no provider is known to have'] },
    })
    const browser = new Browser(serviceWith({ ...WITH_GOOGLE, CLIENTS: clients }))
    await browser.signIn(handle)
    const url = redirectUrl(await browser.get(await new RelyingApp('web').authorizationUrl()))

    const page = await (await browser.get(url.href)).text()

    expect(page).toContain('Sign in with TikTok')
    expect(page).not.toContain('Google')
    const userId = (await browser.session())?.user?.id ?? ''
    await linkGoogle(userId)
    const both = await (await browser.get(url.href)).text()
    expect(both).toContain('Sign in with TikTok')
    expect(both).toContain('Sign in with Google')
    expect(both).toContain('Sign in again, and allow the following on the page that opens:')
  })

  it('offers only providers that have the scope', async () => {
    const handle = await createPlatformUser()
    const browser = new Browser(serviceWith({ ...WITH_GOOGLE, CLIENTS }))
    await browser.signIn(handle)
    await linkGoogle((await browser.session())?.user?.id ?? '')
    const url = redirectUrl(await browser.get(await new RelyingApp('web').authorizationUrl()))

    const page = await (await browser.get(url.href)).text()

    expect(page).toContain('Sign in again with TikTok, and allow')
    expect(page).toContain('>Sign in with TikTok<')
    expect(page).not.toContain('Google')
  })

  it('offers every provider that requests the scope at each sign-in', async () => {
    const handle = await createPlatformUser()
    const AUTH_GOOGLE_SCOPE = 'openid user.info.stats'
    const browser = new Browser(serviceWith({ ...WITH_GOOGLE, AUTH_GOOGLE_SCOPE, CLIENTS }))
    await browser.signIn(handle)
    await linkGoogle((await browser.session())?.user?.id ?? '')
    const url = redirectUrl(await browser.get(await new RelyingApp('web').authorizationUrl()))

    const page = await (await browser.get(url.href)).text()

    expect(page).toContain('Sign in with TikTok')
    expect(page).toContain('Sign in with Google')
  })

  it('offers only providers that have the scope to users who are not signed in', async () => {
    const browser = new Browser(serviceWith({ ...WITH_GOOGLE, CLIENTS }))
    const ofWeb = redirectUrl(await browser.get(await new RelyingApp('web').authorizationUrl()))
    const ofShop = redirectUrl(await browser.get(await new RelyingApp('shop').authorizationUrl()))

    const page = await (await browser.get(ofWeb.href)).text()

    expect(page).toContain('Sign in with TikTok')
    expect(page).not.toContain('Sign in with Google')
    expect(await (await browser.get(ofShop.href)).text()).toContain('Sign in with Google')
  })

  it('receives access_denied from a user who cancels before going to the platform', async () => {
    const { browser, handle } = await createUser()
    await browser.signIn(handle)
    const url = redirectUrl(await browser.get(await new RelyingApp('web').authorizationUrl()))
    const page = await (await browser.get(url.href)).text()

    const callback = redirectUrl(await browser.get(findLink(page, 'cancel=denied')))

    expect(callback.origin).toBe('https://web.example')
    expect(callback.searchParams.get('error')).toBe('access_denied')
  })

  it('names no host that the app has not registered, when another site links to the page', async () => {
    const { browser, handle } = await createUser()
    await browser.signIn(handle)
    const request = '/oidc/authorize?client_id=web&redirect_uri=https://evil.example/'
    const query = new URLSearchParams({ callbackUrl: request, prompt: 'login' })

    const page = await (await browser.get(`/api/auth/signin?${query}`)).text()

    expect(page).toContain('Confirm it’s you')
    expect(page).not.toContain('return to evil.example')
  })

  it('does not request consent again from a user who has granted it', async () => {
    const { browser, handle } = await createUser()
    const app = new RelyingApp('web')
    const authorization = await followToPlatform(browser, await app.authorizationUrl())
    await browser.get(await browser.approve(authorization, handle))

    const callback = redirectUrl(await browser.get(await app.authorizationUrl()))

    expect(callback.searchParams.get('code')).toMatch(/^ac_/)
  })

  it('gets no code for a user who denies it, who is offered to try again', async () => {
    const { browser, handle } = await createUser()
    await browser.signIn(handle)
    const authorization = await followToPlatform(
      browser,
      await new RelyingApp('web').authorizationUrl(),
    )

    const denied = await browser.get(
      await browser.approve(authorization, handle, 'user.info.basic,user.info.profile'),
    )

    expect(denied.status).toBe(403)
    const page = await denied.text()
    expect(page).toContain('scope_missing')
    const retry = redirectUrl(await browser.get(findLink(page, '/signin/tiktok')))
    expect(retry.searchParams.get('disable_auto_auth')).toBe('1')
    expect(retry.searchParams.get('scope')).toContain('user.info.stats')
    expect(await browser.session()).not.toBeNull()
  })

  it('gets the error interaction_required for prompt=none', async () => {
    const { browser, handle } = await createUser()
    await browser.signIn(handle)

    const callback = redirectUrl(
      await browser.get(await new RelyingApp('web').authorizationUrl({ prompt: 'none' })),
    )

    expect(callback.searchParams.get('error')).toBe('interaction_required')
  })

  it('does not affect other clients', async () => {
    const { browser, handle } = await createUser()
    await browser.signIn(handle)

    const callback = redirectUrl(
      await browser.get(await new RelyingApp('shop').authorizationUrl({ scope: 'openid' })),
    )

    expect(callback.searchParams.get('code')).toMatch(/^ac_/)
  })
})
