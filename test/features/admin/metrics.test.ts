import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { listAuditEntries } from '../../../src/administration/read-audit.ts'
import { validateOptions } from '../../../src/core/config/options.ts'
import { readEnglish } from '../../../src/core/messages/english.ts'
import { count, sendCounts } from '../../../src/core/metrics/count.ts'
import type { Report } from '../../../src/core/metrics/counts.ts'
import { DURATION } from '../../../src/core/metrics/metric-table.ts'
import { options } from '../../../src/deployment.ts'
import { countersOf } from '../../../src/features/admin/metrics/counters.ts'
import { READ_METRICS } from '../../../src/features/admin/metrics/metrics.ts'
import { metricsObject } from '../../../src/features/admin/metrics/metrics-object.ts'
import { Credentials, RecipientRejectedError } from '../../../src/providers.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, LOGIN, lastLogEntry, serviceOf, serviceWith } from '../../browser.ts'
import { advanceClock, DAY } from '../../clock.ts'
import { everyWayToSignIn } from '../../combined/every-way-to-sign-in.ts'
import { setReceiverResponse } from '../../core/oidc/logout-token-receiver.ts'
import {
  basic,
  formRequest,
  OFFLINE_ACCESS,
  postForm,
  RelyingApp,
  signedInAsNewUser,
  signedInToApp,
} from '../../core/oidc/relying-app.ts'
import { startAtTikTok } from '../../core/oidc/user-steps.ts'
import { skipWaits } from '../../fast-timers.ts'
import { redirectUrl } from '../../redirect.ts'
import { unreachable, userObject } from '../../storage.ts'
import { OPEN_SETTINGS, UnregisteredApp } from '../agents/unregistered-app.ts'
import { emailService, newAddress, requestMessage, wrongCode } from '../email/email-browser.ts'
import { connectMachine } from './machine-client.ts'

const { call } = await connectMachine(
  { scope: 'admin:metrics' },
  serviceOf(createVestibule(everyWayToSignIn)),
)

/** Requests the metrics. The numbers are by series, as in `name{label="value"}`. */
async function readMetrics(): Promise<Record<string, number>> {
  const text = await (await call('/metrics')).text()
  const lines = text.split('\n').filter((line) => line.startsWith('vestibule_'))
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end))]
    }),
  )
}

/** The counters that increase while this is done, except those of the requests themselves. */
async function countersIncreasedBy(act: () => Promise<unknown>) {
  const before = await readMetrics()
  await act()
  const after = await readMetrics()
  return Object.fromEntries(
    Object.entries(after)
      .filter(([series]) => !series.startsWith(DURATION.name))
      .map(([series, value]) => [series, value - (before[series] ?? 0)] as const)
      .filter(([series, increase]) => increase !== 0 && /_total\{/.test(series)),
  )
}

const { declared } = validateOptions(everyWayToSignIn, readEnglish)

describe('GET /admin/api/metrics', () => {
  it('counts refreshes and other successful token requests by their grant_type [O7]', async () => {
    const [app, browser] = [new RelyingApp(), await signedInAsNewUser()]

    const increases = await countersIncreasedBy(async () => {
      const { refresh_token = '' } = await app.tokens(browser, OFFLINE_ACCESS)
      await app.refresh(refresh_token)
    })

    expect(increases).toEqual({
      'vestibule_tokens_issued_total{grant_type="authorization_code"}': 1,
      'vestibule_tokens_issued_total{grant_type="refresh_token"}': 1,
    })
  })

  it('counts token errors by the error in the response, and no others [O7]', async () => {
    const increases = await countersIncreasedBy(async () => {
      const form = { grant_type: 'refresh_token', refresh_token: 'x' }
      await postForm('/oidc/token', form, basic('web'))
      await postForm('/oidc/token', { grant_type: 'x' }, basic('web'))
      await postForm('/oidc/token', {}, basic('web', 'wrong'))
      await postForm('/oidc/introspect', {}, basic('web', 'wrong'))
    })

    expect(increases).toEqual({
      'vestibule_token_errors_total{error="invalid_grant"}': 1,
      'vestibule_token_errors_total{error="unsupported_grant_type"}': 1,
      'vestibule_token_errors_total{error="invalid_client"}': 1,
    })
  })

  it('counts requests of unknown clients, without their ids [O7][R6]', async () => {
    const increases = await countersIncreasedBy(async () => {
      await new Browser().get('/oidc/authorize?client_id=nobody-1')
      await postForm('/oidc/revoke', { token: 'x' }, basic('nobody-2', 'x'))
    })

    expect(increases).toEqual({
      'vestibule_unknown_clients_total{endpoint="authorize"}': 1,
      'vestibule_unknown_clients_total{endpoint="token"}': 1,
    })
  })

  it('counts the sign-ins for all unregistered clients together, without their ids [O7][R6]', async () => {
    const UNREGISTERED_CLIENTS = { hosts: ['*.agents.example'], registration: true }
    const service = serviceWith({ ...OPEN_SETTINGS, UNREGISTERED_CLIENTS })
    const app = await new UnregisteredApp().publish()
    const body = JSON.stringify({ redirect_uris: [app.redirectUri] })
    const registered = await service(
      new Request(`${LOGIN}/oidc/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      }),
    )
    const { client_id } = await registered.json<{ client_id: string }>()
    const signIn = async (changes = {}, grant?: string) => {
      const browser = new Browser(service)
      const signInPage = redirectUrl(await app.authorize(browser, changes), 303)
      const platform = await startAtTikTok(browser, signInPage)
      await browser.get(await browser.approve(platform, 'mia', grant))
    }

    const increases = await countersIncreasedBy(async () => {
      await signIn()
      await signIn({ client_id })
      await signIn({}, 'deny')
    })

    expect(increases).toEqual({
      'vestibule_sign_ins_total{provider="tiktok",client="unregistered",outcome="ok"}': 2,
      'vestibule_sign_ins_total{provider="tiktok",client="unregistered",outcome="access_denied"}': 1,
    })
    for (const client of [app.clientId, client_id]) {
      const { entries } = await listAuditEntries(env, { client, outcome: 'ok', limit: 9 })
      expect(entries).toMatchObject([{ event: 'sign_in' }])
    }
  })

  it('counts requests that a rate limit rejects or cannot count [O7][R1]', async () => {
    const limiter = (limit: () => Promise<unknown>) => serviceWith({ USER_RATE_LIMIT: { limit } })
    const exceeded = limiter(async () => ({ success: false }))
    const failing = limiter(() => Promise.reject(new Error('unavailable')))
    const request = () =>
      new Request(`${LOGIN}/api/auth/session`, { headers: { 'CF-Connecting-IP': '192.0.2.1' } })

    const increases = await countersIncreasedBy(async () => {
      expect((await exceeded(request())).status).toBe(429)
      expect((await failing(request())).status).toBe(200)
    })

    expect(increases).toEqual({
      'vestibule_limited_requests_total{limit="USER_RATE_LIMIT"}': 1,
      'vestibule_rate_limit_failures_total{limit="USER_RATE_LIMIT"}': 1,
    })
  })

  it('counts guesses that a limit rejects [O7][R4]', async () => {
    onTestFinished(skipWaits())
    const ip = { 'CF-Connecting-IP': '2001:db8:8:15::1' }
    const vestibule = createVestibule({
      ...options,
      providers: [
        ...options.providers,
        Credentials({
          credentials: { name: {}, password: { type: 'password' } },
          authorize: () => null,
        }),
      ],
    })
    const browser = new Browser(serviceOf(vestibule))

    const increases = await countersIncreasedBy(async () => {
      for (let n = 0; n < 12; n++) {
        await postForm('/oidc/introspect', {}, { ...basic('web', `guess ${n}`), ...ip })
      }
      const form = { 'credential.name': crypto.randomUUID(), 'credential.password': 'x' }
      let status = 401
      while (status === 401) {
        status = (await browser.post('/api/auth/callback/credentials', form)).status
      }
      expect(status).toBe(429)
    })

    expect(increases).toMatchObject({
      'vestibule_limited_requests_total{limit="client_secret"}': 2,
      'vestibule_limited_requests_total{limit="password"}': 1,
    })
  })

  it('counts emails by what became of them, and wrong codes [O7][U1]', async () => {
    const recipient = newAddress()
    const { sent, browser } = emailService()
    const failing = emailService({
      sendVerificationRequest: () => Promise.reject(new Error('unavailable')),
    })
    const rejecting = emailService({
      sendVerificationRequest: () => Promise.reject(new RecipientRejectedError('suppressed')),
    })

    const increases = await countersIncreasedBy(async () => {
      const visitor = browser()
      const page = await requestMessage(visitor, recipient)
      for (let n = 0; n < 5; n++) {
        await visitor.post(page, { code: wrongCode(sent[0]?.token ?? '') })
      }
      for (let n = 0; n < 10; n++) await requestMessage(browser(), recipient)
      await requestMessage(failing.browser(), newAddress())
      await requestMessage(rejecting.browser(), newAddress())
    })

    expect(increases).toMatchObject({
      'vestibule_emails_total{outcome="sent"}': 10,
      'vestibule_emails_total{outcome="failed"}': 1,
      'vestibule_emails_total{outcome="rejected"}': 1,
      'vestibule_limited_requests_total{limit="code"}': 1,
      'vestibule_limited_requests_total{limit="email"}': 1,
      'vestibule_failed_requests_total{route="signin",status="503"}': 1,
    })
  })

  it('counts failed requests and durations by the kind of route [O7]', async () => {
    const service = serviceWith({ USERS: unreachable(env.USERS) })
    const requests = (metrics: Record<string, number>) =>
      ['signin', 'session', 'discovery', 'other'].map((route) => [
        metrics[`${DURATION.name}_count{route="${route}"}`],
        metrics[`${DURATION.name}_bucket{route="${route}",le="+Inf"}`],
      ])
    const before = requests(await readMetrics())

    const increases = await countersIncreasedBy(async () => {
      await service(new Request(`${LOGIN}/api/auth/signin`))
      await service(new Request(`${LOGIN}/api/auth/session`))
      await service(formRequest('/oidc/token', { grant_type: 'x' }, basic('web')))
      await service(new Request(`${LOGIN}/healthz`))
      await service(new Request(`${LOGIN}/readyz`))
    })

    expect(increases).toMatchObject({
      'vestibule_failed_requests_total{route="other",status="503"}': 1,
    })
    const after = requests(await readMetrics())
    const differences = after.map((counts, i) =>
      counts.map((count, j) => (count ?? 0) - (before[i]?.[j] ?? 0)),
    )
    expect(differences).toEqual([
      [1, 1],
      [1, 1],
      [0, 0],
      [2, 2],
    ])
  })

  it('counts logout notices that an app acknowledges or not, in the object that sends them [O7][J9]', async () => {
    const { browser, tokens } = await signedInToApp('web')
    const object = userObject(tokens.claims()?.sub)
    await setReceiverResponse(String(tokens.claims()?.['sid']), '500')
    const read = async () => {
      const totals = await metricsObject(env).read()
      return ['delayed', 'delivered'].map(
        (outcome) => totals[`vestibule_logout_notices_total{outcome="${outcome}"}`] ?? 0,
      )
    }
    const [delayed = 0, delivered = 0] = await read()

    await browser.post('/api/auth/signout', {})
    await runDurableObjectAlarm(object)
    await vi.waitFor(async () => expect(await read()).toEqual([delayed + 1, delivered]))
    await setReceiverResponse(String(tokens.claims()?.['sid']), '200')
    advanceClock(11)
    await runDurableObjectAlarm(object)

    await vi.waitFor(async () => expect(await read()).toEqual([delayed + 1, delivered + 1]))
  })

  it('has a line for everything that can be counted, also before it has happened [O7]', async () => {
    const text = await (await call('/metrics')).text()

    const names = [
      ...Object.keys(READ_METRICS),
      ...declared.features.flatMap(({ gauges }) => Object.keys(gauges?.help ?? {})),
      ...Object.keys(countersOf(declared.features)),
      DURATION.name,
    ]
    expect(Array.from(text.matchAll(/^# TYPE (\w+) /gm), ([, name]) => name)).toEqual(names)
    expect(text).toMatch(/^vestibule_webhooks_total\{outcome="given_up"\} \d+$/m)
  })

  it('has no line for what a feature counts that the deployment does not list', async () => {
    const { call } = await connectMachine({ scope: 'admin:metrics' })

    const text = await (await call('/metrics')).text()

    expect(text).toContain('grant_type="device_code"')
    expect(text).not.toMatch(/vestibule_emails_total|limit="(email|code|password)"/)
  })
})

const UNKNOWN_CLIENT = 'vestibule_unknown_clients_total{endpoint="authorize"}'

/** Requests something that is counted. The counts are sent at once, instead of after a while. */
async function requestWithoutDelay(browser: Browser): Promise<Response> {
  vi.spyOn(scheduler, 'wait').mockResolvedValue()
  // Much later, because another request may have planned to send them.
  advanceClock(1000 * DAY)
  const response = await browser.get('/oidc/authorize?client_id=nobody')
  vi.useRealTimers()
  return response
}

describe('the counts of an isolate', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('are sent after a while, without a request for the metrics', async () => {
    const before = (await readMetrics())[UNKNOWN_CLIENT] ?? 0

    await requestWithoutDelay(new Browser())

    await vi.waitFor(async () =>
      expect((await metricsObject(env).read())[UNKNOWN_CLIENT]).toBe(before + 1),
    )
  })

  it.each([
    ['once', 'was added', async (report: Report) => metricsObject(env).add(report)],
    [
      'later',
      'was not added',
      async (_: Report) => {
        throw new Error('The object is overloaded.')
      },
    ],
  ])('are added %s if a report %s, but only after the deadline', async (_, __, answer) => {
    const before = (await readMetrics())[UNKNOWN_CLIENT] ?? 0
    const [started, late, answered] = [1, 2, 3].map(() => Promise.withResolvers<void>())
    const collectCounts = async (_env: Env, report: Report) => {
      started?.resolve()
      await late?.promise
      await answer(report).finally(answered?.resolve)
    }
    count('vestibule_unknown_clients_total', { endpoint: 'authorize' })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

    const sending = sendCounts(env, { features: [{ collectCounts }] })
    await started?.promise
    await vi.advanceTimersByTimeAsync(5000)
    await sending
    vi.useRealTimers()
    late?.resolve()
    await answered?.promise

    expect((await readMetrics())[UNKNOWN_CLIENT]).toBe(before + 1)
  })

  it.each([
    ['unreachable', unreachable(env.METRICS as never)],
    ['missing', undefined],
  ])('are kept and affect no request while their object is %s [Q1]', async (_, METRICS) => {
    const before = (await readMetrics())[UNKNOWN_CLIENT] ?? 0
    const browser = new Browser(serviceWith({ METRICS }))

    const response = await requestWithoutDelay(browser)

    await vi.waitFor(() => expect(lastLogEntry()).toMatchObject({ event: 'metrics_failed' }))
    expect(response.status).toBe(400)
    expect((await browser.get('/api/auth/session')).status).toBe(200)
    expect((await readMetrics())[UNKNOWN_CLIENT]).toBe(before + 1)
  })
})
