import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { Browser, serviceWith } from '../../browser.ts'
import { setClock, stopClock } from '../../clock.ts'
import { signInNewUser } from '../../new-user.ts'
import { redeemCode } from '../../redeem-code.ts'
import { clientsWith } from '../../registered-clients.ts'
import { lists, readFeed } from './read-revocation-feed.ts'
import { basic, formRequest, OFFLINE_ACCESS, RelyingApp, signedInAsNewUser } from './relying-app.ts'

const INVALID_GRANT = { error: 'invalid_grant' }

async function newFamily(app: RelyingApp) {
  const { refresh_token = '' } = await app.tokens(await signedInAsNewUser(), OFFLINE_ACCESS)
  return refresh_token
}

async function refresh(app: RelyingApp, token: string): Promise<string> {
  return (await app.refresh(token)).refresh_token ?? ''
}

describe('a client whose registration has lost offline_access', () => {
  const narrow = serviceWith({ CLIENTS: clientsWith({ web: { scope: 'openid profile' } }) })

  it('[D1] gets no refresh token for a code that was granted before', async () => {
    const [app, browser] = [new RelyingApp(), await signedInAsNewUser()]
    const callback = await app.callbackFor(browser, OFFLINE_ACCESS)

    const response = await redeemCode(new Browser(narrow), app, callback)

    const tokens = await response.json<Record<string, unknown>>()
    expect(tokens).toMatchObject({ scope: 'openid profile' })
    expect(tokens).not.toHaveProperty('refresh_token')
  })

  it('[D1][C23] cannot use a refresh token, until it is registered for it again', async () => {
    const app = new RelyingApp()
    const refresh_token = await newFamily(app)
    const form = { grant_type: 'refresh_token', refresh_token }

    const response = await narrow(formRequest('/oidc/token', form, basic('web')))

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject(INVALID_GRANT)
    expect(await refresh(app, refresh_token)).toBeTruthy()
  })

  it('[D1][G8] has no active refresh token, until it is registered for it again', async () => {
    const token = await newFamily(new RelyingApp())
    const introspect = async (service: typeof narrow) =>
      (await service(formRequest('/oidc/introspect', { token }, basic('web')))).json()

    expect(await introspect(narrow)).toEqual({ active: false })
    expect(await introspect(serviceWith({}))).toMatchObject({ active: true })
  })
})

describe('a client without the grant type refresh_token', () => {
  it('[D1] gets no refresh token, and offline_access is not granted', async () => {
    const web = { grant_types: ['authorization_code'] }
    const browser = new Browser(serviceWith({ CLIENTS: clientsWith({ web }) }))
    browser.withCookiesOf(await signedInAsNewUser())
    const app = new RelyingApp()

    const response = await redeemCode(browser, app, await app.callbackFor(browser, OFFLINE_ACCESS))

    const tokens = await response.json<Record<string, unknown>>()
    expect(tokens).toMatchObject({ scope: 'openid profile' })
    expect(tokens).not.toHaveProperty('refresh_token')
  })
})

describe('a scope that is requested twice in a refresh', () => {
  it('[C22] is granted once', async () => {
    const app = new RelyingApp()

    const tokens = await app.refresh(await newFamily(app), { scope: 'openid profile  openid' })

    expect(tokens.scope).toBe('openid profile')
    expect(decodeJwt(tokens.access_token)['scope']).toBe('openid profile')
  })
})

describe('a user who signs in again in the same browser', () => {
  it('continues the session for apps: their tokens stay valid, and are not revoked', async () => {
    const app = new RelyingApp()
    const { browser, handle } = await signInNewUser()
    const { access_token, refresh_token = '' } = await app.tokens(browser, OFFLINE_ACCESS)

    await browser.signIn(handle, { prompt: 'login' })

    expect(await refresh(app, refresh_token)).toBeTruthy()
    expect(await lists(await readFeed(), access_token)).toBe(false)
    expect(decodeJwt((await browser.session())?.token ?? '')['sid']).toBe(
      decodeJwt(access_token)['sid'],
    )
  })
})

describe('a refresh token that has been replaced', () => {
  it.each([20, 21, 3600])('[D4] ends its family %i s later', async (seconds) => {
    const now = stopClock()
    const app = new RelyingApp()
    const first = await newFamily(app)
    const second = await refresh(app, first)
    setClock(now + seconds)

    await expect(app.refresh(first)).rejects.toMatchObject(INVALID_GRANT)
    await expect(app.refresh(second)).rejects.toMatchObject(INVALID_GRANT)
  })

  it('[D4] ends its family within the grace period too, if its successor has been replaced as well', async () => {
    stopClock()
    const app = new RelyingApp()
    const first = await newFamily(app)
    const second = await refresh(app, first)
    const third = await refresh(app, second)

    await expect(app.refresh(first)).rejects.toMatchObject(INVALID_GRANT)
    for (const token of [second, third]) {
      await expect(app.refresh(token)).rejects.toMatchObject(INVALID_GRANT)
    }
  })

  it('[D3] does not extend the grace period of its predecessor', async () => {
    const now = stopClock()
    const app = new RelyingApp()
    const first = await newFamily(app)
    await refresh(app, first)
    setClock(now + 15)
    await refresh(app, first)
    setClock(now + 25)

    await expect(app.refresh(first)).rejects.toMatchObject(INVALID_GRANT)
  })

  it.each([
    ['scope', { scope: 'openid email' }, 'invalid_scope'],
    ['API', { resource: 'https://another.example' }, 'invalid_target'],
  ])('[D5] gets no %s within the grace period that was not granted', async (_, request, error) => {
    stopClock()
    const app = new RelyingApp()
    const first = await newFamily(app)
    await refresh(app, first)

    await expect(app.refresh(first, request)).rejects.toMatchObject({ error })
    expect(await refresh(app, first)).toBeTruthy()
  })

  it('does not affect the grant of another session of the same user and client', async () => {
    const now = stopClock()
    const app = new RelyingApp()
    const browser = await signedInAsNewUser()
    const { refresh_token: stolen = '' } = await app.tokens(browser, OFFLINE_ACCESS)
    const { refresh_token: other = '' } = await app.tokens(browser, OFFLINE_ACCESS)
    await refresh(app, stolen)
    setClock(now + 60)

    await expect(app.refresh(stolen)).rejects.toMatchObject(INVALID_GRANT)
    expect(await refresh(app, other)).toBeTruthy()
  })
})
