import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sendLogoutToken } from '../../../src/core/users/back-channel-logout.ts'
import { Browser, lastLogEntry } from '../../browser.ts'
import { advanceClock, HOUR, setClock, stopClock } from '../../clock.ts'
import { readConfig } from '../../deployment.ts'
import { signInNewUser } from '../../new-user.ts'
import { type UserObjectStub, userObject } from '../../storage.ts'
import { logoutDeliveries, RECEIVER, setReceiverResponse } from './logout-token-receiver.ts'
import { verifyWithPublishedKeys } from './published-metadata.ts'
import { logoutUrl, RelyingApp, signedInToApp } from './relying-app.ts'

/** The back-channel addresses that received a logout token of this session, sorted. */
async function notifiedPaths(sid: string): Promise<string[]> {
  const deliveries = await logoutDeliveries({ sid })
  return deliveries.map(({ path }) => path).sort()
}

/** A new user who is signed in to `web` and these other apps, and the user's Durable Object. */
async function signedInToApps(...otherApps: string[]) {
  const { browser, tokens, idToken } = await signedInToApp('web')
  for (const clientId of otherApps) await new RelyingApp(clientId).tokens(browser)
  const claims = tokens.claims()
  const sub = claims?.sub ?? ''
  return { browser, idToken, sub, sid: String(claims?.['sid']), object: userObject(sub) }
}

/** The number of failed attempts for each logout token that is still to be delivered. */
function pendingAttempts(object: UserObjectStub): Promise<unknown[]> {
  return runInDurableObject(object, (_, { storage: { kv } }) => {
    const notices = kv.list<{ attempts: number }>({ prefix: 'logout:' })
    return Array.from(notices, ([, { attempts }]) => attempts)
  })
}

async function signOut(browser: Browser, object: UserObjectStub): Promise<void> {
  await browser.post('/api/auth/signout', {})
  await runDurableObjectAlarm(object)
}

/** Moves the clock to the time for which the object has scheduled its next alarm, and runs it. */
async function runNextAlarm(object: UserObjectStub): Promise<void> {
  const due = await runInDurableObject(object, (_, { storage }) => storage.getAlarm())
  setClock((due ?? Date.now()) / 1000)
  await runDurableObjectAlarm(object)
}

async function retryAfter(seconds: number, object: UserObjectStub): Promise<void> {
  advanceClock(seconds)
  await runDurableObjectAlarm(object)
}

function waitForPendingAttempts(
  object: UserObjectStub,
  attempts: number[],
  timeout?: number, // milliseconds
): Promise<void> {
  return vi.waitFor(async () => expect(await pendingAttempts(object)).toEqual(attempts), timeout)
}

afterEach(() => {
  vi.useRealTimers()
})

describe('back-channel logout', () => {
  it('[J8] sends a logout token to every app of the session', async () => {
    const { browser, object, sub, sid } = await signedInToApps('post')

    await signOut(browser, object)
    await vi.waitFor(async () => expect(await notifiedPaths(sid)).toEqual(['/post', '/web']))

    for (const { path, type = '', body } of await logoutDeliveries({ sid })) {
      const form = new URLSearchParams(body)
      const token = form.get('logout_token') ?? ''
      expect(type).toMatch(/^application\/x-www-form-urlencoded/)
      expect([...form.keys()]).toEqual(['logout_token'])
      const { payload, protectedHeader } = await verifyWithPublishedKeys(token, {
        audience: path.slice(1),
      })
      expect([protectedHeader.typ, payload.sub]).toEqual(['logout+jwt', sub])
      expect(payload).toMatchObject({ sid, jti: expect.stringMatching(/./) })
      expect(payload['events']).toEqual({
        'http://schemas.openid.net/event/backchannel-logout': {},
      })
      expect(payload).not.toHaveProperty('nonce')
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(120)
    }
  })

  it('[J9] retries when an app fails, and does not delay the sign-out', async () => {
    const { browser, object, sid } = await signedInToApps()
    await setReceiverResponse(sid, '500')

    await signOut(browser, object)
    expect(await browser.session()).toBeNull()
    await waitForPendingAttempts(object, [1])
    await retryAfter(11, object)
    expect(await pendingAttempts(object)).toEqual([2])
    await setReceiverResponse(sid, '200')
    await retryAfter(21, object)

    expect(await notifiedPaths(sid)).toEqual(['/web', '/web', '/web'])
    expect(await pendingAttempts(object)).toEqual([])
  })

  it('[J9] retries for about a day, then gives up', async () => {
    const { browser, object, sid } = await signedInToApps()
    // The attempt of the sign-in has expired, so that every alarm is a retry.
    advanceClock(12 * 60)
    await setReceiverResponse(sid, '500')
    await signOut(browser, object)
    await waitForPendingAttempts(object, [1])
    const firstAttemptAt = Date.now() / 1000

    const retriedAt: number[] = []
    while ((await pendingAttempts(object)).length > 0 && retriedAt.length < 100) {
      await runNextAlarm(object)
      retriedAt.push(Date.now() / 1000)
    }

    const hours = ((retriedAt.at(-1) ?? 0) - firstAttemptAt) / 3600
    expect(hours).toBeGreaterThan(20)
    expect(hours).toBeLessThan(28)
    expect(await logoutDeliveries({ sid })).toHaveLength(1 + retriedAt.length)
    expect(lastLogEntry('logout_given_up')).toMatchObject({
      clientId: 'web',
      attempts: 1 + retriedAt.length,
    })
  })

  it('notifies each app of the session once, and no other app', async () => {
    const { browser, object, sid } = await signedInToApps()

    await signOut(browser, object)
    await runDurableObjectAlarm(object)
    await waitForPendingAttempts(object, [])

    expect(await notifiedPaths(sid)).toEqual(['/web'])
  })

  it('notifies an app that the user removed no second time when the session ends', async () => {
    const { browser, object, sid } = await signedInToApps('post')
    await browser.post('/account/consents', { client_id: 'web' })
    await runDurableObjectAlarm(object)
    await waitForPendingAttempts(object, [])

    await signOut(browser, object)
    await waitForPendingAttempts(object, [])

    expect(await notifiedPaths(sid)).toEqual(['/post', '/web'])
  })

  it('[J9] sends all logout tokens if seven sessions end at once, five with each alarm', async () => {
    const { browser, handle, userId } = await signInNewUser()
    const others = Array.from({ length: 6 }, () => new Browser())
    for (const other of others) await other.signIn(handle)
    const sids: string[] = []
    for (const each of [browser, ...others]) {
      const tokens = await new RelyingApp('web').tokens(each)
      sids.push(String(tokens.claims()?.['sid']))
    }
    const object = userObject(userId)
    const notified = async () =>
      (await Promise.all(sids.map((sid) => logoutDeliveries({ sid })))).map(({ length }) => length)
    // The runtime has another clock, so alarms are run by this test alone.
    advanceClock(HOUR)
    await browser.post('/account/sessions', { sid: 'others' })
    await browser.post('/api/auth/signout', {})

    await runDurableObjectAlarm(object)
    expect((await notified()).toSorted()).toEqual([0, 0, 1, 1, 1, 1, 1])
    await runDurableObjectAlarm(object)

    expect(await notified()).toEqual([1, 1, 1, 1, 1, 1, 1])
    expect(await pendingAttempts(object)).toEqual([])
  })

  it('[J10] ignores a backchannel_logout_uri in a request', async () => {
    const { browser, object, idToken, sid } = await signedInToApps()
    const elsewhere = { backchannel_logout_uri: `${RECEIVER}/elsewhere` }
    await new RelyingApp().tokens(browser, elsewhere)

    await browser.get(logoutUrl({ id_token_hint: idToken, ...elsewhere }))
    await runDurableObjectAlarm(object)
    await waitForPendingAttempts(object, [])

    expect(await notifiedPaths(sid)).toEqual(['/web'])
  })

  it('[J10] uses the address registered at the time of delivery, and drops removed clients', async () => {
    const sid = `ses_${crypto.randomUUID()}`
    const notice = { clientId: 'web', sid, attempts: 0, dueAt: 0 }
    const client = { client_id: 'web', redirect_uris: ['https://web.example/callback'] }
    const moved = { ...client, backchannel_logout_uri: `${RECEIVER}/moved` }
    const deliver = (CLIENTS: unknown[]) =>
      sendLogoutToken(env, readConfig({ ...env, CLIENTS }), { ...notice, userId: 'usr_any' })

    expect(await deliver([])).toBe(true)
    expect(await deliver([client])).toBe(true)
    expect(await notifiedPaths(sid)).toEqual([])
    expect(await deliver([moved])).toBe(true)
    expect(await notifiedPaths(sid)).toEqual(['/moved'])
  })

  it.each(['301', '302', '303', '307', '308'])(
    '[J10] does not follow a redirect, and treats %s as a failure',
    async (status) => {
      const { browser, object, sid } = await signedInToApps()
      await setReceiverResponse(sid, status)

      await signOut(browser, object)
      await waitForPendingAttempts(object, [1])

      expect(await notifiedPaths(sid)).toEqual(['/web'])
    },
  )

  it('[J10] waits five seconds for an app that hangs, and notifies the others meanwhile', async () => {
    const { browser, object, sid } = await signedInToApps('post')
    await setReceiverResponse(sid, 'hang')
    const startedAt = Date.now()

    await browser.post('/api/auth/signout', {})
    const alarm = runDurableObjectAlarm(object)
    await vi.waitFor(async () => expect(await notifiedPaths(sid)).toEqual(['/post', '/web']))
    expect(await pendingAttempts(object)).toEqual([0])
    await alarm
    await waitForPendingAttempts(object, [1], 15_000)

    expect(Date.now() - startedAt).toBeGreaterThan(4500)
  })

  it('[J9] is sent once while a delivery is under way, and again if that has not ended after ten seconds', async () => {
    const { browser, object, sid } = await signedInToApps()
    await setReceiverResponse(sid, 'slow')
    // The runtime has another clock, so alarms are run by this test alone.
    advanceClock(HOUR)
    const now = stopClock()
    await browser.post('/api/auth/signout', {})
    const deliveriesAfterAlarm = async () => {
      const alarm = runInDurableObject(object, (instance) => instance.alarm())
      const isFinished = await Promise.race([alarm.then(() => true), scheduler.wait(200)])
      return { alarm, isFinished, count: (await logoutDeliveries({ sid })).length }
    }
    const first = runDurableObjectAlarm(object)
    await vi.waitFor(async () => expect(await logoutDeliveries({ sid })).toHaveLength(1))

    setClock(now + 9)
    expect(await deliveriesAfterAlarm()).toMatchObject({ isFinished: true, count: 1 })
    setClock(now + 10)
    const second = await deliveriesAfterAlarm()

    expect(second.count).toBe(2)
    await Promise.all([first, second.alarm])
    expect(await pendingAttempts(object)).toEqual([])
  })

  it('[J10] does not read an endless response body', async () => {
    const { browser, object, sid } = await signedInToApps()
    await setReceiverResponse(sid, 'flood')

    await signOut(browser, object)
    await waitForPendingAttempts(object, [])

    expect(await notifiedPaths(sid)).toEqual(['/web'])
  })
})

describe('a logout during the delivery of an earlier notice', () => {
  it.each([
    ['succeeds', 'slow'],
    ['fails', 'slow-500'],
  ])('[J9] stays to be delivered when the earlier delivery %s', async (_, response) => {
    const { browser, object, sid } = await signedInToApps()
    await setReceiverResponse(sid, response)
    // The runtime has another clock, so alarms are run by this test alone.
    advanceClock(HOUR)
    await browser.post('/account/consents', { client_id: 'web' })
    const earlier = runDurableObjectAlarm(object)
    await vi.waitFor(async () => expect(await logoutDeliveries({ sid })).toHaveLength(1))
    advanceClock(1)

    await new RelyingApp('web').tokens(browser)
    await browser.post('/api/auth/signout', {})
    await earlier

    expect(await pendingAttempts(object)).toEqual([0])
    await setReceiverResponse(sid, '200')
    await runDurableObjectAlarm(object)
    expect(await logoutDeliveries({ sid })).toHaveLength(2)
    expect(await pendingAttempts(object)).toEqual([])
  })

  it('[J9] is delivered as well', async () => {
    const { browser, object, sid } = await signedInToApps()
    await setReceiverResponse(sid, 'slow')
    await browser.post('/account/consents', { client_id: 'web' })
    await vi.waitFor(async () => expect(await logoutDeliveries({ sid })).toHaveLength(1))

    await new RelyingApp('web').tokens(browser)
    await browser.post('/api/auth/signout', {})

    await vi.waitFor(
      async () => {
        await runDurableObjectAlarm(object)
        expect(await logoutDeliveries({ sid })).toHaveLength(2)
      },
      { timeout: 15_000, interval: 500 },
    )
  })
})
