import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Connection, ORIGIN } from './connection.ts'
import { ROOT } from './environment.ts'
import { describeGrowth, GROWTH_ITEMS, type Growth } from './growth-report.ts'
import { JOBS, newTarget, startSignIn } from './jobs.ts'
import { startInMiniflare } from './start-in-miniflare.ts'
import { GROWTH_PATH, type StorageReport } from './storage-report.ts'

/*
 * A day of the service in fast motion, and the months after it in which nobody comes: what is stored
 * for its users, what the day adds, and what is left. Prints a table; with `--write` also into
 * docs/storage.md. Exits with status 1 if something is left that must not be.
 */

/** The service needs three open files for each. */
const USERS = 1200

/** One of so many users signs out on a day. */
const SIGN_OUTS = 30

const HOUR = 3600 // seconds
const DAY = 24 * HOUR

/** How many requests are sent at the same time. */
const AT_ONCE = 4

/** On a busy machine, the platform may respond too late for a sign-in, which is then repeated. */
const ATTEMPTS = 5

/** Days after the last visit. Sessions end after seven, refresh tokens after thirty. */
const DAYS_AFTER = [1, 8, 32, 92]

const DOCUMENT = join(ROOT, 'docs/storage.md')

const runtime = await startInMiniflare('bench/growing-service.ts')
const { hostname, port } = await runtime.ready
const connection = new Connection({ host: hostname, port })
const target = newTarget(connection)
try {
  const growth = await measureGrowth()
  const table = describeGrowth(growth)
  process.stdout.write(table)
  if (process.argv.includes('--write')) writeTable(table)
  const left = GROWTH_ITEMS.filter(({ isLeft, count }) => {
    const [first, last] = [growth.before, growth.later.at(-1)]
    return last && !isLeft && count(last) > count(first) / 100
  })
  for (const { name } of left) process.stderr.write(`Left after three months: ${name}\n`)
  process.exitCode = left.length > 0 ? 1 : 0
} finally {
  connection.close()
  await runtime.dispose()
}

async function measureGrowth(): Promise<Growth> {
  const empty = await report()
  await each(USERS, () => run('full sign-in, new user'))
  // Two apps.
  for (let app = 0; app < 2; app++) await each(USERS, useApp)
  await putForward(DAY)
  const before = await report()
  await liveOneDay()
  const after = await report()
  await connection.get(`${GROWTH_PATH}?ends`)
  const later: StorageReport[] = []
  let day = 0
  for (const next of DAYS_AFTER) {
    await putForward((next - day) * DAY)
    await failToSignIn()
    day = next
    later.push(await report())
  }
  return { users: USERS, days: DAYS_AFTER, empty, before, after, later }
}

async function liveOneDay(): Promise<void> {
  const users = Array.from({ length: USERS }, (_, index) => index)
  for (let hour = 0; hour < 24; hour++) {
    const visitors = users.filter((index) => index % 24 === hour)
    await each(visitors.length, (position) => visit(visitors[position] ?? 0))
    await putForward(HOUR)
  }
  // At last, because their refresh tokens are not accepted afterwards.
  await each(USERS / SIGN_OUTS, (index) => signOut(index * SIGN_OUTS))
}

/**
 * What a user does on a day on average, as in `bench/month.ts`: they come on ten days of a month, sign
 * in twice, get four codes and refresh thirty times, and one in twenty is new.
 */
async function visit(index: number): Promise<void> {
  await run('refresh', index)
  if (index % 3 === 0) await run('session', index)
  if (index % 15 === 0) await run('full sign-in, returning user', index)
  if (index % 15 === 1 || index % 15 === 2) await useApp(index)
  if (index % 60 === 3) await run('sign-in start', index)
  if (index % 600 === 4) await run('full sign-in, new user', index)
}

async function useApp(index: number): Promise<void> {
  await run('authorize, signed in', index)
  await run('code exchange', index)
}

async function signOut(index: number): Promise<void> {
  const Cookie = target.sessions[index] ?? ''
  const { status } = await connection.post('/api/auth/signout', {}, { Cookie, Origin: ORIGIN })
  if (status !== 200) throw new Error(`Received status ${status} for a sign-out.`)
}

/**
 * Sign-ins of unknown users that fail, an hour apart: without entries of others, nothing would delete
 * those of the audit log.
 */
async function failToSignIn(): Promise<void> {
  for (let hour = 0; hour < 6; hour++) {
    const { cookie, state } = await startSignIn(target)
    const path = `/api/auth/callback/tiktok?${new URLSearchParams({ error: 'server_error', state })}`
    await connection.get(path, { Accept: 'text/html', Cookie: cookie })
    await putForward(HOUR)
  }
}

async function run(name: string, index = 0): Promise<void> {
  const job = JOBS.find((candidate) => candidate.name === name)
  if (!job) throw new Error(`There is no job named ${name}.`)
  for (let attempt = 1; ; attempt++) {
    try {
      await job.run(target, index)
      return
    } catch (error) {
      if (attempt === ATTEMPTS || !name.includes('sign-in')) throw error
    }
  }
}

/** Runs the alarms that are due by then, too. */
async function putForward(seconds: number): Promise<void> {
  await connection.get(`${GROWTH_PATH}?advance=${seconds}`)
}

async function report(): Promise<StorageReport> {
  const { status, body } = await connection.get(GROWTH_PATH)
  if (status !== 200) throw new Error(body)
  return JSON.parse(body)
}

/** Runs something for each index, a few at the same time. */
async function each(count: number, act: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await act(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

function writeTable(table: string): void {
  const text = readFileSync(DOCUMENT, 'utf8')
  const [before = '', rest = ''] = text.split(
    '<!-- Written by `npm run bench:growth -- --write`. -->\n',
  )
  const [, after = ''] = rest.split('<!-- The end of the table. -->\n')
  const marked = `<!-- Written by \`npm run bench:growth -- --write\`. -->\n\n${table}\n<!-- The end of the table. -->\n`
  writeFileSync(DOCUMENT, before + marked + after)
}
