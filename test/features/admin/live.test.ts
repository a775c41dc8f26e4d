import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { sendCounts } from '../../../src/core/metrics/count.ts'
import { metricsObject } from '../../../src/features/admin/metrics/metrics-object.ts'
import { Browser, serviceWith } from '../../browser.ts'
import { advanceClock, MINUTE, setClock, stopClock } from '../../clock.ts'
import { config } from '../../core/registrations/stored-clients.ts'
import { errorCode, unescapeHtml } from '../../html.ts'
import { interceptCalls } from '../../intercept-calls.ts'
import { signInNewUser } from '../../new-user.ts'
import { signInAdministrator } from './administrator.ts'
import { failToReport } from './fail-to-report.ts'

const COUNTS = '/admin/live/counts'

/** The numbers of the table, the newest minute first, without those in which nothing happened. */
function shownMinutes(html: string): string[][] {
  const rows = html.matchAll(/<tr><th>.*?<\/th><td[^>]*>(\d+)<\/td><td[^>]*>(\d+)<\/td><\/tr>/g)
  return Array.from(rows, ([, succeeded = '', failed = '']) => [succeeded, failed]).filter(
    (row) => row.join() !== '0,0',
  )
}

/** How many sign-ins were cancelled in this test file. */
function readFailures(): Promise<number | null> {
  return env.DIRECTORY.prepare(
    "SELECT sum(count) AS count FROM counters WHERE outcome = 'access_denied'",
  ).first<number>('count')
}

/** Opens the page, and returns the header with which its script reads the numbers again. */
async function openLiveView(administrator: Browser) {
  const page = await (await administrator.get('/admin/live')).text()
  const permission = unescapeHtml(page.match(/data-live="([^"]+)"/)?.[1] ?? '')
  return { page, headers: { 'X-Live-View': permission } }
}

/** A deployment whose bindings cannot be called, except for METRICS, whose calls are listed. */
function serviceWithMetricsOnly() {
  const calls: string[] = []
  const reject = () => Promise.reject(new Error('This must not be called.'))
  const bindings = Object.fromEntries(
    ['DIRECTORY', 'SESSIONS', 'USERS', 'GUARDS', 'KEYRING', 'REVOCATIONS'].map((name) => [
      name,
      interceptCalls(Reflect.get(env, name), reject),
    ]),
  )
  const METRICS = interceptCalls(env.METRICS, (perform, { method }) => {
    calls.push(method)
    return Promise.resolve(perform())
  })
  return { calls, service: serviceWith({ ...bindings, METRICS }) }
}

describe('the live view of the console', () => {
  beforeEach(async () => {
    // Nothing is left of the sign-ins of other tests.
    await sendCounts(env, config)
    await runInDurableObject(metricsObject(env), (_, { storage }) => storage.kv.delete('minutes'))
  })

  it('counts every sign-in by minute, also each failure of strangers, which the audit log merges', async () => {
    const start = stopClock()
    const { administrator } = await signInAdministrator()
    setClock(start - (start % MINUTE) + MINUTE)
    for (let attempt = 0; attempt < 3; attempt++) {
      const browser = new Browser()
      const { searchParams } = await browser.start()
      const state = searchParams.get('state') ?? ''
      await browser.get(`/api/auth/callback/tiktok?error=access_denied&state=${state}`)
    }
    // They are recorded after the response.
    await expect.poll(readFailures).toBe(3)
    advanceClock(MINUTE)
    await signInNewUser()
    await signInNewUser()

    const { page } = await openLiveView(administrator)

    expect(shownMinutes(page).slice(0, 2)).toEqual([
      ['2', '0'],
      ['0', '3'],
    ])
    expect(page.match(/class="unfinished"/g)).toHaveLength(1)
  })

  it('counts sign-ins whose report failed together with those that followed', async () => {
    stopClock()
    const { administrator } = await signInAdministrator()
    await sendCounts(env, config)
    const before = Number(shownMinutes((await openLiveView(administrator)).page)[0]?.[0])

    await signInNewUser()
    await failToReport()
    await signInNewUser()

    const { page } = await openLiveView(administrator)
    expect(shownMinutes(page)[0]).toEqual([String(before + 2), '0'])
  })

  it('is updated by one call of an object: without the database, the session and the user', async () => {
    const { administrator } = await signInAdministrator()
    const { headers } = await openLiveView(administrator)
    await signInNewUser()
    await sendCounts(env, config)
    const { calls, service } = serviceWithMetricsOnly()

    const response = await new Browser(service).withCookiesOf(administrator).get(COUNTS, headers)

    expect(response.status).toBe(200)
    const counts = await response.text()
    expect(counts).not.toContain('<html')
    expect(shownMinutes(counts)).toHaveLength(1)
    expect(calls).toEqual(['readMinutes'])
    expect(response.headers.get('Cache-Control')).toBe('no-store')
  })

  it('[L14] is updated for fifteen minutes, in the browser that has the session and opened the page', async () => {
    const now = stopClock()
    const { administrator } = await signInAdministrator()
    const { headers } = await openLiveView(administrator)
    const stranger = new Browser()
    const other = await signInNewUser()
    const codeOf = async (browser: Browser, sent: Record<string, string>) => {
      const response = await browser.get(COUNTS, sent)
      return response.status === 200 ? 200 : errorCode(response)
    }

    expect(await codeOf(stranger, headers)).toBe('not_found')
    expect(await codeOf(other.browser, headers)).toBe('not_found')
    expect(await codeOf(administrator, { 'X-Live-View': 'made-up' })).toBe('not_found')
    setClock(now + 15 * MINUTE - 1)
    expect(await codeOf(administrator, headers)).toBe(200)
    setClock(now + 15 * MINUTE)
    expect(await codeOf(administrator, headers)).toBe('not_found')
    // The page can be opened again.
    expect(await codeOf(administrator, {})).toBe(200)
  })

  it('may only connect to the service, as no other page may', async () => {
    const { administrator } = await signInAdministrator()
    const policyOf = async (path: string) =>
      (await administrator.get(path)).headers.get('Content-Security-Policy')

    expect(await policyOf('/admin/live')).toContain("connect-src 'self'")
    expect(await policyOf('/admin')).not.toContain('connect-src')
  })

  it('keeps the sign-ins of one hour', async () => {
    stopClock()
    await signInNewUser()
    await sendCounts(env, config)
    const read = async () => Object.keys(await metricsObject(env).readMinutes())

    expect(await read()).toHaveLength(1)
    advanceClock(59 * MINUTE)
    expect(await read()).toHaveLength(1)
    advanceClock(MINUTE)
    expect(await read()).toHaveLength(0)
  })

  it('[Q6] opens while METRICS does not respond', async () => {
    const { administrator } = await signInAdministrator({
      METRICS: interceptCalls(env.METRICS, () => Promise.reject(new Error('unavailable'))),
    })

    const response = await administrator.get('/admin/live')

    expect(response.status).toBe(200)
    expect(await response.text()).toContain('They are not available at the moment.')
  })
})
