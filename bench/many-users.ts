import { readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import * as esbuild from 'esbuild'
import { convertV4MiniflareOptions, Miniflare, NoOpLog } from 'miniflare'
import { unstable_splitSqlQuery } from 'wrangler'
import { bundle } from '../src/libraries/testing/bundle.ts'
import { ROOT, readMigrations } from './environment.ts'
import { fillDirectory } from './fill-directory.ts'
import { type Query, runBatch } from './storage.ts'

const HELP = `Usage: npm run bench:users [-- --users N] [--entries N]

Fills a local D1 database with users, their accounts and an audit log, and measures its size, and the rows and the
time of the statements of sign-ins, searches and lists. Takes about five minutes and 5 GB of disk for a million users.

  --users N     the number of users (default: 1000000)
  --entries N   the number of entries of the audit log (default: five for each user)
  --help        show this text
`

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '1000000' },
    entries: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit()
}
const users = Number(values.users)
const entries = Number(values.entries ?? 5 * users)

const MAX_ROUNDS = 1000
const MAX_TIME = 10_000 // milliseconds

type Job = [name: string, run: (round: number) => Promise<unknown>]

interface Rows {
  read: number
  written: number
}

/** What directory-jobs.ts exports. */
interface DirectoryJobs {
  createJobs: (directory: unknown, users: number) => Job[]
  countRowsOfJobs: (directory: unknown, users: number) => Promise<Map<string, Rows>>
}

const folder = await mkdtemp(join(tmpdir(), 'bench-users-'))
try {
  await withRuntime(async (directory) => {
    const statements = unstable_splitSqlQuery(await readMigrations())
    await directory.batch(statements.map((statement) => directory.prepare(statement)))
  })
  print(`Inserting ${users} users and ${entries} entries …`)
  const file = new DatabaseSync(join(folder, findFile()))
  fillDirectory(file, { users, entries })
  printSizes(file)
  const jobs = await importJobs()
  const rows = await withRuntime((directory) => jobs.countRowsOfJobs(directory, users))
  await measureJobs(jobs.createJobs(openDirectory(file), users), rows)
  file.close()
} finally {
  await rm(folder, { recursive: true, force: true })
}

type Directory = Awaited<ReturnType<Miniflare['getD1Database']>>

/** Runs Miniflare, whose D1 counts rows as the platform does. */
async function withRuntime<T>(use: (directory: Directory) => Promise<T>): Promise<T> {
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      workers: [
        {
          name: 'bench',
          modules: true,
          script: 'export default {}',
          d1Databases: { DIRECTORY: 'directory' },
        },
      ],
      resourcePersistencePath: folder,
      log: new NoOpLog(),
      cf: false,
    }),
  )
  try {
    return await use(await runtime.getD1Database('DIRECTORY', 'bench'))
  } finally {
    await runtime.dispose()
  }
}

async function importJobs(): Promise<DirectoryJobs> {
  const path = join(folder, 'jobs.mjs')
  await writeFile(path, await bundle(join(ROOT, 'bench/directory-jobs.ts')))
  await esbuild.stop()
  return import(pathToFileURL(path).href)
}

function findFile(): string {
  const files = readdirSync(folder, { recursive: true }).map(String)
  return files.find((path) => /[\da-f]{64}\.sqlite$/.test(path)) ?? ''
}

function printSizes(file: DatabaseSync): void {
  const tables = file
    .prepare('SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name ORDER BY bytes DESC')
    .all() as { name: string; bytes: number }[]
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0)
  print(`\n| table or index | MB | bytes per user |\n|---|---:|---:|`)
  for (const { name, bytes } of [{ name: 'total', bytes: total }, ...tables].slice(0, 12))
    print(`| ${name} | ${(bytes / 1e6).toFixed(0)} | ${(bytes / users).toFixed(0)} |`)
}

/** Measures with SQLite in this process, so that nothing else is measured. */
async function measureJobs(jobs: readonly Job[], rows: ReadonlyMap<string, Rows>): Promise<void> {
  print('\n| job | rows read | rows written | CPU, ms | slowest, ms |\n|---|---:|---:|---:|---:|')
  for (const [name, run] of jobs) {
    await run(3)
    const before = process.cpuUsage()
    const startedAt = performance.now()
    let slowest = 0
    let rounds = 0
    while (rounds < MAX_ROUNDS && performance.now() - startedAt < MAX_TIME) {
      const runStartedAt = performance.now()
      await run(rounds + 4)
      slowest = Math.max(slowest, performance.now() - runStartedAt)
      rounds += 1
    }
    const { user, system } = process.cpuUsage(before)
    const { read = 0, written = 0 } = rows.get(name) ?? {}
    const cpu = (user + system) / 1000 / rounds
    print(`| ${[name, read, written, cpu.toFixed(2), slowest.toFixed(1)].join(' | ')} |`)
  }
}

/** The interface of D1 for a SQLite file. */
function openDirectory(file: DatabaseSync): object {
  const prepared = new Map<string, StatementSync>()
  const batch = async (queries: readonly Query[]) => runBatch(file, prepared, queries, false)
  const prepare = (sql: string, params: SQLInputValue[] = []): object => ({
    sql,
    params,
    bind: (...values: SQLInputValue[]) => prepare(sql, values),
    all: async () => (await batch([{ sql, params }]))[0],
  })
  return { prepare, batch }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
