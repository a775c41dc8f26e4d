import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { metricsObject } from '../../../src/features/admin/metrics/metrics-object.ts'
import { webhookStore } from '../../../src/features/webhooks/webhook-store.ts'
import { Seal } from '../../../src/foundation/crypto/seal.ts'
import { accountDigests } from '../../account-digests.ts'
import { Browser, issuedSecrets, lastLogEntry, logLines, serviceWith } from '../../browser.ts'
import { advanceClock, DAY, HOUR, MINUTE, setClock, stopClock } from '../../clock.ts'
import { setReceiverResponse } from '../../core/oidc/logout-token-receiver.ts'
import { RelyingApp } from '../../core/oidc/relying-app.ts'
import { approveConsent } from '../../core/oidc/user-steps.ts'
import { ORIGIN } from '../../core/registrations/stored-clients.ts'
import { readConfig } from '../../deployment.ts'
import { shortenTimeouts } from '../../fast-timers.ts'
import { startLinking } from '../../link-account.ts'
import { createPlatformUser, signInNewUser } from '../../new-user.ts'
import { readReadiness } from '../../read-readiness.ts'
import { redirectUrl } from '../../redirect.ts'
import { signInAdministrator, submitForm } from '../admin/administrator.ts'
import { connectMachine, readProblem } from '../admin/machine-client.ts'
import { currentCode, newTotpUser, signInPending, submit } from '../totp/totp-browser.ts'
import {
  blockAndUnblock,
  deleteLaterEvents,
  deleteWebhooksAndEvents,
  registerWebhook,
  runSchedule,
  startRun,
} from './webhook.ts'

const BLOCKS = { events: ['user.blocked', 'user.unblocked'] }

beforeEach(deleteLaterEvents)
afterEach(deleteWebhooksAndEvents)

async function readCounts(): Promise<number[]> {
  const totals = await metricsObject(env).read()
  return ['delivered', 'delayed'].map(
    (outcome) => totals[`vestibule_webhooks_total{outcome="${outcome}"}`] ?? 0,
  )
}

async function readMetrics(): Promise<string> {
  const { call } = await connectMachine({ scope: 'admin:metrics' })
  return (await call('/metrics')).text()
}

describe('a webhook', () => {
  it('gets an event for each sign-in, consent, block and deletion, signed, and none from before', async () => {
    stopClock()
    const earlier = await signInNewUser()
    advanceClock(1)
    const webhook = await registerWebhook()
    const { browser, handle, userId } = await signInNewUser()
    advanceClock(1)
    await new Browser().signIn(handle)
    advanceClock(1)
    const kiosk = await new RelyingApp('kiosk').authorizationUrl()
    await approveConsent(browser, await browser.get(kiosk))
    advanceClock(1)
    await blockAndUnblock(userId)
    advanceClock(1)
    const { call, clientId } = await connectMachine()
    await call(`/users/${userId}`, { method: 'DELETE' })
    await runSchedule()

    const events = (await webhook.events()).filter(({ data }) => data['user_id'] === userId)
    expect(events.map(({ type }) => type)).toEqual([
      'user.created',
      'user.signed_in',
      'consent.granted',
      'user.blocked',
      'user.unblocked',
      'user.deleted',
    ])
    expect(events[0]).toMatchObject({
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: { user_id: userId, actor: userId, provider: 'tiktok', reference: expect.any(String) },
    })
    expect(events[2]?.data).toMatchObject({ client_id: 'kiosk' })
    expect(events[3]?.data).toEqual({ user_id: userId, actor: 'usr_event_test', reference: 'TEST' })
    expect(events[5]?.data).toMatchObject({ user_id: userId, actor: `client:${clientId}` })
    expect(JSON.stringify(await webhook.requests())).not.toContain(earlier.userId)
    expect(await webhook.deliveries()).toEqual([])
  })

  it('gets an event for each account that is added or removed, withdrawn consent, end of sessions, sign-out, and rejected sign-in', async () => {
    stopClock()
    const webhook = await registerWebhook()
    const { browser, handle, userId } = await signInNewUser()
    advanceClock(1)
    const kiosk = await new RelyingApp('kiosk').authorizationUrl()
    await approveConsent(browser, await browser.get(kiosk))
    advanceClock(1)
    await browser.post('/account/consents', { client_id: 'kiosk' })
    advanceClock(1)
    const start = redirectUrl(await startLinking(browser, 'tiktok'))
    await browser.get(await browser.approve(start, await createPlatformUser()))
    advanceClock(1)
    const [, account = ''] = await accountDigests(browser)
    await browser.post('/account/disconnect', { account })
    advanceClock(1)
    const other = new Browser()
    await other.signIn(handle)
    advanceClock(1)
    await other.post('/api/auth/signout', {})
    advanceClock(1)
    const { call } = await connectMachine()
    await call(`/users/${userId}/end-sessions`, { method: 'POST' })
    advanceClock(1)
    await call(`/users/${userId}/block`, { method: 'POST' })
    advanceClock(1)
    await new Browser().signIn(handle)
    await runSchedule()

    const events = (await webhook.events()).filter(({ data }) => data['user_id'] === userId)
    expect(events.map(({ type }) => type)).toEqual([
      'user.created',
      'consent.granted',
      'consent.withdrawn',
      'account.linked',
      'account.unlinked',
      'user.signed_in',
      'user.signed_out',
      'user.sessions_ended',
      'user.blocked',
      'sign_in.failed',
    ])
    expect(events[0]?.data).not.toHaveProperty('code')
    expect(events.at(-1)?.data).toMatchObject({ provider: 'tiktok', code: 'user_blocked' })
  })

  it('gets no event of a sign-in that waits for the second factor, until there is one', async () => {
    stopClock()
    const webhook = await registerWebhook()
    const { name, browser, secret } = await newTotpUser()
    const userId = (await browser.session())?.user.id ?? ''
    const { browser: thief, path } = await signInPending(name)
    await runSchedule()
    const events = async () =>
      (await webhook.events()).flatMap(({ type, data }) => (data['user_id'] === userId ? type : []))
    expect(await events()).toEqual(['user.created'])

    await submit(thief, path, { code: await currentCode(secret) })
    await runSchedule()

    expect(await events()).toEqual(['user.created', 'user.signed_in'])
    const { call } = await connectMachine()
    const user = await (await call(`/users/${userId}`)).json<{ recent_sign_ins: unknown[] }>()
    expect(user.recent_sign_ins).toHaveLength(2)
  })

  it('gets only the events that it is registered for, each once', async () => {
    const webhook = await registerWebhook({ events: ['user.unblocked'] })
    const { userId } = await signInNewUser()
    await blockAndUnblock(userId)
    await runSchedule()
    await runSchedule()

    expect(await webhook.events()).toMatchObject([
      { type: 'user.unblocked', data: { user_id: userId } },
    ])
  })

  it('gets each event once if two runs overlap [Q1]', async () => {
    const webhook = await registerWebhook(BLOCKS)
    const { userId } = await signInNewUser()
    await blockAndUnblock(userId)
    await blockAndUnblock(userId)
    await webhook.respond('slow')

    advanceClock(2 * MINUTE)
    await Promise.all([startRun(), startRun(), startRun()])

    const ids = (await webhook.events()).map(({ id }) => id)
    expect(ids).toHaveLength(4)
    expect(new Set(ids).size).toBe(4)
  })

  it('gets its events two minutes after a run that has crashed, and not before [Q1]', async () => {
    stopClock()
    const webhook = await registerWebhook(BLOCKS)
    const { userId } = await signInNewUser()
    await blockAndUnblock(userId)
    advanceClock(2 * MINUTE)
    await env.DIRECTORY.prepare(
      "UPDATE webhooks SET run_id = 'run_crashed', run_until = ? WHERE webhook_id = ?",
    )
      .bind(Date.now() / 1000 + 2 * MINUTE, webhook.name)
      .run()

    advanceClock(2 * MINUTE - 1)
    await startRun()
    expect(await webhook.requests()).toEqual([])
    advanceClock(1)
    await startRun()

    expect(await webhook.events()).toHaveLength(2)
  })

  it('gets its events although the registration of another one is invalid, which is logged', async () => {
    const [broken, webhook] = [await registerWebhook(BLOCKS), await registerWebhook(BLOCKS)]
    await env.DIRECTORY.prepare("UPDATE webhooks SET registration = '{}' WHERE webhook_id = ?")
      .bind(broken.name)
      .run()
    const { userId } = await signInNewUser()
    await blockAndUnblock(userId)

    await runSchedule()

    expect(await webhook.events()).toHaveLength(2)
    expect(lastLogEntry('webhook_failed')).toMatchObject({
      webhookId: broken.name,
      cause: 'its registration is invalid',
    })
  })

  it('does not get an event before entries with smaller ids must have been written [Q1]', async () => {
    stopClock()
    const webhook = await registerWebhook(BLOCKS)
    const { userId } = await signInNewUser()
    advanceClock(30)
    await blockAndUnblock(userId)
    advanceClock(-2)
    await runSchedule()
    expect(await webhook.events()).toEqual([])

    await runSchedule()
    expect(await webhook.events()).toHaveLength(2)
  })
})

describe('an event that is not accepted', () => {
  it.each(['500', '302', '410'])(
    'is sent again with the same id after a response with %s, while others are delivered [P8]',
    async (status) => {
      const webhook = await registerWebhook(BLOCKS)
      const { userId } = await signInNewUser()
      const [delivered = 0, delayed = 0] = await readCounts()
      await webhook.respond(status, 'user.blocked')
      await blockAndUnblock(userId)
      await runSchedule()
      const [failed, accepted] = await webhook.events()
      expect(accepted).toMatchObject({ type: 'user.unblocked' })
      expect(await webhook.deliveries()).toMatchObject([
        {
          event_id: failed?.id,
          type: 'user.blocked',
          attempts: 1,
          problem: `It responded with ${status}.`,
        },
      ])
      expect(await webhook.state()).toMatchObject({ waiting: 1, given_up: 0 })

      await webhook.respond('204', 'user.blocked')
      await runSchedule()

      const events = await webhook.events()
      expect(events).toHaveLength(3)
      expect(events[2]).toEqual(failed)
      expect(await webhook.deliveries()).toEqual([])
      await runSchedule()
      expect(await webhook.requests()).toHaveLength(3)
      expect(await readCounts()).toEqual([delivered + 2, delayed + 1])
    },
  )

  it('is sent again after growing delays, given up after a day, and can then be sent by hand', async () => {
    const start = stopClock()
    const webhook = await registerWebhook({ events: ['user.blocked'] })
    const { userId } = await signInNewUser()
    await blockAndUnblock(userId)
    await webhook.respond('500')
    while (Date.now() / 1000 < start + DAY + 2 * HOUR) {
      await runSchedule()
      if (Date.now() / 1000 > start + 2 * HOUR) advanceClock(29 * MINUTE)
    }

    const times = (await webhook.requests()).map(({ headers }) =>
      Number(headers['webhook-timestamp']),
    )
    const delays = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(delays.slice(0, 6)).toEqual([61, 122, 244, 488, 976, 1952])
    expect(Math.min(...delays.slice(6))).toBeGreaterThanOrEqual(HOUR)
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(DAY - 2 * HOUR)
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThanOrEqual(DAY + HOUR)
    expect(await webhook.state()).toMatchObject({ waiting: 0, given_up: 1 })
    const [delivery] = await webhook.deliveries()
    expect(delivery).not.toHaveProperty('due_at')
    expect(lastLogEntry('webhook_given_up')).toMatchObject({ webhookId: webhook.name })

    await webhook.respond('200')
    const resent = await webhook.call(`/events/${delivery?.['event_id']}/resend`, 'POST')
    expect(resent.status).toBe(204)
    expect(await webhook.deliveries()).toEqual([])
    const events = await webhook.events()
    expect(events.at(-1)).toEqual(events[0])
  })

  it('is forgotten a week after it was given up, also if all later ones are accepted', async () => {
    const start = stopClock()
    const webhook = await registerWebhook({ events: ['user.blocked'] })
    const { userId } = await signInNewUser()
    await blockAndUnblock(userId)
    await webhook.respond('500')
    await runSchedule()
    await webhook.respond('200')
    await env.DIRECTORY.prepare('UPDATE webhook_deliveries SET due_at = NULL WHERE webhook_id = ?')
      .bind(webhook.name)
      .run()
    const givenUp = async () => {
      await blockAndUnblock(userId)
      await runSchedule()
      return (await webhook.state())['given_up']
    }

    setClock(start + 7 * DAY - HOUR)
    expect(await givenUp()).toBe(1)
    setClock(start + 7 * DAY + HOUR)
    expect(await givenUp()).toBe(0)
  })

  it('is put aside if the receiver does not respond, which is left alone after a few failures [P3]', async () => {
    onTestFinished(shortenTimeouts())
    const webhook = await registerWebhook(BLOCKS)
    const other = await registerWebhook(BLOCKS)
    const { userId } = await signInNewUser()
    for (let count = 0; count < 5; count++) await blockAndUnblock(userId)
    await webhook.respond('hang')
    await runSchedule()

    expect(await webhook.requests()).toHaveLength(4)
    expect(await webhook.state()).toMatchObject({ waiting: 4, unsent_since: expect.any(Number) })
    expect(await webhook.deliveries()).toMatchObject(
      Array(4).fill({ problem: 'It did not respond in time.' }),
    )
    expect(await other.events()).toHaveLength(10)

    await webhook.respond('200')
    await runSchedule()
    const ids = (await webhook.events()).map(({ id }) => id)
    expect(new Set(ids).size).toBe(10)
    expect(await webhook.state()).toMatchObject({ waiting: 0 })
  })

  it('does not delay the others, as long as some of them are accepted', async () => {
    const webhook = await registerWebhook(BLOCKS)
    const { userId } = await signInNewUser()
    await webhook.respond('500', 'user.blocked')
    for (let count = 0; count < 6; count++) await blockAndUnblock(userId)

    await runSchedule()

    expect(await webhook.requests()).toHaveLength(12)
    expect(await webhook.state()).toMatchObject({ waiting: 6 })
  })

  it('is not sent again once the webhook no longer gets its type, except by hand', async () => {
    const webhook = await registerWebhook({ events: ['user.blocked'] })
    const { userId } = await signInNewUser()
    await webhook.respond('500')
    await blockAndUnblock(userId)
    await runSchedule()
    const [delivery] = await webhook.deliveries()
    const resend = () => webhook.call(`/events/${delivery?.['event_id']}/resend`, 'POST')
    expect((await resend()).status).toBe(409)
    expect(await webhook.state()).toMatchObject({ waiting: 1 })

    await webhook.call('', 'PATCH', { events: ['user.deleted'] })
    await webhook.respond('200')
    await runSchedule()

    expect(await webhook.requests()).toHaveLength(2)
    expect(await webhook.deliveries()).toEqual([])
    expect((await resend()).status).toBe(204)
    expect(await webhook.requests()).toHaveLength(3)
  })

  it('is given up once its entry of the audit log was deleted', async () => {
    const webhook = await registerWebhook({ events: ['user.blocked'] })
    const { userId } = await signInNewUser()
    await webhook.respond('500')
    await blockAndUnblock(userId)
    await runSchedule()
    await env.DIRECTORY.prepare('DELETE FROM audit WHERE subject = ?').bind(userId).run()

    await runSchedule()

    const [delivery] = await webhook.deliveries()
    expect(delivery).toEqual({
      event_id: expect.any(String),
      attempts: 2,
      failed_at: expect.any(Number),
      problem: 'The entry of the audit log was deleted.',
    })
    const resent = await webhook.call(`/events/${delivery?.['event_id']}/resend`, 'POST')
    expect(resent.status).toBe(404)
  })

  it('is listed once with all others, page by page', async () => {
    const webhook = await registerWebhook({ events: ['user.blocked'] })
    const { userId } = await signInNewUser()
    await webhook.respond('500')
    for (let count = 0; count < 3; count++) await blockAndUnblock(userId)
    await runSchedule()
    const readPage = async (query: string) => {
      const response = await webhook.call(`/deliveries?limit=2${query}`)
      return response.json<{ items: { event_id: string }[]; next_cursor?: string }>()
    }

    const first = await readPage('')
    const second = await readPage(`&cursor=${first.next_cursor}`)

    const ids = [...first.items, ...second.items].map(({ event_id }) => event_id)
    expect(ids).toEqual((await webhook.deliveries()).map(({ event_id }) => event_id))
    expect([first.items.length, second.items.length]).toEqual([2, 1])
    expect(second).not.toHaveProperty('next_cursor')
  })

  it('is followed by no others while a thousand wait', async () => {
    const webhook = await registerWebhook({ events: ['user.blocked'] })
    const { userId } = await signInNewUser()
    await env.DIRECTORY.prepare(
      `INSERT INTO webhook_deliveries
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       SELECT ?, 'event' || i, 1, unixepoch(), unixepoch() + 86400, 'x' FROM n`,
    )
      .bind(webhook.name)
      .run()
    await blockAndUnblock(userId)
    await runSchedule()
    expect(await webhook.requests()).toEqual([])

    await env.DIRECTORY.exec("DELETE FROM webhook_deliveries WHERE event_id = 'event7'")
    await runSchedule()
    expect(await webhook.events()).toMatchObject([{ data: { user_id: userId } }])
  })
})

it('does not read the body of a response, however long it is [P3]', async () => {
  const webhook = await registerWebhook({ events: ['user.blocked'] })
  const { userId } = await signInNewUser()
  await blockAndUnblock(userId)
  await webhook.respond('flood')
  const startedAt = performance.now()
  await runSchedule()

  expect(await webhook.state()).toMatchObject({ waiting: 0 })
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})

it('sends nothing to a webhook that is deleted meanwhile, and leaves no record of it', async () => {
  const webhook = await registerWebhook(BLOCKS)
  const { userId } = await signInNewUser()
  for (let count = 0; count < 3; count++) await blockAndUnblock(userId)
  await webhook.respond('slow-500')
  const run = runSchedule()
  await expect.poll(webhook.requests).not.toEqual([])
  await webhook.delete()
  await run

  const { results } = await env.DIRECTORY.prepare(
    'SELECT * FROM webhook_deliveries WHERE webhook_id = ?',
  )
    .bind(webhook.name)
    .all()
  expect(results).toEqual([])
  expect((await webhook.call()).status).toBe(404)
})

describe('the secret of a webhook', () => {
  it('signs next to the new one until it is removed', async () => {
    const webhook = await registerWebhook({ events: ['user.blocked'] })
    const { userId } = await signInNewUser()
    const rotation = await webhook.call('/rotate-secret', 'POST')
    const { webhook_secret: next } = await rotation.json<{ webhook_secret: string }>()
    await blockAndUnblock(userId)
    await runSchedule()
    expect(await webhook.events()).toEqual(await webhook.events(next))
    expect(await webhook.events()).toHaveLength(1)

    await webhook.call('/remove-former-secret', 'POST')
    await webhook.call('/test', 'POST')
    expect(await webhook.state()).toMatchObject({ secret_count: 1 })
    expect(await webhook.events(next)).toMatchObject([{}, { type: 'test', data: {} }])
    await expect(webhook.events()).rejects.toThrow('No matching signature')
  })

  it('signs next to the two newest ones, and is removed by the next rotation', async () => {
    const webhook = await registerWebhook()
    const rotate = async () => {
      const response = await webhook.call('/rotate-secret', 'POST')
      return response.json<{ webhook_secret: string; secret_count: number }>()
    }
    const [second, third] = [await rotate(), await rotate()]
    await webhook.call('/test', 'POST')

    expect(third.secret_count).toBe(3)
    for (const secret of [webhook.secret, second.webhook_secret, third.webhook_secret]) {
      expect(await webhook.events(secret)).toHaveLength(1)
    }

    expect((await rotate()).secret_count).toBe(3)
    await webhook.call('/test', 'POST')
    expect(await webhook.events(second.webhook_secret)).toHaveLength(2)
    await expect(webhook.events()).rejects.toThrow('No matching signature')
  })

  it('is stored sealed, and again with AUTH_SECRET when that is replaced [O3]', async () => {
    const webhook = await registerWebhook({ events: ['user.blocked'] })
    const stored = () =>
      env.DIRECTORY.prepare('SELECT registration FROM webhooks WHERE webhook_id = ?')
        .bind(webhook.name)
        .first<string>('registration')
    const before = await stored()
    expect(before).not.toContain(webhook.secret.slice('whsec_'.length))
    const { userId } = await signInNewUser()
    const replaced = {
      AUTH_SECRET: 'hM3rW8kZ5tLq2XvB9nCy7JfDg4SpTa1EoUi6RwKxNz0',
      AUTH_SECRET_1: env.AUTH_SECRET,
    }
    await runSchedule(replaced)
    expect(await stored()).not.toBe(before)

    await blockAndUnblock(userId)
    await runSchedule({ AUTH_SECRET: replaced.AUTH_SECRET })
    expect(await webhook.events()).toHaveLength(1)
  })

  it('is kept next to a former one that is sealed again with the replaced AUTH_SECRET [O3]', async () => {
    const webhook = await registerWebhook({ events: ['user.blocked'] })
    const { userId } = await signInNewUser()
    const replaced = {
      AUTH_SECRET: 'hM3rW8kZ5tLq2XvB9nCy7JfDg4SpTa1EoUi6RwKxNz0',
      AUTH_SECRET_1: env.AUTH_SECRET,
    }
    const change = { id: webhook.name, origin: ORIGIN }
    const config = readConfig({ ...env, ...replaced })
    const { secret } = await webhookStore.rotateSecret(env, config, change)

    await runSchedule(replaced)
    await blockAndUnblock(userId)
    await runSchedule({ AUTH_SECRET: replaced.AUTH_SECRET })

    expect(await webhook.events(secret)).toHaveLength(1)
    expect(await webhook.events()).toEqual(await webhook.events(secret))
  })

  it('has to be replaced if no secret opens it, and no event is lost meanwhile [O3]', async () => {
    const webhook = await registerWebhook({ events: ['user.blocked'] })
    const { userId } = await signInNewUser()
    await blockAndUnblock(userId)
    const replaced = { AUTH_SECRET: 'Zq7LmX2vT9cR4bN8kWj5HsYp1GdFa3EuQ6iOtKyCxVw' }
    await runSchedule(replaced)
    expect(await webhook.requests()).toEqual([])
    expect(lastLogEntry('webhook_failed')).toMatchObject({ webhookId: webhook.name })
    const series = `{webhook="${webhook.name}"}`
    expect(await readMetrics()).toContain(`vestibule_webhook_waiting_events${series} 0\n`)
    expect(await readMetrics()).toMatch(
      new RegExp(`^vestibule_webhook_delay_seconds${series} [1-9]`, 'm'),
    )

    await runSchedule()
    expect(await webhook.events()).toHaveLength(1)
    expect(await readMetrics()).toContain(`vestibule_webhook_delay_seconds${series} 0\n`)
  })

  it('stays valid if a leaked AUTH_SECRET is replaced and kept for what is in storage [O3]', async () => {
    const webhook = await registerWebhook({ events: ['user.blocked'] })
    const { userId } = await signInNewUser()
    await blockAndUnblock(userId)
    const AUTH_SECRET = 'Zq7LmX2vT9cR4bN8kWj5HsYp1GdFa3EuQ6iOtKyCxVw'
    await runSchedule({ AUTH_SECRET, AUTH_SECRET_LEAKED: env.AUTH_SECRET })
    expect(await webhook.events()).toHaveLength(1)

    await blockAndUnblock(userId)
    await runSchedule({ AUTH_SECRET })
    expect(await webhook.events()).toHaveLength(2)
  })

  it('is replaced without the former ones if AUTH_SECRET does not open them, as /readyz says', async () => {
    const webhook = await registerWebhook({ events: ['user.blocked'] })
    const { name } = webhook
    const foreign = await new Seal(['Zq7LmX2vT9cR4bN8kWj5HsYp1GdFa3EuQ6iOtKyCxVw']).seal<'webhook'>(
      'webhook',
      name,
      webhook.secret,
    )
    await env.DIRECTORY.prepare(
      "UPDATE webhooks SET registration = json_set(registration, '$.sealed_secrets', json_array(?2)) WHERE webhook_id = ?1",
    )
      .bind(name, foreign)
      .run()
    const check = async () => {
      const { response, body } = await readReadiness({})
      return {
        status: response.status,
        check: body.checks.find((part) => part.name === 'webhooks'),
      }
    }

    expect(await check()).toMatchObject({
      status: 200,
      check: {
        ready: true,
        problem: expect.stringMatching(
          /^1 of \d+ webhooks get no events: AUTH_SECRET was replaced/,
        ),
        fix: expect.stringContaining('webhooks rotate-secret'),
      },
    })
    expect(await webhook.state()).toMatchObject({
      problem: expect.stringContaining('AUTH_SECRET was replaced'),
    })
    expect(await readMetrics()).toContain('vestibule_ready{check="webhooks"} 1\n')
    expect(await readMetrics()).toContain('vestibule_warning{check="webhooks"} 1\n')
    const rotated = await webhook.call('/rotate-secret', 'POST')
    expect(await rotated.json()).toMatchObject({ secret_count: 1 })
    expect((await check()).check).toEqual({ name: 'webhooks', ready: true })
    expect(await webhook.state()).not.toHaveProperty('problem')
    advanceClock(6)
    expect(await readMetrics()).toContain('vestibule_warning{check="webhooks"} 0\n')
  })
})

describe('POST /admin/api/webhooks', () => {
  it.each([
    ['http://told.example/x', 'url must be an https URL'],
    ...[
      'https://localhost/x',
      'https://10.0.0.1/x',
      'https://0x7f.1/x',
      'https://[fd00::1]/x',
      'https://203.0.113.7/x',
      'https://crm/x',
      'https://crm.internal/x',
    ].map((url) => [url, 'url must be a public https URL']),
    ['https://login.example/x', 'url is an address of this service.'],
  ])('[P2] rejects the URL %s', async (url = '', message = '') => {
    const webhook = await registerWebhook()
    const response = await webhook.call('', 'PATCH', { url })

    const { status, problems = [] } = await readProblem(response)
    expect(status).toBe(400)
    expect(`${problems[0]?.path.join()} ${problems[0]?.message}`).toContain(message)
  })

  it.each([
    ['http://localhost:9999/events', undefined],
    ['https://localhost:9999/events', undefined],
    ['https://10.0.0.1/events', 'url must be a public https URL'],
  ])('[P2] of a service on loopback may be on loopback, too: %s', async (url, message) => {
    const config = readConfig({ ...env, AUTH_URL: 'http://localhost:8787' })
    const registration = { webhook_id: `w${crypto.randomUUID().slice(0, 8)}`, url }
    const created = webhookStore
      .create(env, config, { registration, origin: { actor: 'service' } })
      .then(() => undefined, String)

    if (message) expect(await created).toContain(message)
    else expect(await created).toBeUndefined()
  })

  it('does not accept a secret, nor show one again', async () => {
    const webhook = await registerWebhook()
    const response = await webhook.call('', 'PATCH', { sealed_secrets: ['x'] })

    expect(response.status).toBe(400)
    expect(JSON.stringify(await webhook.state())).not.toMatch(/sealed|whsec/)
  })
})

it('is shown in the console with what it has not accepted, which can be sent again there', async () => {
  const { administrator } = await signInAdministrator()
  const name = `w${crypto.randomUUID().slice(0, 8)}`
  const url = `https://told.example/events/${name}`
  const created = await submitForm(administrator, '/admin/new/webhooks', { webhook_id: name, url })
  const [, secret = ''] = /(whsec_[^<]+)</.exec(await created.text()) ?? []
  issuedSecrets.add(secret)
  expect(secret).not.toBe('')
  await setReceiverResponse(name, '500')
  const { userId } = await signInNewUser()
  await blockAndUnblock(userId)
  await runSchedule()

  const page = await (await administrator.get(`/admin/webhooks/${name}`)).text()
  expect(page).toContain('It responded with 500.')
  expect(page).not.toContain('whsec_')
  const [path = ''] = page.match(/\/admin\/webhooks\/\w+\/events\/[\w-]+\/resend/) ?? []
  const failed = await submitForm(administrator, path)
  expect(failed.status).toBe(409)
  expect(await failed.text()).toContain('The event was not accepted. It responded with 500.')

  await setReceiverResponse(name, '200')
  const resent = await submitForm(administrator, path)
  expect(resent.status).toBe(303)
  const after = await (await administrator.get(`/admin/webhooks/${name}`)).text()
  expect(after).not.toContain(path)
})

it('makes /readyz report that no Cron Trigger runs, once events wait for it', async () => {
  await registerWebhook(BLOCKS)
  const { userId } = await signInNewUser()
  await blockAndUnblock(userId)
  const readSchedule = async () => {
    const response = await new Browser(serviceWith({})).get('/readyz')
    const { checks } = await response.json<{ checks: { name: string; ready: boolean }[] }>()
    return checks.find((check) => check.name === 'schedule')
  }
  expect(await readSchedule()).toEqual({ name: 'schedule', ready: true })
  advanceClock(20 * MINUTE)
  expect(await readSchedule()).toMatchObject({
    ready: false,
    problem: 'Events are not sent to webhooks: no Cron Trigger runs.',
  })

  await runSchedule()
  expect(await readSchedule()).toEqual({ name: 'schedule', ready: true })
})

it('reports why a test event was not accepted', async () => {
  const webhook = await registerWebhook()
  await webhook.respond('503')
  const response = await webhook.call('/test', 'POST')

  const { status, detail } = await readProblem(response)
  expect([status, detail]).toEqual([409, 'The event was not accepted. It responded with 503.'])
  expect(logLines.join('\n')).not.toContain(webhook.secret)
})
