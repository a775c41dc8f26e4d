import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { base64url, decodeJwt } from 'jose'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import type { Revocation } from '../../../src/core/revocations/revocation.ts'
import {
  publishRevocations,
  RevocationsObject,
} from '../../../src/core/revocations/revocations-object.ts'
import { Browser, LOGIN, lastLogEntry, serviceWith } from '../../browser.ts'
import { advanceClock, DAY, stopClock } from '../../clock.ts'
import { configReaderWith } from '../../deployment.ts'
import { signInNewUser } from '../../new-user.ts'
import { userObject, usersWith } from '../../storage.ts'
import { config, newIsolate, ORIGIN } from '../registrations/stored-clients.ts'
import { registerMachine } from './machines.ts'
import {
  digest,
  expectListed,
  lists,
  newUserWithTokens,
  readFeed,
  sessionToken,
} from './read-revocation-feed.ts'
import { basic, formRequest, OFFLINE_ACCESS, RelyingApp } from './relying-app.ts'

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

  it('does not change the client if the revocation cannot be published', async () => {
    const { clientId } = await registerMachine()
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

  it('lists a session for as long as a token of its copy can be valid', async () => {
    stopClock()
    const { browser, userId } = await signInNewUser()
    const session = await sessionToken(browser)
    const lifetimes = { accessTokenLifetime: 300, session: { trustCopyFor: 300 } }
    const users = usersWith({}, configReaderWith(lifetimes))

    await users.get(users.idFromName(userId)).endAllSessions()
    await expectListed(session)

    advanceClock(300 + 300)
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

  it('[R1] is computed a few times only, however many times are requested', async () => {
    const start = stopClock()
    const { browser, session } = await newUserWithTokens()
    await browser.post('/api/auth/signout', {})
    await expectListed(session)
    advanceClock(600)
    const service = serviceWith({})
    const read = async (since: number | string) => {
      const response = await service(new Request(`${LOGIN}/.well-known/revocations?since=${since}`))
      return new TextDecoder().decode(await response.arrayBuffer())
    }

    // The complete list also has what other tests have revoked.
    const jwts = new Set([await read(0)])
    for (let since = start - 10; since < start + 610; since += 3) jwts.add(await read(since))

    expect(jwts.size).toBeLessThan(25)
    for (const since of ['9'.repeat(20), start + 10_000, -1, 'x', 1e-9, '', 1]) {
      expect(jwts, String(since)).toContain(await read(since))
    }
  })

  it('is the complete list for a time before its oldest entry', async () => {
    stopClock()
    const { browser, session } = await newUserWithTokens()
    await browser.post('/api/auth/signout', {})
    await expectListed(session)

    const feed = await readFeed(Math.floor(Date.now() / 1000) - 30 * DAY)

    expect(feed.since).toBe(0)
    expect(await lists(feed, session)).toBe(true)
  })

  it('contains an entry of an object whose clock is ten seconds behind', async () => {
    const now = stopClock()
    const service = serviceWith({})
    await readFeed(undefined, service)
    const id = crypto.randomUUID()
    advanceClock(-10)
    await publishRevocations(env, [{ id, before: now, expiresAt: now + 600 }], id)
    advanceClock(13)

    const { revoked_before } = await readFeed(undefined, service)

    expect(revoked_before).toHaveProperty(await digest(id))
  })

  it('is not sent again while its entries are the same, for half a minute', async () => {
    // Those of other tests have expired.
    advanceClock(DAY)
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

  it('is sent again as soon as it has another entry', async () => {
    const now = stopClock()
    const { service } = newIsolate()
    const read = (headers = {}) =>
      service(new Request(`${LOGIN}/.well-known/revocations`, { headers }))
    // At the beginning of the half minute after which every list is sent again.
    advanceClock(30 - (now % 30))
    const etag = (await read()).headers.get('ETag') ?? ''

    const id = crypto.randomUUID()
    await publishRevocations(env, [{ id, expiresAt: now + 600 }], id)
    advanceClock(3)

    expect((await read({ 'If-None-Match': etag })).status).toBe(200)
  })

  it('lists nothing that has expired, also in an isolate that has read it before', async () => {
    const now = stopClock()
    const service = serviceWith({})
    const id = crypto.randomUUID()
    await publishRevocations(env, [{ id, before: now, expiresAt: now + 20 }], id)
    expect((await readFeed(undefined, service)).revoked_before).toHaveProperty(await digest(id))

    advanceClock(20)

    expect((await readFeed(undefined, service)).revoked_before).not.toHaveProperty(await digest(id))
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

/** Publishes that this many sessions of a user have ended, or grants of a client in one of them. */
async function publishEnded(
  userId: string,
  count: number,
  part?: Revocation['part'],
): Promise<string[]> {
  const expiresAt = Math.floor(Date.now() / 1000) + 600
  const ids = Array.from({ length: count }, () => crypto.randomUUID())
  await publishRevocations(
    env,
    ids.map((id) => ({ id, expiresAt, ...(part && { part }) })),
    userId,
  )
  return Promise.all(ids.map(digest))
}

describe('a user with more than 1,000 sessions that have ended within minutes', () => {
  it('[R1] is signed out everywhere, with one entry instead of all, and displaces nobody', async () => {
    stopClock()
    const other = await newUserWithTokens()
    await other.browser.post('/api/auth/signout', {})
    await expectListed(other.session)
    const { browser, handle, userId, session, tokens } = await newUserWithTokens()
    const second = new Browser()
    await second.signIn(handle)
    const secondSession = await sessionToken(second)
    const ended = await publishEnded(userId, 999)
    const service = serviceWith({})
    const listedDigests = async () => {
      const bytes = base64url.decode((await readFeed(undefined, service)).revoked)
      return Array.from({ length: bytes.length / 8 }, (_, index) =>
        base64url.encode(bytes.slice(index * 8, index * 8 + 8)),
      )
    }
    expect(await listedDigests()).toEqual(expect.arrayContaining(ended))

    await second.post('/api/auth/signout', {})
    await expectListed(secondSession)
    expect(await browser.session()).not.toBeNull()
    const third = new Browser()
    await third.signIn(handle)
    await third.post('/api/auth/signout', {})

    await expectListed(session)
    await expectListed(tokens.access_token)
    await vi.waitFor(async () => expect(await browser.session()).toBeNull())
    expect(lastLogEntry('revocations_replaced')).toMatchObject({ userId })
    expect(await lists(await readFeed(), other.session)).toBe(true)
    // Copies forget the replaced entries a few minutes later.
    advanceClock(300)
    const remaining = await listedDigests()
    expect(ended.filter((id) => remaining.includes(id))).toEqual([])
    // The user can sign in again.
    await browser.signIn(handle)
    expect(await lists(await readFeed(), await sessionToken(browser))).toBe(false)
  })
})

describe('an app of which more than 1,000 grants of one session have ended within minutes', () => {
  it('[R1] loses its tokens of that session with one entry, and nothing else ends', async () => {
    stopClock()
    const { browser, handle, userId, app, tokens, session } = await newUserWithTokens()
    const otherApp = await new RelyingApp('signer').tokens(browser)
    const otherBrowser = new Browser()
    await otherBrowser.signIn(handle)
    const otherSession = await app.tokens(otherBrowser)
    const displaced = await app.tokens(browser, OFFLINE_ACCESS)
    const { client_id, sid } = decodeJwt(tokens.access_token)
    const part = { clientId: String(client_id), sid: String(sid) }
    const ended = await publishEnded(userId, 1000, part)

    const form = { token: displaced.refresh_token ?? '' }
    await exports.default.fetch(formRequest('/oidc/revoke', form, basic('web')))

    await expectListed(tokens.access_token)
    await expectListed(displaced.access_token)
    const feed = await readFeed()
    const listed = base64url.decode(feed.revoked).toHex()
    expect(ended.filter((id) => listed.includes(base64url.decode(id).toHex()))).toEqual([])
    expect(await lists(feed, session)).toBe(false)
    expect(await lists(feed, otherApp.access_token)).toBe(false)
    expect(await lists(feed, otherSession.access_token)).toBe(false)
    expect(await browser.sid()).toBe(sid)
    advanceClock(1)
    const refreshed = await app.refresh(tokens.refresh_token ?? '')
    expect(await lists(await readFeed(), refreshed.access_token)).toBe(false)
  })
})

describe('an object with revocations', () => {
  const newObject = () => env.REVOCATIONS.get(env.REVOCATIONS.newUniqueId())

  /** Different digests. */
  const digests = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      base64url.encode(new Uint8Array(new Float64Array([index]).buffer)),
    )

  it('[Q4] drops no entry that has not expired, also after a restart', async () => {
    const now = stopClock()
    const entries = digests(50_001).map((digest, index) => ({
      digest,
      expiresAt: now + 600,
      owner: `owner ${index % 1000}`,
    }))

    const kept = await runInDurableObject(newObject(), async (instance, state) => {
      await instance.add(entries)
      const restarted = new RevocationsObject(state, env)
      return restarted.read(0).map(({ digest }) => digest)
    })

    expect(new Set(kept)).toEqual(new Set(entries.map(({ digest }) => digest)))
  })

  it('replaces more than 1,000 entries of an owner by one that is kept as long as they would have been', async () => {
    const now = stopClock()
    const object = newObject()
    const [first = '', ...others] = digests(1001)
    const owner = 'AAAAAAAAAAA'
    const add = (digest: string, lifetime: number) =>
      object.add([{ digest, expiresAt: now + lifetime, owner }])
    await object.add([{ digest: 'BBBBBBBBBBA', expiresAt: now + 600, owner: 'BBBBBBBBBBA' }])

    expect(await add(first, 3600)).toBe(false)
    const results = await object.add(
      others.map((digest) => ({ digest, expiresAt: now + 600, owner })),
    )
    // Everything of the user ends, as after a sign-out of all sessions.
    await object.add([{ digest: owner, before: now + 1, expiresAt: now + 600, owner }])

    expect(results).toBe(true)
    const entries = await runInDurableObject(object, (_, state) =>
      new RevocationsObject(state, env).read(0),
    )
    expect(entries).toHaveLength(2)
    expect(entries).toContainEqual({
      digest: owner,
      before: now + 1,
      expiresAt: now + 3600,
      addedAt: now,
    })
  })

  it('reads what version 0.1.0 has stored', async () => {
    const now = stopClock()

    const entries = await runInDurableObject(newObject(), async (_, state) => {
      state.storage.sql.exec('DROP TABLE revocations')
      state.storage.sql.exec(
        'CREATE TABLE revocations (digest TEXT PRIMARY KEY, before INTEGER, expires_at INTEGER NOT NULL, added_at INTEGER NOT NULL) STRICT, WITHOUT ROWID',
      )
      state.storage.sql.exec(
        "INSERT INTO revocations VALUES ('AAAAAAAAAAA', NULL, ?, ?)",
        now + 60,
        now,
      )
      const upgraded = new RevocationsObject(state, env)
      await upgraded.add([{ digest: 'BBBBBBBBBBA', expiresAt: now + 60, owner: 'BBBBBBBBBBA' }])
      return new RevocationsObject(state, env).read(0)
    })

    expect(entries.map(({ digest }) => digest)).toEqual(['AAAAAAAAAAA', 'BBBBBBBBBBA'])
  })

  it('returns to each client what version 0.1.0 has stored, which does not say whose it is', async () => {
    const now = stopClock()

    const revocations = await runInDurableObject(newObject(), (_, state) => {
      state.storage.sql.exec(
        "INSERT INTO revocations (digest, before, expires_at, added_at) VALUES ('AAAAAAAAAAA', NULL, ?, ?)",
        now + 60,
        now,
      )
      return new RevocationsObject(state, env).readOf('BBBBBBBBBBA')
    })

    expect(revocations.map(({ digest }) => digest)).toEqual(['AAAAAAAAAAA'])
  })

  it('knows what belongs to a client after a restart', async () => {
    const now = stopClock()
    const owner = 'AAAAAAAAAAA'
    const credential = { digest: 'CCCCCCCCCCA', expiresAt: now + 60, owner }
    const client = { digest: owner, before: now, expiresAt: now + 60, owner }

    const revocations = await runInDurableObject(newObject(), async (object, state) => {
      await object.add([credential, client])
      await object.add([{ digest: 'BBBBBBBBBBA', expiresAt: now + 60, owner: 'BBBBBBBBBBA' }])
      return new RevocationsObject(state, env).readOf(owner)
    })

    expect(revocations).toHaveLength(2)
    expect(revocations).toContainEqual(expect.objectContaining({ digest: 'CCCCCCCCCCA' }))
    expect(revocations).toContainEqual(expect.objectContaining({ digest: owner, before: now }))
  })

  it('[R1] does not count entries that have expired, so that 1,000 are possible again', async () => {
    const now = stopClock()
    const object = newObject()
    const owner = 'AAAAAAAAAAA'
    const entries = digests(1001).map((digest) => ({ digest, expiresAt: now + 30, owner }))

    expect(await object.add(entries.slice(0, 1000))).toBe(false)
    advanceClock(60)
    await runDurableObjectAlarm(object)

    expect(await object.add([{ digest: 'BBBBBBBBBBA', expiresAt: now + 600, owner }])).toBe(false)
  })

  it('revokes no less of a client that was disabled a moment ago, if that has more than 1,000 entries', async () => {
    const now = stopClock()
    const object = newObject()
    const owner = 'CCCCCCCCCCA'
    const disabled = { digest: owner, before: now + 65, expiresAt: now + 600, owner }
    const entries = digests(1001).map((digest) => ({ digest, expiresAt: now + 600, owner }))

    expect(await object.add([disabled, ...entries])).toBe(true)

    expect(await object.readOf(owner)).toMatchObject([{ digest: owner, before: now + 65 }])
  })

  it('deletes what has expired', async () => {
    const now = stopClock()
    const object = newObject()
    const owner = 'AAAAAAAAAAA'
    await object.add([{ digest: 'AAAAAAAAAAA', expiresAt: now + 30, owner }])
    await object.add([{ digest: 'BBBBBBBBBBA', before: now, expiresAt: now + 90, owner }])

    advanceClock(60)
    await runDurableObjectAlarm(object)

    const rows = await runInDurableObject(object, (_, { storage }) =>
      storage.sql.exec('SELECT digest FROM revocations').toArray(),
    )
    expect(rows).toEqual([{ digest: 'BBBBBBBBBBA' }])
  })
})
