import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { sendCounts } from '../../../src/core/metrics/count.ts'
import type { Report } from '../../../src/core/metrics/counts.ts'
import { metricsObject } from '../../../src/features/admin/metrics/metrics-object.ts'
import { Browser, issuedSecrets, serviceWith } from '../../browser.ts'
import { advanceClock, DAY, stopClock } from '../../clock.ts'
import { basic, formRequest } from '../../core/oidc/relying-app.ts'
import { config, newId } from '../../core/registrations/stored-clients.ts'
import { findLink } from '../../html.ts'
import { interceptCalls } from '../../intercept-calls.ts'
import { redirectUrl } from '../../redirect.ts'
import { signInAdministrator, signInWithRole, submitForm } from './administrator.ts'
import { failToReport } from './fail-to-report.ts'
import { ADMIN_API, connectMachine, readProblem } from './machine-client.ts'

interface ListedSecret {
  id: string
  created_at?: number
  last_used_on?: string
}

type Call = Awaited<ReturnType<typeof connectMachine>>['call']

/** Registers a client through the API, with this many secrets. The newest comes first. */
async function registerClient(call: Call, secretCount: number) {
  const id = newId('secrets')
  const fields = {
    client_id: id,
    client_name: 'Clay',
    grant_types: ['client_credentials'],
    scope: 'admin:read',
    resources: [ADMIN_API],
  }
  const created = await call('/clients', { method: 'POST', body: fields })
  expect(created.status).toBe(201)
  const secrets = [(await created.json<{ client_secret: string }>()).client_secret]
  while (secrets.length < secretCount) {
    const rotated = await call(`/clients/${id}/rotate-secret`, { method: 'POST' })
    secrets.unshift((await rotated.json<{ client_secret: string }>()).client_secret)
  }
  for (const secret of secrets) issuedSecrets.add(secret)
  return { id, secrets }
}

async function listSecrets(call: Call, id: string): Promise<ListedSecret[]> {
  const response = await call(`/clients/${id}/secrets`)
  expect(response.status).toBe(200)
  return (await response.json<{ items: ListedSecret[] }>()).items
}

/** The status of a token request with this secret, in an isolate that has read nothing before. */
async function requestToken(id: string, secret = '', service = serviceWith({})): Promise<number> {
  const form = { grant_type: 'client_credentials' }
  return (await service(formRequest('/oidc/token', form, basic(id, secret)))).status
}

/** What the isolates have noted since the last report, which is sent to nobody else. */
async function takeReport(): Promise<Report> {
  const reports: Report[] = []
  const collectCounts = async (_: Env, report: Report) => void reports.push(report)
  await sendCounts(env, { features: [{ collectCounts }] })
  return reports[0] ?? { counts: {}, answers: {}, secretUses: {}, signIns: {} }
}

describe('the secrets of a client', () => {
  it('are listed with the time when they were created and the day when they were last used, without the secrets', async () => {
    const now = stopClock()
    const today = new Date(now * 1000).toISOString().slice(0, 10)
    const { call } = await connectMachine()
    const { id, secrets } = await registerClient(call, 2)

    await requestToken(id, secrets[1])
    await sendCounts(env, config)
    const listed = await listSecrets(call, id)

    expect(listed).toEqual([
      { id: expect.any(String), created_at: now },
      { id: expect.any(String), created_at: now, last_used_on: today },
    ])
    for (const secret of secrets) expect(JSON.stringify(listed)).not.toContain(secret)
    expect((await call('/clients/none/secrets')).status).toBe(404)
  })

  it('have an unknown time if they are from before this was recorded, or METRICS does not respond', async () => {
    const { clientId, call } = await connectMachine()
    const { administrator } = await signInAdministrator({
      METRICS: interceptCalls(env.METRICS, () => Promise.reject(new Error('unavailable'))),
    })

    expect(await listSecrets(call, clientId)).toMatchObject([{ id: expect.any(String) }])
    const [listed] = await listSecrets(call, clientId)
    expect(listed).not.toHaveProperty('created_at')
    const page = await (await administrator.get(`/admin/clients/${clientId}`)).text()
    expect(page).toContain('Not available at the moment.')
    const rotated = await submitForm(administrator, `/admin/clients/${clientId}/rotate-secret`)
    expect(rotated.status).toBe(200)
  })

  it('are reported once a day by each isolate, and only if they are valid', async () => {
    stopClock()
    const { call } = await connectMachine()
    const { id, secrets } = await registerClient(call, 1)
    await takeReport()

    for (let request = 0; request < 3; request++) await requestToken(id, secrets[0])
    await requestToken(id, 'wrong')
    expect(Object.keys((await takeReport()).secretUses[id] ?? {})).toHaveLength(1)
    await requestToken(id, secrets[0])
    expect((await takeReport()).secretUses).not.toHaveProperty(id)
    advanceClock(DAY)
    await requestToken(id, secrets[0])
    expect((await takeReport()).secretUses).toHaveProperty(id)
  })

  it('keep the latest day, although an isolate reports an earlier one afterwards', async () => {
    const { call } = await connectMachine()
    const { id, secrets } = await registerClient(call, 1)
    await requestToken(id, secrets[0])
    const { secretUses } = await takeReport()
    const [credential = ''] = Object.keys(secretUses[id] ?? {})
    for (const day of ['2026-11-18', '2026-11-17']) {
      const uses = { [id]: { [credential]: day } }
      await metricsObject(env).add({ counts: {}, answers: {}, secretUses: uses, signIns: {} })
    }

    expect(await listSecrets(call, id)).toMatchObject([{ last_used_on: '2026-11-18' }])
  })

  it('are reported later, all of them, if a report fails', async () => {
    stopClock()
    const { call } = await connectMachine()
    const { id, secrets } = await registerClient(call, 2)
    await takeReport()

    await requestToken(id, secrets[0])
    await failToReport()
    await requestToken(id, secrets[1])
    await failToReport()

    expect(Object.keys((await takeReport()).secretUses[id] ?? {})).toHaveLength(2)
  })

  it('[G5] are removed one by one, which the audit log records, and the others stay valid', async () => {
    const { call } = await connectMachine()
    const { id, secrets } = await registerClient(call, 3)
    const { administrator } = await signInAdministrator()
    const page = await (await administrator.get(`/admin/clients/${id}`)).text()
    const listed = await listSecrets(call, id)
    const path = `/admin/clients/${id}/secrets/${listed[1]?.id}/remove`
    expect(findLink(page, path)).toBe(path)

    expect(redirectUrl(await submitForm(administrator, path), 303).pathname).toBe(
      `/admin/clients/${id}`,
    )

    const statuses = await Promise.all(secrets.map((secret) => requestToken(id, secret)))
    expect(statuses).toEqual([200, 401, 200])
    expect(await listSecrets(call, id)).toMatchObject([
      { id: listed[0]?.id },
      { id: listed[2]?.id },
    ])
    expect((await submitForm(administrator, path)).status).toBe(409)
    const entry = await env.DIRECTORY.prepare(
      "SELECT detail FROM audit WHERE subject = ? AND detail = 'secret removed'",
    )
      .bind(id)
      .all()
    expect(entry.results).toHaveLength(1)
  })

  it('keep the last one, which has no link to remove it', async () => {
    const { call } = await connectMachine()
    const { id, secrets } = await registerClient(call, 1)
    const { administrator } = await signInAdministrator()
    const [listed] = await listSecrets(call, id)
    const path = `/clients/${id}/secrets/${listed?.id}/remove`

    const response = await call(path, { method: 'POST' })

    expect(response.status).toBe(400)
    expect((await readProblem(response)).problems?.[0]?.message).toContain('has no other secret')
    const page = await (await administrator.get(`/admin/clients/${id}`)).text()
    expect(findLink(page, '/secrets/')).toBe('')
    expect((await submitForm(administrator, `/admin${path}`)).status).toBe(409)
    expect(await requestToken(id, secrets[0])).toBe(200)
  })

  it.each([
    [0, 'was used today'],
    [1, 'was used yesterday'],
    [2, undefined],
  ])('are removed after a warning if they were used %d days ago: %s', async (days, warning) => {
    stopClock()
    const { call } = await connectMachine()
    const { id, secrets } = await registerClient(call, 2)
    await requestToken(id, secrets[1])
    await sendCounts(env, config)
    const former = (await listSecrets(call, id))[1]?.id
    advanceClock(days * DAY)
    const { administrator } = await signInAdministrator()

    const response = await administrator.get(`/admin/clients/${id}/secrets/${former}/remove`)
    const page = await response.text()

    expect(page).toContain('Former secret')
    expect(page.match(/was used (?:today|yesterday)/)?.[0]).toBe(warning)
  })

  it('are forgotten with the client', async () => {
    const { call } = await connectMachine()
    const { id } = await registerClient(call, 1)

    await call(`/clients/${id}`, { method: 'DELETE' })

    expect(await env.METRICS.get(env.METRICS.idFromName('metrics')).readSecrets(id)).toEqual({})
  })

  it('are seen, but not removed, by support', async () => {
    const { call } = await connectMachine()
    const { id } = await registerClient(call, 2)
    const { browser } = await signInWithRole('support')
    const administrator = new Browser(serviceWith({})).withCookiesOf(browser)
    const [listed] = await listSecrets(call, id)

    const page = await (await administrator.get(`/admin/clients/${id}`)).text()
    const path = `/admin/clients/${id}/secrets/${listed?.id}/remove`

    expect(page).toContain('Newest secret')
    expect(findLink(page, path)).toBe('')
    expect((await administrator.get(path)).status).toBe(403)
  })
})
