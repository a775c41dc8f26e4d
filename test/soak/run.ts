import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { LEVELS, type Level } from './levels.ts'
import { describeLoad, loadWithSignIns } from './load.ts'

/** Not used by `npm start` or the tests, which may be running. */
const LOAD_PORT = 20_787

/** How often a running part reports its progress. */
const PROGRESS_INTERVAL = 15_000 // milliseconds

/** Ends tests that hang; on a busy machine none of the parts takes half as long. */
const TIME_LIMIT = 15 * 60_000 // milliseconds

const { short, full } = LEVELS

const HELP = `Usage: npm run soak [-- --short] [--only PART] [--rate N] [--minutes N]

Repeats tests of faults that show only once in many rounds, and puts a service on this machine under load.
Takes about 20 minutes; with --short two minutes.

Parts
  races       codes, refresh tokens and sign-outs used by several callers at once:
              ${full.races} rounds of each (--short: ${short.races})
  block       users who are blocked, unblocked and deleted while twenty requests are in flight:
              ${full.block} rounds of each (--short: ${short.block})
  forgeries   malformed and forged tokens: ${full.forgeries} (--short: ${short.forgeries})
  model       random sequences of calls to a user's object (${full.model.runs}) and of requests (${full.model.serviceRuns}),
              compared with a model, each for ${Math.round(full.model.maxSeconds / 60)} minutes at most
              (--short: ${short.model.runs} and ${short.model.serviceRuns}, ${short.model.maxSeconds} seconds)
  crash       the service is killed (SIGKILL) while users sign in: ${full.crash.rounds} rounds with ${full.crash.users} users
              (--short: ${short.crash.rounds} round with ${short.crash.users} users)
  load        sign-ins at a fixed rate, every response checked: ${full.load.perSecond} per second for ${full.load.seconds / 60} minutes
              (--short: ${short.load.perSecond} per second for ${short.load.seconds} seconds)

Options
  --short       repeats less
  --only PART   runs this part only; can be given more than once
  --rate N      sign-ins per second under load
  --minutes N   duration of the load
  --help        prints this text

Exit status: 0 if everything passed, 1 if something failed or exceeded its time limit, 2 for invalid options.
The time that sign-ins take under load is reported, but is never a failure.
`

interface Result {
  passed: number
  failed: number
}

const PARTS = {
  races: () => runTests('workerd', 'test/oidc/races.test.ts'),
  block: () => runTests('workerd', 'test/users/block-races.test.ts'),
  forgeries: () => runTests('workerd', 'test/oidc/jwt.test.ts', 'E14'),
  model: () => runTests('workerd', 'test/model/'),
  crash: () => runTests('soak', 'test/soak/crash.test.ts'),
  load: runLoad,
}

type PartName = keyof typeof PARTS

const PART_NAMES = Object.keys(PARTS) as PartName[]

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const options = readOptions()
const total: Result = { passed: 0, failed: 0 }
const summary: string[] = []
for (const part of options.parts) {
  print(`\n${part}: starting`)
  const startedAt = performance.now()
  const { passed, failed } = await PARTS[part]().catch(reportFailure)
  total.passed += passed
  total.failed += failed
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  summary.push(`${part.padEnd(9)}  ${passed} passed, ${failed} failed  (${seconds} s)`)
}
print(['', `Soak, ${options.level} version:`, ...summary].join('\n'))
print(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        short: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true },
        rate: { type: 'string' },
        minutes: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      process.stdout.write(HELP)
      process.exit(0)
    }
    const level: Level = values.short ? 'short' : 'full'
    const { perSecond, seconds } = LEVELS[level].load
    return {
      level,
      parts: values.only ? values.only.map(parsePart) : PART_NAMES,
      perSecond: values.rate === undefined ? perSecond : parsePositive(values.rate),
      seconds: values.minutes === undefined ? seconds : 60 * parsePositive(values.minutes),
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${HELP}`)
    process.exit(2)
  }
}

function parsePart(name: string): PartName {
  const part = PART_NAMES.find((known) => known === name)
  if (!part) throw new Error(`--only takes ${PART_NAMES.join(', ')}, not ${name}`)
  return part
}

function parsePositive(text: string): number {
  const number = Number(text)
  if (!(number > 0)) throw new Error(`${text} is not a positive number`)
  return number
}

/** Runs the tests of a file, or those with an id in their title, with the rounds of this level. */
async function runTests(project: string, file: string, id = ''): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-soak-'))
  const report = join(folder, 'report.json')
  const child = spawn(
    process.execPath,
    [
      ...['node_modules/vitest/vitest.mjs', 'run', '--project', project, file, '-t', id],
      ...['--reporter=verbose', '--reporter=json', `--outputFile.json=${report}`],
    ],
    { cwd: ROOT, stdio: 'inherit', env: { ...process.env, SOAK: options.level } },
  )
  const timeout = setTimeout(() => {
    print(`Stopped after ${TIME_LIMIT / 60_000} minutes.`)
    child.kill()
  }, TIME_LIMIT)
  const [status] = await once(child, 'close')
  clearTimeout(timeout)
  const result = readReport(report, status === 0)
  rmSync(folder, { recursive: true })
  return result
}

/** A run without any tests or without a report, or that failed outside of its tests, counts as one failed test. */
function readReport(path: string, isSuccess: boolean): Result {
  const report = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const { numPassedTests: passed = 0, numFailedTests: failed = 0 } = report
  return { passed, failed: isSuccess && passed > 0 ? failed : Math.max(1, failed) }
}

/** [R13] Under load every response is correct, or rejects the request because the service is busy. */
async function runLoad(): Promise<Result> {
  const { perSecond, seconds } = options
  print(`${perSecond} sign-ins per second for ${seconds} s`)
  // Imported on demand, because wrangler takes a second to load, also for --help.
  const { startServices } = await import('../../demo/services.ts')
  const { stop, ...services } = await startServices({ port: LOAD_PORT })
  try {
    const onProgress = throttle((finished: number, count: number) =>
      print(`${finished} of ${count} sign-ins finished`),
    )
    const report = await loadWithSignIns(services, { perSecond, seconds, onProgress })
    for (const [message, times] of countEach([...report.wrong, ...report.unavailable]))
      print(`  ${times} × ${message}`)
    print(describeLoad(report))
    const isPassed = report.wrong.length === 0 && report.correct > 0
    return { passed: Number(isPassed), failed: Number(!isPassed) }
  } finally {
    await stop()
  }
}

function reportFailure(error: unknown): Result {
  print(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return { passed: 0, failed: 1 }
}

/** Calls through at most once per progress interval. */
function throttle<T extends unknown[]>(act: (...input: T) => void): (...input: T) => void {
  let calledAt = performance.now()
  return (...input) => {
    if (performance.now() - calledAt < PROGRESS_INTERVAL) return
    calledAt = performance.now()
    act(...input)
  }
}

function countEach(texts: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
