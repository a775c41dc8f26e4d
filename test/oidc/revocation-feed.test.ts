import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import {
  base64url,
  createLocalJWKSet,
  decodeJwt,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
} from 'jose'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { clientStore } from '../../src/registrations/client-store.ts'
import { RevocationsObject } from '../../src/revocations/revocations-object.ts'
import { connectMachine } from '../admin/machine-client.ts'
import { Browser, LOGIN, serviceWith } from '../browser.ts'
import { advanceClock, stopClock } from '../clock.ts'
import { signInNewUser } from '../new-user.ts'
import { redirectUrl } from '../redirect.ts'
import { config, newIsolate, ORIGIN } from '../registrations/stored-clients.ts'
import { userObject } from '../storage.ts'
import { basic, formRequest, OFFLINE_ACCESS, postForm, RelyingApp } from './relying-app.ts'
import { approveConsent } from './user-steps.ts'

interface Feed extends JWTPayload {
  since: number
  revoked: string
  revoked_before: Record<string, number>
}

/** Reads the feed with the published keys, in an isolate that has not read it before. */
async function readFeed(since?: number, service = serviceWith({})): Promise<Feed> {
  const read = async (path: string) => service(new Request(`${LOGIN}/.well-known/${path}`))
  const jwks = await (await read('jwks.json')).json<JSONWebKeySet>()
  const response = await read(`revocations${since === undefined ? '' : `?since=${since}`}`)
  expect(response.status).toBe(200)
  const jwt = new Uint8Array(await response.arrayBuffer())
  const { payload } = await jwtVerify<Feed>(jwt, createLocalJWKSet(jwks), {
    issuer: LOGIN,
    typ: 'revocations+jwt',
    algorithms: ['ES256'],
  })
  return payload
}

/** The first eight bytes of the SHA-256 digest of an id. */
async function digest(id: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(String(id)))
  return base64url.encode(new Uint8Array(bytes).slice(0, 8))
}

/** Whether the feed lists a token, as docs/endpoints.md describes it. */
async function lists(feed: Feed, token: string): Promise<boolean> {
  const { sid, jti, sub, client_id, iat = 0 } = decodeJwt(token)
  const bytes = base64url.decode(feed.revoked)
  const revoked = Array.from({ length: bytes.length / 8 }, (_, index) =>
    base64url.encode(bytes.slice(index * 8, index * 8 + 8)),
  )
  const ended = await Promise.all([digest(sid), digest(jti?.split('.')[0])])
  const limited = await Promise.all([digest(sub), digest(client_id)])
  return (
    ended.some((id) => revoked.includes(id)) ||
    limited.some((id) => iat <= (feed.revoked_before[id] ?? 0))
  )
}

/** Waits until the feed lists a token, which is published after the response. */
async function expectListed(token: string): Promise<void> {
  await vi.waitFor(async () => expect(await lists(await readFeed(), token)).toBe(true))
}

async function sessionToken(browser: Browser): Promise<string> {
  return (await browser.session())?.token ?? ''
}

/** A user with a session token, an access token and a refresh token. */
async function newUserWithTokens(clientId = 'web') {
  const user = await signInNewUser()
  const app = new RelyingApp(clientId)
  const resource = clientId === 'web' ? 'https://orders.example' : undefined
  const url = await app.authorizationUrl({ ...OFFLINE_ACCESS, resource })
  const response = await user.browser.get(url)
  const callback = response.status === 200 ? await approveConsent(user.browser, response) : response
  const tokens = await app.exchange(redirectUrl(callback))
  return { ...user, app, tokens, session: await sessionToken(user.browser) }
}

type UserWithTokens = Awaited<ReturnType<typeof newUserWithTokens>>

async function administer(path: string, method = 'POST'): Promise<void> {
  const { call } = await connectMachine()
  expect((await call(path, { method })).status).toBeLessThan(300)
}

describe('GET /.well-known/revocations', () => {
  it('is a JWT that may be cached for five seconds, and lists nothing of active sessions', async () => {
    const { tokens, session } = await newUserWithTokens()

    const response = await exports.default.fetch(`${LOGIN}/.well-known/revocations`)

    expect(response.headers.get('Content-Type')).toBe('application/revocations+jwt')
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=5')
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    const feed = await readFeed()
    expect(feed.exp).toBe((feed.iat ?? 0) + 60)
    expect(await lists(feed, tokens.access_token)).toBe(false)
    expect(await lists(feed, session)).toBe(false)
  })

  it.each<[string, (user: UserWithTokens) => Promise<unknown>]>([
    ['the user signs out', ({ browser }) => browser.post('/api/auth/signout', {})],
    ['an administrator blocks the user', ({ userId }) => administer(`/users/${userId}/block`)],
    [
      'an administrator ends all sessions',
      ({ userId }) => administer(`/users/${userId}/end-sessions`),
    ],
    ['the user is deleted', ({ userId }) => administer(`/users/${userId}`, 'DELETE')],
    [
      'an administrator ends the session',
      ({ userId, session }) =>
        administer(`/users/${userId}/sessions/${decodeJwt(session)['sid']}/end`),
    ],
    [
      'the user signs out in all other browsers',
      async ({ handle }) => {
        const other = new Browser()
        await other.signIn(handle)
        await other.post('/account/sessions', { sid: 'others' })
      },
    ],
  ])('lists the access token and the session token when %s', async (_, end) => {
    const user = await newUserWithTokens()

    await end(user)

    await expectListed(user.tokens.access_token)
    await expectListed(user.session)
  })

  it.each<[string, string, (user: UserWithTokens) => Promise<unknown>]>([
    [
      'the user withdraws consent',
      'kiosk',
      ({ browser }) => browser.post('/account/consents', { client_id: 'kiosk' }),
    ],
    [
      'the refresh token is revoked',
      'web',
      ({ tokens }) => postForm('/oidc/revoke', { token: tokens.refresh_token ?? '' }, basic('web')),
    ],
    [
      '[D4] a replaced refresh token is used again',
      'web',
      async ({ app, tokens }) => {
        await app.refresh(tokens.refresh_token ?? '')
        advanceClock(60)
        await expect(app.refresh(tokens.refresh_token ?? '')).rejects.toThrow()
      },
    ],
    [
      'the user declines a scope that they had agreed to',
      'kiosk',
      async ({ browser, app }) => {
        const url = await app.authorizationUrl({ ...OFFLINE_ACCESS, prompt: 'consent' })
        await approveConsent(browser, await browser.get(url), ['profile'])
      },
    ],
  ])('lists only the tokens of the grant when %s', async (_, clientId, end) => {
    const user = await newUserWithTokens(clientId)

    await end(user)

    await expectListed(user.tokens.access_token)
    expect(await lists(await readFeed(), user.session)).toBe(false)
  })

  it('does not list the tokens of a user who signs in again after all sessions have ended', async () => {
    stopClock()
    const { handle, userId, session } = await newUserWithTokens()
    await administer(`/users/${userId}/end-sessions`)
    await expectListed(session)
    advanceClock(1)
    const browser = new Browser()
    await browser.signIn(handle)

    expect(await lists(await readFeed(), await sessionToken(browser))).toBe(false)
  })

  it.each<[string, (clientId: string) => Promise<unknown>]>([
    ['disabled', (id) => administer(`/clients/${id}/disable`)],
    ['deleted', (id) => administer(`/clients/${id}`, 'DELETE')],
    [
      'without its former secret',
      async (id) => {
        await administer(`/clients/${id}/rotate-secret`)
        await administer(`/clients/${id}/remove-former-secret`)
      },
    ],
  ])('lists the tokens of a client that is %s', async (_, end) => {
    stopClock()
    const { clientId, token } = await connectMachine()
    advanceClock(2)

    await end(clientId)

    expect(await lists(await readFeed(), token)).toBe(true)
  })

  it('lists nothing of a client that gets a second secret, or is enabled again', async () => {
    stopClock()
    const { clientId, token } = await connectMachine()
    advanceClock(2)
    await administer(`/clients/${clientId}/rotate-secret`)
    expect(await lists(await readFeed(), token)).toBe(false)

    await administer(`/clients/${clientId}/disable`)
    advanceClock(2)
    await administer(`/clients/${clientId}/enable`)

    const { revoked_before } = await readFeed()
    expect(revoked_before[await digest(clientId)]).toBeLessThan(Date.now() / 1000)
  })

  it('lists nothing of a client whose deletion or second registration is rejected', async () => {
    stopClock()
    const { clientId, token, call } = await connectMachine()
    // Tests of other files may have revoked something of this client.
    const kiosk = await digest('kiosk')
    const former = (await readFeed()).revoked_before[kiosk]
    advanceClock(2)

    const deletion = await call('/clients/kiosk', { method: 'DELETE' })
    const body = { client_id: clientId, grant_types: ['client_credentials'], scope: 'admin:read' }
    const registration = await call('/clients', { method: 'POST', body })

    expect([deletion.status, registration.status]).toEqual([409, 409])
    const feed = await readFeed()
    expect(await lists(feed, token)).toBe(false)
    expect(feed.revoked_before[kiosk]).toBe(former)
  })

  it('lists the tokens of a deleted client, and not those of another one with its id', async () => {
    stopClock()
    const { clientId, token } = await connectMachine()
    advanceClock(2)
    await administer(`/clients/${clientId}`, 'DELETE')
    advanceClock(2)
    await clientStore.create(env, config, {
      registration: { client_id: clientId, redirect_uris: ['https://new.example/'] },
      origin: ORIGIN,
    })

    const feed = await readFeed()

    expect(await lists(feed, token)).toBe(true)
    expect(feed.revoked_before[await digest(clientId)]).toBeLessThan(Date.now() / 1000)
  })

  it('does not change the client if the revocation cannot be published', async () => {
    const { clientId } = await connectMachine()
    const broken = { ...env, REVOCATIONS: undefined } as unknown as Env

    const change = clientStore.setDisabled(broken, config, {
      id: clientId,
      isDisabled: true,
      origin: ORIGIN,
    })

    await expect(change).rejects.toThrow('Storage did not respond.')
    expect((await clientStore.read(env, config, clientId))?.disabledAt).toBeUndefined()
  })

  it('lists a session until its last token has expired', async () => {
    stopClock()
    const { browser, session } = await newUserWithTokens()
    await browser.post('/api/auth/signout', {})
    await expectListed(session)

    advanceClock(600)
    expect(await lists(await readFeed(), session)).toBe(true)
    advanceClock(61)
    expect(await lists(await readFeed(), session)).toBe(false)
  })

  it('lists a session for longer if it has tokens for an API with a longer lifetime', async () => {
    stopClock()
    const service = serviceWith({
      APIS: [{ identifier: 'https://orders.example', access_token_lifetime: 3600 }],
    })
    const { browser } = await signInNewUser(new Browser(service))
    const session = await sessionToken(browser)
    const app = new RelyingApp()
    await app.tokens(browser, { resource: 'https://orders.example' })
    await browser.post('/api/auth/signout', {})
    await expectListed(session)

    advanceClock(3600)
    expect(await lists(await readFeed(), session)).toBe(true)
  })

  it('lists a session for long enough when the lifetime of an API is made longer after the sign-in', async () => {
    const { tokens } = await newUserWithTokens()
    const service = serviceWith({
      APIS: [{ identifier: 'https://orders.example', access_token_lifetime: 3600 }],
    })
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }

    const response = await service(formRequest('/oidc/token', form, basic('web')))

    const { expires_in } = await response.json<{ expires_in: number }>()
    expect(expires_in).toBe(600)
  })

  it('contains only what was published since a time that is rounded down to ten seconds', async () => {
    const start = stopClock()
    const first = await newUserWithTokens()
    await first.browser.post('/api/auth/signout', {})
    await expectListed(first.session)
    advanceClock(30)
    const second = await newUserWithTokens()
    await second.browser.post('/api/auth/signout', {})
    await expectListed(second.session)

    const feed = await readFeed(start + 25)

    expect(feed.since).toBe(start + 25 - ((start + 25) % 10))
    expect(await lists(feed, first.session)).toBe(false)
    expect(await lists(feed, second.session)).toBe(true)
  })

  it('is not sent again while its entries are the same', async () => {
    stopClock()
    const { service } = newIsolate()
    const read = (headers = {}) =>
      service(new Request(`${LOGIN}/.well-known/revocations`, { headers }))
    const etag = (await read()).headers.get('ETag') ?? ''

    expect((await read({ 'If-None-Match': etag })).status).toBe(304)
    expect((await read({ 'If-None-Match': `"old", ${etag}` })).status).toBe(304)
    advanceClock(30)
    expect((await read({ 'If-None-Match': etag })).status).toBe(200)
  })

  it('reads the objects again after three seconds, and fails when they have not responded for a minute', async () => {
    stopClock()
    const state = { isDown: false, calls: 0 }
    const REVOCATIONS = new Proxy(env.REVOCATIONS, {
      get(target, name) {
        if (name === 'get') state.calls += 1
        if (state.isDown) throw new Error('Durable Object is overloaded')
        return Reflect.get(target, name).bind(target)
      },
    })
    const service = serviceWith({ REVOCATIONS })
    const read = () => service(new Request(`${LOGIN}/.well-known/revocations`))
    const { iat } = await readFeed(undefined, service)
    const { calls } = state
    await read()
    expect(state.calls).toBe(calls)

    advanceClock(3)
    await read()
    expect(state.calls).toBe(calls * 2)
    state.isDown = true
    advanceClock(20)

    // It does not claim to be newer than it is.
    expect((await readFeed(undefined, service)).iat).toBe((iat ?? 0) + 3)
    advanceClock(60)
    expect((await read()).status).toBe(503)
  })
})

describe('a session that ends while revocations cannot be published', () => {
  it('is published by the alarm', async () => {
    const { browser, userId, session } = await newUserWithTokens()
    const objects = Array.from({ length: 8 }, (_, index) =>
      env.REVOCATIONS.get(env.REVOCATIONS.idFromName(String(index))),
    )
    let adds: { mockRestore(): void } | undefined
    await runInDurableObject(objects[0] as (typeof objects)[number], (object) => {
      adds = vi.spyOn(Object.getPrototypeOf(object), 'add').mockRejectedValue(new Error('down'))
    })
    onTestFinished(() => adds?.mockRestore())
    await browser.post('/api/auth/signout', {})
    await vi.waitFor(() => expect(adds).toHaveBeenCalled())
    expect(await lists(await readFeed(), session)).toBe(false)
    adds?.mockRestore()

    advanceClock(10)
    await runDurableObjectAlarm(userObject(userId))

    await expectListed(session)
  })
})

describe('an object with revocations', () => {
  it('drops the oldest entries beyond 50,000, and has the others after a restart', async () => {
    const object = env.REVOCATIONS.get(env.REVOCATIONS.newUniqueId())
    const expiresAt = Math.floor(Date.now() / 1000) + 600
    const entries = Array.from({ length: 50_001 }, (_, index) => ({
      digest: base64url.encode(new Uint8Array(new Float64Array([index]).buffer)),
      expiresAt,
    }))

    const digests = await runInDurableObject(object, async (instance, state) => {
      await instance.add(entries)
      const restarted = new RevocationsObject(state, env)
      return restarted.read(0).map(({ digest }) => digest)
    })

    expect(new Set(digests)).toEqual(new Set(entries.slice(1).map(({ digest }) => digest)))
  })

  it('deletes what has expired', async () => {
    const now = stopClock()
    const object = env.REVOCATIONS.get(env.REVOCATIONS.newUniqueId())
    await object.add([{ digest: 'AAAAAAAAAAA', expiresAt: now + 30 }])
    await object.add([{ digest: 'BBBBBBBBBBA', before: now, expiresAt: now + 90 }])

    advanceClock(60)
    await runDurableObjectAlarm(object)

    const rows = await runInDurableObject(object, (_, { storage }) =>
      storage.sql.exec('SELECT digest FROM revocations').toArray(),
    )
    expect(rows).toEqual([{ digest: 'BBBBBBBBBBA' }])
  })
})
