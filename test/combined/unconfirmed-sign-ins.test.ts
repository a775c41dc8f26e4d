import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { options } from '../../src/deployment.ts'
import { roles } from '../../src/features/roles/feature.ts'
import { type Browser, SHOP } from '../browser.ts'
import { advanceClock, HOUR } from '../clock.ts'
import {
  basic,
  bearer,
  type ParameterChanges,
  RelyingApp,
  SECRETS,
} from '../core/oidc/relying-app.ts'
import { redeemCode } from '../redeem-code.ts'
import { addressAfterSignIn, redirectUrl } from '../redirect.ts'
import { confirmMethods } from '../storage.ts'
import { addAsStranger, type Deployment, deployment, METHODS, signInElsewhere } from './stranger.ts'

const SCOPE = { scope: 'openid profile offline_access' }

const ESSENTIAL = {
  claims: JSON.stringify({ id_token: { acr: { essential: true, values: ['phr'] } } }),
}

interface Tokens {
  id_token: string
  access_token: string
  refresh_token: string
}

/** What every kind of token tells an app about the sign-in. */
async function toldAbout(browser: Browser) {
  const app = new RelyingApp('web')
  const headers = basic('web', SECRETS['web'] ?? '')
  const redeemed = await redeemCode(browser, app, await app.callbackFor(browser, SCOPE))
  const first = await redeemed.json<Tokens>()
  const introspection = await browser.fetch('/oidc/introspect', {
    form: { token: first.access_token },
    headers,
  })
  const refresh = await browser.fetch('/oidc/token', {
    form: { grant_type: 'refresh_token', refresh_token: first.refresh_token },
    headers,
  })
  const second = await refresh.json<Tokens>()
  const signed = [first.id_token, first.access_token, second.id_token, second.access_token]
  const session = (await browser.session())?.token ?? ''
  const all = [...[...signed, session].map((token) => decodeJwt(token)), await introspection.json()]
  return all.map((claims) => {
    const { auth_time, acr, amr } = Object(claims)
    return { auth_time, acr, amr }
  })
}

const NOTHING = { auth_time: undefined, acr: undefined, amr: undefined }

/** A browser of the stranger, in which they have signed in with what they added. */
async function strangerBrowser({ methods, open }: Deployment, method: keyof Deployment['methods']) {
  const browser = open()
  await methods[method].signIn(browser)
  expect(await browser.session()).not.toBeNull()
  return browser
}

/** Sends an authorization request, and returns where the browser is sent. */
async function authorize(browser: Browser, changes: ParameterChanges): Promise<URL> {
  return redirectUrl(await browser.get(await new RelyingApp('shop').authorizationUrl(changes)))
}

const error = ({ searchParams }: URL) => searchParams.get('error')

describe('a sign-in with an unconfirmed method', () => {
  it.each(METHODS)(
    '[S6] tells apps neither when nor how the user signed in: %s',
    async (method) => {
      const service = deployment()
      await addAsStranger(service, method)
      const stranger = await strangerBrowser(service, method)

      const told = await toldAbout(stranger)

      expect(told).toEqual(Array(6).fill(NOTHING))
    },
  )

  it.each(METHODS)('[S6] leaves what apps are told of the session before: %s', async (method) => {
    const service = deployment()
    const { laptop } = await addAsStranger(service, method)
    const before = await toldAbout(laptop)
    advanceClock(HOUR)

    await service.methods[method].signIn(laptop, { prompt: 'login', callbackUrl: SHOP })

    expect(before[0]).toEqual({ auth_time: expect.any(Number), acr: 'federated', amr: undefined })
    expect(await toldAbout(laptop)).toEqual(before)
  })

  it('[S6] counts for nothing after the method was confirmed; the next one does', async () => {
    const service = deployment()
    const { laptop, userId } = await addAsStranger(service, 'passkey')
    const before = await toldAbout(laptop)
    const stranger = await strangerBrowser(service, 'passkey')
    await service.methods.passkey.signIn(laptop, { prompt: 'login', callbackUrl: SHOP })
    await confirmMethods(userId)

    expect(await toldAbout(stranger)).toEqual(Array(6).fill(NOTHING))
    expect(await toldAbout(laptop)).toEqual(before)
    for (const browser of [stranger, laptop]) {
      expect(addressAfterSignIn(await browser.get('/account/delete'))).toBe('/account/delete')
    }
    await service.methods.passkey.signIn(stranger, { prompt: 'login' })
    for (const claims of await toldAbout(stranger)) {
      expect(claims).toMatchObject({ acr: 'phr', amr: ['pop', 'user', 'mfa'] })
    }
    expect((await stranger.get('/account/delete')).status).toBe(200)
  })

  it.each([
    ...['0', '60', '3600', '9999999999'].map((max_age) => ({ max_age })),
    ESSENTIAL,
    { claims: JSON.stringify({ id_token: { acr: { essential: true, value: 'federated' } } }) },
    { claims: JSON.stringify({ id_token: { acr: { essential: true, value: 'local' } } }) },
  ])('[A17] does not satisfy an app that requires %o', async (changes) => {
    const service = deployment()
    await addAsStranger(service, 'passkey')
    const stranger = await strangerBrowser(service, 'passkey')

    const silent = await authorize(stranger, { ...changes, prompt: 'none' })

    expect([
      'login_required',
      'interaction_required',
      'unmet_authentication_requirements',
    ]).toContain(error(silent))
  })

  it.each(
    METHODS.flatMap((method) => [
      { method, changes: { prompt: 'login' } },
      { method, changes: { max_age: '60' } },
    ]),
  )(
    '[A17] does not satisfy an app, which is said: $method, $changes',
    async ({ method, changes }) => {
      const service = deployment()
      const { laptop } = await addAsStranger(service, method)
      advanceClock(HOUR)

      for (const browser of [laptop, service.open()]) {
        const page = await authorize(browser, changes)
        const query = Object.fromEntries(page.searchParams)
        await service.methods[method].signIn(browser, query)
        const resumed = redirectUrl(await browser.get(`/oidc/authorize/${query['interaction']}`))
        const again = await (await browser.get(resumed.href)).text()

        expect(resumed.pathname).toBe('/api/auth/signin')
        expect(again).toContain('you have not confirmed that way to sign in yet')
      }
    },
  )

  it('satisfies an app that lets the user choose an account', async () => {
    const service = deployment()
    await addAsStranger(service, 'gitlab')
    const browser = service.open()
    const page = await authorize(browser, { prompt: 'select_account' })
    const query = Object.fromEntries(page.searchParams)

    await service.methods.gitlab.signIn(browser, query)

    const callback = redirectUrl(await browser.get(`/oidc/authorize/${query['interaction']}`))
    expect(callback.searchParams.get('code')).toBeTruthy()
  })

  it('[S6] gives apps neither a name nor the scopes of its account', async () => {
    const given: unknown[] = []
    const callbacks = {
      claims({ account }: { account?: { provider: string } | undefined }) {
        given.push(account?.provider)
        return {}
      },
    }
    const service = deployment({}, undefined, { callbacks })
    await addAsStranger(service, 'gitlab')
    const stranger = await strangerBrowser(service, 'gitlab')
    const app = new RelyingApp('web')
    const callback = await app.callbackFor(stranger, SCOPE)
    given.length = 0

    const tokens = await (await redeemCode(stranger, app, callback)).json<Tokens>()
    const userinfo = await stranger.get('/oidc/userinfo', bearer(tokens.access_token))
    await stranger.session()

    expect(decodeJwt(tokens.id_token)).not.toHaveProperty('given_name')
    expect(await userinfo.json()).not.toHaveProperty('given_name')
    expect(given.length).toBeGreaterThan(2)
    expect(new Set(given)).toEqual(new Set([undefined]))
  })

  it('[S6] changes no roles', async () => {
    const names = ['editor', 'author'] as const
    const signIn = ({ account }: { account: { provider: string } }) =>
      account.provider === 'gitlab' ? (['editor'] as const) : []
    const features = (options.features ?? []).filter((feature) => Object(feature).id !== 'roles')
    const service = deployment({}, undefined, {
      features: [...features, roles({ names, signIn })],
    })
    const { userId } = await addAsStranger(service, 'gitlab')

    const stranger = await strangerBrowser(service, 'gitlab')

    expect((await stranger.session())?.user).not.toHaveProperty('roles')
    await confirmMethods(userId)
    const owner = await strangerBrowser(service, 'gitlab')
    expect((await owner.session())?.user).toMatchObject({ roles: ['editor'] })
  })
})

describe('an unconfirmed passkey', () => {
  it('[A17] does not make a user able to resist phishing', async () => {
    const service = deployment()
    const { handle, userId } = await addAsStranger(service, 'passkey')
    const owner = await signInElsewhere(service, handle)

    expect(error(await authorize(owner, ESSENTIAL))).toBe('unmet_authentication_requirements')
    expect((await authorize(owner, { acr_values: 'phr' })).searchParams.get('code')).toBeTruthy()
    await confirmMethods(userId)
    expect((await authorize(owner, ESSENTIAL)).pathname).toBe('/api/auth/signin')
  })

  it('is not offered to confirm a request of an app', async () => {
    const service = deployment()
    const { handle, userId } = await addAsStranger(service, 'passkey')
    const owner = await signInElsewhere(service, handle)
    const read = async () =>
      (await owner.get((await authorize(owner, { prompt: 'login' })).href)).text()

    expect(await read()).not.toContain('id="passkey"')
    await confirmMethods(userId)
    expect(await read()).toContain('id="passkey"')
  })
})
