import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { tellClient } from '../../src/users/back-channel-logout.ts'
import { type Browser, LOGIN } from '../browser.ts'
import { RelyingApp, signedInAt } from './relying-app.ts'

interface Delivery {
  path: string
  sid: string
  body: string
}

/** What apps have been told of this session, and where. */
async function told(sid: string): Promise<Delivery[]> {
  const received: Delivery[] = await (await fetch('https://told.example/received')).json()
  return received.filter((delivery) => delivery.sid === sid)
}

async function placesTold(sid: string): Promise<string[]> {
  return (await told(sid)).map(({ path }) => path).sort()
}

/** How the app takes the news about this session. */
function order(sid: string, how: string): Promise<Response> {
  return fetch(`https://told.example/order/${sid}/${how}`, { method: 'POST' })
}

/** Somebody who is signed in at these apps, and what decides for them. */
async function participant(...others: string[]) {
  const { browser, tokens, hint } = await signedInAt('web')
  for (const other of others) await new RelyingApp(other).tokens(browser)
  const claims = tokens.claims()
  const sub = claims?.sub ?? ''
  const object = env.USERS.get(env.USERS.idFromName(sub))
  return { browser, hint, sub, sid: String(claims?.['sid']), object }
}

type UserStub = Awaited<ReturnType<typeof participant>>['object']

/** How often each app that has yet to be told was tried. */
function attempts(object: UserStub): Promise<unknown[]> {
  return runInDurableObject(object, (_, { storage: { sql } }) => {
    // An object that has nothing left has no tables either.
    const isEmpty = [...sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'outbox'")].length === 0
    if (isEmpty) return []
    return Array.from(sql.exec('SELECT attempts FROM outbox'), ({ attempts }) => attempts)
  })
}

async function signOut(browser: Browser, object: UserStub): Promise<void> {
  await browser.post('/api/auth/signout', {})
  await runDurableObjectAlarm(object)
}

/** As if so many seconds had passed. */
async function tryAgainAfter(seconds: number, object: UserStub): Promise<void> {
  vi.useFakeTimers({ now: Date.now() + seconds * 1000, toFake: ['Date'] })
  await runDurableObjectAlarm(object)
}

afterEach(() => {
  vi.useRealTimers()
})

describe('back-channel logout', () => {
  it('[J8] tells every app of the session, with a logout token', async () => {
    const { browser, object, sub, sid } = await participant('post')

    await signOut(browser, object)
    await vi.waitFor(async () => expect(await placesTold(sid)).toEqual(['/post', '/web']))

    const keys = createLocalJWKSet(await browser.json('/.well-known/jwks.json'))
    for (const { path, body } of await told(sid)) {
      const token = new URLSearchParams(body).get('logout_token') ?? ''
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer: LOGIN,
        audience: path.slice(1),
      })
      expect([protectedHeader.typ, payload.sub]).toEqual(['logout+jwt', sub])
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(120)
    }
  })

  it('[J9] tries again when an app does not answer, and delays nobody', async () => {
    const { browser, object, sid } = await participant()
    await order(sid, '500')

    await signOut(browser, object)
    expect(await browser.session()).toBeNull()
    await vi.waitFor(async () => expect(await attempts(object)).toEqual([1]))
    await tryAgainAfter(11, object)
    expect(await attempts(object)).toEqual([2])
    await order(sid, '200')
    await tryAgainAfter(21, object)

    expect(await placesTold(sid)).toEqual(['/web', '/web', '/web'])
    expect(await attempts(object)).toEqual([])
  })

  it('tells nobody twice, and nobody who was not there', async () => {
    const { browser, object, sid } = await participant()

    await signOut(browser, object)
    await runDurableObjectAlarm(object)
    await vi.waitFor(async () => expect(await attempts(object)).toEqual([]))

    expect(await placesTold(sid)).toEqual(['/web'])
  })

  it('[J10] tells an app at its configured address, whatever a request says', async () => {
    const { browser, object, hint, sid } = await participant()
    const elsewhere = { backchannel_logout_uri: 'https://told.example/elsewhere' }
    await new RelyingApp().tokens(browser, elsewhere)
    const query = new URLSearchParams({ id_token_hint: hint, ...elsewhere })

    await browser.get(`/oidc/logout?${query}`)
    await runDurableObjectAlarm(object)
    await vi.waitFor(async () => expect(await attempts(object)).toEqual([]))

    expect(await placesTold(sid)).toEqual(['/web'])
  })

  it('[J10] tells an app where it is configured now, and nobody who is no more', async () => {
    const notice = { id: 1, client_id: 'web', sid: 'ses_moved', attempts: 0 }
    const client = { client_id: 'web', redirect_uris: ['https://web.example/callback'] }
    const moved = { ...client, backchannel_logout_uri: 'https://told.example/moved' }
    const told = (CLIENTS: unknown[]) =>
      tellClient({ ...env, CLIENTS } as unknown as Env, 'usr_any', notice)

    expect(await told([])).toBe(true)
    expect(await told([client])).toBe(true)
    expect(await placesTold('ses_moved')).toEqual([])
    expect(await told([moved])).toBe(true)
    expect(await placesTold('ses_moved')).toEqual(['/moved'])
  })

  it.each(['301', '302', '303', '307', '308'])(
    '[J10] follows no redirect, and takes %s for no answer',
    async (status) => {
      const { browser, object, sid } = await participant()
      await order(sid, status)

      await signOut(browser, object)
      await vi.waitFor(async () => expect(await attempts(object)).toEqual([1]))

      expect(await placesTold(sid)).toEqual(['/web'])
    },
  )

  it('[J10] waits five seconds for an app that hangs, and tells the others meanwhile', async () => {
    const { browser, object, sid } = await participant('post')
    await order(sid, 'hang')
    const started = Date.now()

    await browser.post('/api/auth/signout', {})
    const alarm = runDurableObjectAlarm(object)
    await vi.waitFor(async () => expect(await placesTold(sid)).toEqual(['/post', '/web']))
    expect(await attempts(object)).toEqual([0])
    await alarm
    await vi.waitFor(async () => expect(await attempts(object)).toEqual([1]), 15_000)

    expect(Date.now() - started).toBeGreaterThan(4500)
  })

  it('[J10] reads nothing of an answer that never ends', async () => {
    const { browser, object, sid } = await participant()
    await order(sid, 'flood')

    await signOut(browser, object)
    await vi.waitFor(async () => expect(await attempts(object)).toEqual([]))

    expect(await placesTold(sid)).toEqual(['/web'])
  })
})
