import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PORTS } from '../e2e/ports.ts'
import { LEVELS } from './levels.ts'
import { createLoad, describeLoad, findHighestRate, isAcceptable } from './load.ts'
import { watchStolenTime } from './stolen-time.ts'

/** How often a running part reports its progress. */
const PROGRESS_INTERVAL = 15_000 // milliseconds

/** How long each rate is tried when the highest one is searched. */
const STEP = 20 // seconds

/**
 * The service has three open files per user, besides its connections. Where the limit is lower, the
 * runtime ends when it is reached.
 */
const OPEN_FILES = 4096

/** Ends tests that hang. */
const TIME_LIMIT = 30 * 60_000 // milliseconds

/** How long the history is by default. */
const HISTORY_MINUTES = 10

const { short, full } = LEVELS

const HELP = `Usage: npm run soak [-- --short] [--only PART] [--rate N] [--minutes N] [--seed N] [--history FILE]

Repeats tests of faults that show only once in many rounds, and puts a service on this machine under load.
Takes 35 minutes on an idle machine, and needs ${OPEN_FILES} open files per process (ulimit -n).
With --short, it takes two minutes, and 1,024 open files are enough.

Parts
  races       codes, refresh tokens and sign-outs used by several callers at once:
              ${full.races} rounds of each (--short: ${short.races})
  block       users who are blocked, unblocked and deleted while twenty requests are in flight:
              ${full.block} rounds of each (--short: ${short.block})
  forgeries   malformed and forged tokens: ${full.forgeries} of any shape (--short: ${short.forgeries})
  model       random sequences of calls to a user's object (${full.model.runs}) and of requests (${full.model.serviceRuns}),
              compared with a model, each for ${Math.round(full.model.maxSeconds / 60)} minutes at most
              (--short: ${short.model.runs} and ${short.model.serviceRuns}, ${short.model.maxSeconds} seconds)
  crash       the service is killed (SIGKILL) while users sign in: ${full.crash.rounds} rounds with ${full.crash.users} users
              (--short: ${short.crash.rounds} round with ${short.crash.users} users)
  matrix      every request to the service while each of its parts fails, compared with the table in
              docs/failures.md (not with --short)
  load        sign-ins at a fixed rate, every response checked: searches the highest rate at which the 99th
              percentile is below two seconds, then half of it for ${full.load.seconds / 60} minutes
              (--short: no search, ${short.load.perSecond} per second for ${short.load.seconds} seconds).
              Fails if a response is wrong, or more than one sign-in in a thousand is unavailable
  history     users, apps, administrators and the platform at once, while the service is killed, storage fails
              and clocks differ, for ${HISTORY_MINUTES} minutes (--short: not at all). Every request is recorded,
              and afterwards checked against what was acknowledged and what the docs promise

Options
  --short       repeats less
  --only PART   runs this part only; can be given more than once
  --rate N      sign-ins per second under load, instead of the search
  --minutes N   duration of the load and of the history
  --seed N      repeats the choices of a history
  --history FILE  checks a recorded history again, with --only history
  --help        prints this text

Exit status: 0 if everything passed, 1 if something failed or exceeded its time limit, 2 for invalid options.
`

/** A part of Node's diagnostic report. */
interface UserLimits {
  open_files: { soft: number | string }
}

interface Result {
  passed: number
  failed: number
}

/** The tests of a part are in this file, or in this folder. */
const TESTS = {
  races: 'test/core/oidc/races.test.ts',
  block: 'test/features/admin/block-races.test.ts',
  forgeries: 'test/core/oidc/jwt.test.ts',
  model: 'test/model/',
  crash: 'test/soak/crash.test.ts',
  matrix: 'test/matrix/',
}

type TestedPart = keyof typeof TESTS
type PartName = TestedPart | 'load' | 'history'

const TESTED_PARTS = Object.keys(TESTS) as TestedPart[]
const PART_NAMES: readonly PartName[] = [...TESTED_PARTS, 'load', 'history']

/** These take minutes, so they are not parts of the short version. */
const LONG: readonly PartName[] = ['matrix', 'history']
const PARTS = { full: PART_NAMES, short: PART_NAMES.filter((name) => !LONG.includes(name)) }

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const options = readOptions()
requireOpenFiles()
const total: Result = { passed: 0, failed: 0 }
const summary: string[] = []
const tested = TESTED_PARTS.filter((part) => options.parts.includes(part))
if (tested.length > 0) await measure(tested.join(', '), () => runTests(tested))
if (options.parts.includes('load')) await measure('load', runLoad)
if (options.parts.includes('history')) await measure('history', runRecorded)
print(['', `Soak, ${options.level} version:`, ...summary].join('\n'))
print(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0

async function measure(name: string, run: () => Promise<Result>): Promise<void> {
  print(`\n${name}: starting`)
  const startedAt = performance.now()
  const { passed, failed } = await run().catch(reportFailure)
  total.passed += passed
  total.failed += failed
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  summary.push(`${name}: ${passed} passed, ${failed} failed  (${seconds} s)`)
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        short: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true },
        rate: { type: 'string' },
        minutes: { type: 'string' },
        seed: { type: 'string' },
        history: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      process.stdout.write(HELP)
      process.exit(0)
    }
    const level = values.short ? 'short' : 'full'
    const { perSecond, seconds } = LEVELS[level].load
    return {
      level,
      parts: values.only ? values.only.map(parsePart) : PARTS[level],
      perSecond: values.rate === undefined ? perSecond : parsePositive(values.rate),
      seconds: values.minutes === undefined ? seconds : 60 * parsePositive(values.minutes),
      minutes: values.minutes === undefined ? HISTORY_MINUTES : parsePositive(values.minutes),
      history: values.history,
      seed:
        values.seed === undefined
          ? Math.floor(Math.random() * 2 ** 31)
          : parsePositive(values.seed),
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${HELP}`)
    process.exit(2)
  }
}

/** Ends the program if it may not open enough files for the full version. */
function requireOpenFiles(): void {
  const { userLimits } = process.report.getReport() as { userLimits: UserLimits }
  const limit = userLimits.open_files.soft
  const isEnough = limit === 'unlimited' || Number(limit) >= OPEN_FILES
  if (options.level === 'short' || isEnough) return
  process.stderr.write(
    `The full version needs ${OPEN_FILES} open files per process, and this shell allows ${limit}. Run \`ulimit -n ${OPEN_FILES}\` first, or use --short.\n`,
  )
  process.exit(2)
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

/** Runs the tests of these parts with the rounds of this level, several files at the same time. */
async function runTests(parts: readonly TestedPart[]): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-soak-'))
  const report = join(folder, 'report.json')
  const child = spawn(
    process.execPath,
    [
      ...[
        'node_modules/vitest/vitest.mjs',
        'run',
        '--project=core',
        '--project=features',
        '--project=matrix',
        '--project=soak',
      ],
      ...['--reporter=verbose', '--reporter=json', `--outputFile.json=${report}`],
      ...parts.map((part) => TESTS[part]),
    ],
    { cwd: ROOT, stdio: 'inherit', env: { ...process.env, SOAK: options.level } },
  )
  const timeout = setTimeout(() => {
    print(`Stopped after ${TIME_LIMIT / 60_000} minutes.`)
    child.kill()
  }, TIME_LIMIT)
  const [status] = await once(child, 'close')
  clearTimeout(timeout)
  const result = readReport(report, parts, status === 0)
  rmSync(folder, { recursive: true })
  return result
}

/**
 * A part without any tests, and a run without a report or that failed outside of its tests, count
 * as a failed test.
 */
function readReport(path: string, parts: readonly TestedPart[], isSuccess: boolean): Result {
  const report = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const { numPassedTests: passed = 0, numFailedTests: failed = 0, testResults = [] } = report
  const files: string[] = testResults.map(({ name }: { name: string }) => name)
  const isComplete = parts.every((part) => files.some((file) => file.includes(TESTS[part])))
  return { passed, failed: isSuccess && isComplete ? failed : Math.max(1, failed) }
}

/**
 * [R13] Under load every response is correct, or rejects the request because the service is busy.
 */
async function runLoad(): Promise<Result> {
  // Imported on demand, because wrangler takes a second to load, also for --help.
  const { startServices } = await import('../../demo/services.ts')
  const { stop, ...services } = await startServices({ port: PORTS.load })
  try {
    const load = await createLoad(services)
    // The first sign-ins wait until the services have started.
    await load({ perSecond: 1, seconds: 5 })
    const measureRate = async (perSecond: number, seconds: number) => {
      print(`${perSecond} sign-ins per second for ${seconds} s`)
      const onProgress = throttle((finished: number, count: number) =>
        print(`${finished} of ${count} sign-ins finished`),
      )
      const stolen = watchStolenTime()
      const report = await load({ perSecond, seconds, onProgress })
      for (const [message, times] of countEach([...report.wrong, ...report.unavailable]))
        print(`  ${times} × ${message}`)
      print(describeLoad(report))
      if (stolen() > 0.02)
        print(
          `  ${Math.round(100 * stolen())} % of the processors' time went to other virtual machines`,
        )
      return report
    }
    const perSecond =
      options.perSecond ?? (await findHighestRate((rate) => measureRate(rate, STEP))) / 2
    const isPassed = isAcceptable(await measureRate(perSecond, options.seconds))
    return { passed: Number(isPassed), failed: Number(!isPassed) }
  } finally {
    await stop()
  }
}

/**
 * [Q7] Whatever happens at once, no answer contradicts what was acknowledged before, or what the docs
 * promise.
 */
async function runRecorded(): Promise<Result> {
  const { checkFile, runHistory } = await import('./history/run-history.ts')
  const { minutes, seed, history } = options
  const { isPassed, text } =
    history === undefined ? await runHistory({ minutes, seed, print }) : checkFile(history, print)
  print(text)
  return { passed: Number(isPassed), failed: Number(!isPassed) }
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
