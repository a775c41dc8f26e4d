import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { options } from '../../../src/deployment.ts'
import { auditExport } from '../../../src/features/audit-export/feature.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, LOGIN, lastLogEntry, serviceOf } from '../../browser.ts'
import { advanceClock, HOUR, MINUTE, setClock } from '../../clock.ts'
import { signInNewUser } from '../../new-user.ts'
import { blockAndUnblock } from '../webhooks/webhook.ts'

const vestibule = createVestibule({
  ...options,
  features: [...(options.features ?? []), auditExport()],
})

const WITH_BUCKET = { AUDIT: env.TEST_AUDIT }

/** Lets more than a minute pass, and then the Cron Trigger start the Worker. */
async function runSchedule(bindings: Record<string, unknown>): Promise<void> {
  advanceClock(MINUTE + 1)
  await vestibule.worker.scheduled(createScheduledController(), { ...env, ...bindings })
}

/** What `/readyz` reports as not working. */
async function readProblems(bindings: Record<string, unknown>, origin = LOGIN) {
  const response = await new Browser(serviceOf(vestibule, bindings), origin).get('/readyz')
  const { checks } = await response.json<{ checks: { name: string; problem?: string }[] }>()
  return checks.filter(({ problem }) => problem).map(({ name, problem }) => `${name}: ${problem}`)
}

/** An hour later than the entries of other tests. */
const START = Math.ceil(Date.now() / 1000 / HOUR + 1) * HOUR

beforeEach(async () => {
  await env.DIRECTORY.batch([
    env.DIRECTORY.prepare('DELETE FROM audit_export'),
    env.DIRECTORY.prepare('INSERT INTO audit_export VALUES (?)').bind(START),
    env.DIRECTORY.prepare('DELETE FROM audit WHERE at >= ?').bind(START),
  ])
  const { objects } = await env.TEST_AUDIT.list()
  await env.TEST_AUDIT.delete(objects.map(({ key }) => key))
})

async function exportedNames(): Promise<string[]> {
  const { objects } = await env.TEST_AUDIT.list()
  return objects.map(({ key }) => key)
}

/** `audit/2026/11/17/06.ndjson.gz` */
function objectName(hour: number): string {
  return `audit/${new Date(hour * 1000).toISOString().slice(0, 13).replaceAll(/[-T]/g, '/')}.ndjson.gz`
}

async function readObject(hour: number) {
  const object = await env.TEST_AUDIT.get(objectName(hour))
  const text = await new Response(object?.body.pipeThrough(new DecompressionStream('gzip'))).text()
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

describe('the export of the audit log', () => {
  it('writes one object per hour with entries, once the hour has ended, with all of them', async () => {
    setClock(START + MINUTE)
    const { userId } = await signInNewUser()
    setClock(START + HOUR - 2)
    await blockAndUnblock(userId)
    setClock(START + 3 * HOUR)
    await blockAndUnblock(userId)
    setClock(START + HOUR + MINUTE)
    await runSchedule(WITH_BUCKET)
    expect(await exportedNames()).toEqual([])

    setClock(START + 4 * HOUR + 5 * MINUTE)
    await runSchedule(WITH_BUCKET)

    expect(await exportedNames()).toEqual([objectName(START), objectName(START + 3 * HOUR)])
    const object = await env.TEST_AUDIT.head(objectName(START))
    expect(object?.httpMetadata).toEqual({
      contentType: 'application/x-ndjson',
      contentEncoding: 'gzip',
    })
    const entries = await readObject(START)
    expect(entries.filter(({ subject }) => subject === userId)).toMatchObject([
      { event: 'sign_in', outcome: 'ok', at: START + MINUTE, provider: 'tiktok' },
      { event: 'user_blocked', at: START + HOUR - 2 },
      { event: 'user_unblocked', requestId: 'TEST' },
    ])
    expect(entries.every(({ at }) => at < START + HOUR)).toBe(true)
  })

  it('contains every entry of an hour with more than a page of them', async () => {
    await env.DIRECTORY.prepare(
      `INSERT INTO audit (id, at, event, outcome, actor)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
       SELECT ? || '_' || i, ?, 'sign_in', 'ok', 'usr_event_test' FROM n`,
    )
      .bind((START * 1000).toString(36).padStart(9, '0'), START)
      .run()
    setClock(START + HOUR + 5 * MINUTE)
    await runSchedule(WITH_BUCKET)

    expect(await readObject(START)).toHaveLength(2500)
  })

  it('is repeated by the next run if the bucket fails, and reported by /readyz [Q1]', async () => {
    setClock(START)
    const { userId } = await signInNewUser()
    setClock(START + HOUR + 5 * MINUTE)
    const put = () => Promise.reject(new Error('The bucket is unavailable.'))
    await runSchedule({ AUDIT: { put } })
    expect(lastLogEntry('schedule_failed')).toMatchObject({ job: 'audit export' })
    expect(await exportedNames()).toEqual([])
    advanceClock(HOUR / 2)
    expect(await readProblems(WITH_BUCKET)).toEqual([
      'audit export: The audit log is not copied to the bucket.',
    ])

    await runSchedule(WITH_BUCKET)
    const first = await readObject(START)
    expect(first).toContainEqual(expect.objectContaining({ subject: userId }))
    await env.DIRECTORY.prepare('UPDATE audit_export SET exported_until = ?').bind(START).run()
    await runSchedule(WITH_BUCKET)
    expect(await readObject(START)).toEqual(first)
  })

  it('is not late for a quarter of an hour after the end of an hour', async () => {
    setClock(START)
    await signInNewUser()

    setClock(START + HOUR + 15 * MINUTE)
    expect(await readProblems(WITH_BUCKET)).toEqual([])
    advanceClock(1)
    expect(await readProblems(WITH_BUCKET)).toEqual([
      'audit export: The audit log is not copied to the bucket.',
    ])
  })

  it('is not late in development, where no Cron Trigger runs', async () => {
    setClock(START)
    await signInNewUser()
    setClock(START + 2 * HOUR)

    expect(
      await readProblems(
        { ...WITH_BUCKET, AUTH_URL: 'http://localhost:8787' },
        'http://localhost:8787',
      ),
    ).toEqual([])
  })

  it('is not reported as late while the database does not respond, which is', async () => {
    const DIRECTORY = {
      prepare: () => {
        throw new Error('D1_ERROR: the database does not respond')
      },
    }

    const problems = await readProblems({ ...WITH_BUCKET, DIRECTORY })

    expect(problems.map((problem) => problem.split(':')[0])).not.toContain('audit export')
    expect(problems).not.toEqual([])
  })

  it('is reported by /readyz without its bucket', async () => {
    expect(await readProblems({})).toEqual(['binding AUDIT: The binding AUDIT is missing.'])
  })
})
