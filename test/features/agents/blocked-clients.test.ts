import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ClientMetadataObject } from '../../../src/core/client-metadata/client-metadata-object.ts'
import { isClientRevoked } from '../../../src/core/revocations/client-revocations.ts'
import { readAllObjects } from '../../../src/core/revocations/revocations-object.ts'
import { withUnregisteredClient } from '../../../src/features/agents/client-object.ts'
import { nowInSeconds } from '../../../src/foundation/values/clock.ts'
import { createVerifier } from '../../../src/verify.ts'
import { Browser, LOGIN, lastLogEntry, serviceWith } from '../../browser.ts'
import { advanceClock, HOUR, stopClock } from '../../clock.ts'
import { bearer, signedInAsNewUser } from '../../core/oidc/relying-app.ts'
import { approveConsent, consentForm } from '../../core/oidc/user-steps.ts'
import { forbidden } from '../../storage.ts'
import { signInAdministrator, submitForm } from '../admin/administrator.ts'
import { connectMachine, readProblem } from '../admin/machine-client.ts'
import {
  countFetches,
  NOTES,
  OPEN_SETTINGS,
  openService,
  UnregisteredApp,
} from './unregistered-app.ts'

const newIsolate = () => serviceWith({ ...OPEN_SETTINGS })

/** A new user in a browser at the deployment that accepts unregistered clients. */
async function newUser(service = openService): Promise<Browser> {
  return new Browser(service).withCookiesOf(await signedInAsNewUser())
}

/** An app that a new user has allowed, with its tokens. */
async function allowedApp(host?: string, path?: string) {
  const app = await new UnregisteredApp(host, path).publish()
  const browser = await newUser()
  const response = await app.exchange(await app.code(browser))
  const { access_token = '', refresh_token = '' } = await response.json<Record<string, string>>()
  const refresh = async (service = newIsolate()) =>
    app.token({ grant_type: 'refresh_token', refresh_token }, service)
  return { app, browser, access_token, refresh }
}

/** Blocks or unblocks a client or host through the admin API, in an isolate of its own. */
async function change(action: 'block' | 'unblock', id: string): Promise<Response> {
  const { call } = await connectMachine({}, newIsolate())
  return call(`/unregistered-clients/${encodeURIComponent(id)}/${action}`, { method: 'POST' })
}

async function listed(id: string): Promise<Record<string, unknown> | undefined> {
  const { call } = await connectMachine({}, newIsolate())
  const { items } = await (await call('/unregistered-clients?limit=200')).json<{
    items: Record<string, unknown>[]
  }>()
  return items.find((item) => item['id'] === id)
}

/** Clients of these hosts, separated by spaces, each of which one user has allowed. */
async function addClients(hosts: string, count: number, createdAt = 1): Promise<void> {
  await env.DIRECTORY.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)
     INSERT INTO unregistered_clients (id, hosts, approvals, created_at, approved_at)
     SELECT 'https://' || ?1 || '/' || n, ?1, 1, ?3, unixepoch() + 60 FROM numbers`,
  )
    .bind(hosts, count, createdAt)
    .run()
  // Other tests read the first page.
  onTestFinished(async () => {
    await env.DIRECTORY.prepare('DELETE FROM unregistered_clients WHERE hosts = ?')
      .bind(hosts)
      .run()
  })
}

function metadataObject(clientId: string) {
  return env.CLIENT_METADATA.get(env.CLIENT_METADATA.idFromName(clientId))
}

/** What happens when the client was not used for a long time. */
async function forget(clientId: string): Promise<void> {
  await runInDurableObject(metadataObject(clientId), (object) => object.alarm())
}

async function allowLongAgo(...clientIds: string[]): Promise<void> {
  for (const id of clientIds) {
    await env.DIRECTORY.prepare(
      'UPDATE unregistered_clients SET approved_at = approved_at - 61 * 86400 WHERE id = ?',
    )
      .bind(id)
      .run()
  }
}

/** The user allows the client on its consent page. */
async function decide(browser: Browser, page: Response): Promise<Response> {
  const headers = { 'Sec-Fetch-Site': 'same-origin' }
  return browser.fetch('/oidc/consent', { form: await consentForm(page), headers })
}

/** Whether an API accepts a token that it verifies with the library, with a feed read just now. */
async function isAcceptedByApi(token: string): Promise<boolean> {
  const service = newIsolate()
  const verifier = createVerifier({
    issuer: LOGIN,
    audience: NOTES,
    fetch: (url, init) => service(new Request(url, init)),
  })
  return verifier.verify(token).then(
    () => true,
    () => false,
  )
}

/** The error that an authorization request ends with in an isolate that has read nothing before. */
async function authorizationError(app: UnregisteredApp, service = newIsolate()): Promise<unknown> {
  const headers = { Accept: 'application/json' }
  const response = await new Browser(service).get(await app.authorizationPath(), headers)
  return response.status === 303 ? undefined : (await response.json<{ error: string }>()).error
}

describe('GET /admin/api/unregistered-clients', () => {
  it('lists a client once a user has allowed it, with its host and name', async () => {
    const app = await new UnregisteredApp().publish({ client_name: 'An agent' })
    const browser = await newUser()
    const page = await app.authorize(browser)
    expect(await listed(app.clientId)).toBeUndefined()
    await approveConsent(browser, page)
    await app.code(await newUser())

    expect(await listed(app.clientId)).toEqual({
      id: app.clientId,
      hosts: [app.host],
      name: 'An agent',
      approvals: 2,
      created_at: expect.any(Number),
      approved_at: expect.any(Number),
    })
  })

  it('lists every client once, on several pages, the newest first', async () => {
    const host = `${crypto.randomUUID()}.example`
    await addClients(host, 5, nowInSeconds())
    const { call } = await connectMachine({}, newIsolate())
    const ids: string[] = []
    let cursor = ''
    do {
      const response = await call(
        `/unregistered-clients?${new URLSearchParams({ limit: '2', cursor })}`,
      )
      const page = await response.json<{ items: { id: string }[]; next_cursor?: string }>()
      ids.push(...page.items.map(({ id }) => id))
      cursor = page.next_cursor ?? ''
    } while (cursor !== '')

    // Other tests have clients, too.
    expect(ids.filter((id) => id.startsWith(`https://${host}/`))).toEqual(
      [5, 4, 3, 2, 1].map((n) => `https://${host}/${n}`),
    )
  })

  it('continues after a client that was forgotten since the page before', async () => {
    const host = `${crypto.randomUUID()}.example`
    await addClients(host, 3, nowInSeconds() + 60)
    const { call } = await connectMachine({}, newIsolate())
    const read = async (query: Record<string, string>) => {
      const response = await call(`/unregistered-clients?${new URLSearchParams(query)}`)
      return response.json<{ items: { id: string }[]; next_cursor: string }>()
    }
    const first = await read({ limit: '2' })
    await env.DIRECTORY.prepare('DELETE FROM unregistered_clients WHERE id = ?')
      .bind(`https://${host}/2`)
      .run()

    const { items } = await read({ limit: '1', cursor: first.next_cursor })

    expect(items.map(({ id }) => id)).toEqual([`https://${host}/1`])
  })

  it('no longer lists a client that was not used for sixty days, unless it is blocked', async () => {
    const [unused, blocked] = [await allowedApp(), await allowedApp()]
    await change('block', blocked.app.clientId)
    await allowLongAgo(unused.app.clientId, blocked.app.clientId)

    await forget(unused.app.clientId)
    await forget(blocked.app.clientId)

    expect(await listed(unused.app.clientId)).toBeUndefined()
    expect(await listed(blocked.app.clientId)).toMatchObject({ blocked_at: expect.any(Number) })
  })

  it('lists a client that a user has allowed while it was forgotten [Q4]', async () => {
    const { app } = await allowedApp()

    await forget(app.clientId)

    expect(await listed(app.clientId)).toMatchObject({ approvals: 1 })
  })

  it('lists an unused client for another hour if the database does not respond', async () => {
    stopClock()
    const { app } = await allowedApp()
    await allowLongAgo(app.clientId)

    const UnregisteredClient = withUnregisteredClient(ClientMetadataObject)
    const state = await runInDurableObject(metadataObject(app.clientId), async (_, ctx) => {
      const failing = new UnregisteredClient(ctx, { ...env, DIRECTORY: forbidden('D1') })
      await failing.alarm()
      return { alarm: await ctx.storage.getAlarm(), document: ctx.storage.kv.get('document') }
    })

    expect(state).toEqual({ alarm: Date.now() + HOUR * 1000, document: expect.anything() })
    expect(lastLogEntry('client_cleanup_failed')).toMatchObject({ cause: expect.any(String) })
    expect(await listed(app.clientId)).toMatchObject({ approvals: 1 })
  })
})

it('is listed and blocked in the console, or with its host', async () => {
  const { app, refresh } = await allowedApp()
  const { administrator } = await signInAdministrator({ ...OPEN_SETTINGS })
  const path = (id: string) => `/admin/unregistered-clients/${encodeURIComponent(id)}`
  const list = async () => (await administrator.get('/admin/unregistered-clients')).text()

  const before = await list()
  await submitForm(administrator, `${path(app.clientId)}/block`)
  const after = await list()

  for (const id of [app.clientId, app.host]) expect(before).toContain(`href="${path(id)}/block"`)
  expect(after).toContain(`href="${path(app.clientId)}/unblock"`)
  expect((await refresh()).status).toBe(401)
})

it('is listed in the console on several pages', async () => {
  const host = `${crypto.randomUUID()}.example`
  await addClients(host, 51, nowInSeconds() + 120)
  const { administrator } = await signInAdministrator({ ...OPEN_SETTINGS })

  const first = await (await administrator.get('/admin/unregistered-clients')).text()
  const [, next = ''] = first.match(/href="([^"]+)">Next page</) ?? []
  const second = await (await administrator.get(next)).text()

  // The order of those with the same time is that of their ids, as texts.
  expect(first).not.toContain(`https://${host}/1<`)
  expect(second).toContain(`https://${host}/1<`)
  expect(second).not.toContain(`https://${host}/2<`)
})

describe('a blocked client', () => {
  it('gets nothing more: no code, no tokens, no claims, and APIs reject its tokens', async () => {
    const { app, browser, access_token, refresh } = await allowedApp()
    expect(await isAcceptedByApi(access_token)).toBe(true)

    const response = await change('block', app.clientId)

    expect(await response.json()).toMatchObject({
      id: app.clientId,
      blocked_at: expect.any(Number),
    })
    expect(await authorizationError(app)).toBe('client_unknown')
    expect(await (await refresh()).json()).toMatchObject({ error: 'invalid_client' })
    expect(await isAcceptedByApi(access_token)).toBe(false)
    const elsewhere = new Browser(newIsolate())
    const userinfo = await elsewhere.get('/oidc/userinfo', bearer(access_token))
    expect(userinfo.status).toBe(401)
    expect(await (await browser.get('/account')).text()).toContain(app.host)
  })

  it('is rejected by isolates that knew it, within a minute', async () => {
    stopClock()
    const { app } = await allowedApp()
    await change('block', app.clientId)

    advanceClock(60)

    expect(await authorizationError(app, openService)).toBe('client_unknown')
  })

  it('gets no consent on a page that was open, even from an isolate that does not know', async () => {
    const app = await new UnregisteredApp().publish()
    const browser = await newUser()
    const page = await app.authorize(browser)
    await change('block', app.clientId)

    const response = await decide(browser, page)

    expect(response.status).toBe(400)
    expect(await response.text()).toContain('client_unknown')
    expect(await (await browser.get('/account')).text()).not.toContain(app.host)
  })

  it('is accepted again once it is unblocked, with its refresh tokens and new tokens', async () => {
    stopClock()
    const { app, refresh } = await allowedApp()
    await change('block', app.clientId)
    advanceClock(120)
    await change('unblock', app.clientId)
    advanceClock(1)

    const { access_token } = await (await refresh()).json<{ access_token: string }>()

    expect(await isAcceptedByApi(access_token)).toBe(true)
    expect(await listed(app.clientId)).not.toHaveProperty('blocked_at')
  })

  it('is recorded in the audit log, once for each change', async () => {
    const { app } = await allowedApp()
    for (const action of ['block', 'block', 'unblock', 'unblock'] as const) {
      expect((await change(action, app.clientId)).status).toBe(200)
    }

    const { results } = await env.DIRECTORY.prepare('SELECT event FROM audit WHERE subject = ?')
      .bind(app.clientId)
      .all()

    expect(results).toEqual([{ event: 'client_blocked' }, { event: 'client_unblocked' }])
  })
})

describe('a blocked host', () => {
  it('is blocked with all its clients and their tokens; other hosts are not', async () => {
    const first = await allowedApp()
    const second = await allowedApp(first.app.host, '/second.json')
    const unknown = await new UnregisteredApp(first.app.host, '/third.json').publish()
    const other = await allowedApp()

    await change('block', first.app.host)

    for (const { app, access_token, refresh } of [first, second]) {
      expect(await authorizationError(app)).toBe('client_unknown')
      expect(await (await refresh()).json()).toMatchObject({ error: 'invalid_client' })
      expect(await isAcceptedByApi(access_token)).toBe(false)
    }
    expect(await authorizationError(unknown)).toBe('client_unknown')
    expect(await countFetches(unknown.clientId)).toBe(0)
    expect(await authorizationError(other.app)).toBeUndefined()
    expect(await isAcceptedByApi(other.access_token)).toBe(true)
  })

  it('may be all subdomains of a domain', async () => {
    const domain = `${crypto.randomUUID()}.agents.example`
    const [inside, apex, similar] = await Promise.all(
      [`a.${domain}`, domain, `a.x${domain}`].map((host) => new UnregisteredApp(host).publish()),
    )
    await change('block', `*.${domain}`)

    expect(await authorizationError(inside ?? expect.fail())).toBe('client_unknown')
    expect(await authorizationError(apex ?? expect.fail())).toBeUndefined()
    expect(await authorizationError(similar ?? expect.fail())).toBeUndefined()
  })

  it('is blocked with the tokens of clients that have several hosts or subdomains', async () => {
    const domain = `${crypto.randomUUID()}.example`
    const of = (hosts: string) => `https://${hosts}/1`
    const lists = [
      `a.example ${domain}`,
      `${domain} a.example`,
      `b.${domain} c.example`,
      `x${domain}`,
    ]
    for (const hosts of lists) await addClients(hosts, 1)
    const areRevoked = async () =>
      Promise.all(
        lists.map(async (hosts) => isClientRevoked(env, of(hosts), { iat: nowInSeconds() })),
      )

    await change('block', domain)
    expect(await areRevoked()).toEqual([true, true, false, false])
    await change('block', `*.${domain}`)
    expect(await areRevoked()).toEqual([true, true, true, false])
    await change('unblock', domain)
    expect(await areRevoked()).toEqual([false, false, true, false])
  })

  it('is blocked however many clients it has, and leaves room for the revocations of others', async () => {
    const { app, access_token, refresh } = await allowedApp()
    await app.code(await newUser())
    await addClients(app.host, 5000)
    const countRevocations = async () => (await readAllObjects(env, 0)).length
    const { call } = await connectMachine({}, newIsolate())
    const before = await countRevocations()

    const response = await call(`/unregistered-clients/${app.host}/block`, { method: 'POST' })

    expect(response.status).toBe(200)
    // The host, and the clients that were allowed most often.
    expect((await countRevocations()) - before).toBe(1001)
    expect(await isAcceptedByApi(access_token)).toBe(false)
    expect(await (await refresh()).json()).toMatchObject({ error: 'invalid_client' })
  })

  it('leaves a client blocked that was blocked itself, when it is unblocked', async () => {
    const { app, access_token, refresh } = await allowedApp()
    await change('block', app.clientId)
    await change('block', app.host)
    await change('unblock', app.host)

    expect(await (await refresh()).json()).toMatchObject({ error: 'invalid_client' })
    expect(await isAcceptedByApi(access_token)).toBe(false)
    expect(await listed(app.host)).toBeUndefined()
  })
})

it.each(['none', '*', 'Example.com', 'a b.example'])('does not block %j', async (id) => {
  const response = await change('block', id)

  expect(response.status).toBe(404)
  await readProblem(response)
})

it('lets no user allow a client that cannot be recorded', async () => {
  let isReachable = true
  const DIRECTORY = new Proxy(env.DIRECTORY, {
    get(database, name) {
      const value = Reflect.get(database, name)
      if (name === 'batch' && !isReachable) return async () => Promise.reject(new Error('Down.'))
      return typeof value === 'function' ? value.bind(database) : value
    },
  })
  const app = await new UnregisteredApp().publish()
  const browser = await newUser(serviceWith({ ...OPEN_SETTINGS, DIRECTORY }))
  const page = await app.authorize(browser)

  isReachable = false
  const response = await decide(browser, page)
  isReachable = true

  expect(response.status).toBe(503)
  expect((await app.authorize(browser)).status).toBe(200)
})
