import { parseArgs } from 'node:util'
import { type Environment, findRelease, prepareEnvironment, type WorkerSet } from './environment.ts'
import {
  type CpuTime,
  type MeasuredProcesses,
  measureColdStart,
  measureJobs,
  measureNewObject,
  measureSignInRate,
} from './measure-cpu.ts'
import { measureUsage } from './measure-usage.ts'
import { createReport, formatReport, type Report } from './report.ts'
import {
  type ObjectPlacement,
  type RunningProcess,
  type RuntimeOptions,
  startObjects,
  startWorker,
  type Worker,
} from './workerd.ts'

const DEFAULT_ROUNDS = 50

const HELP = `Usage: npm run bench [-- options]

Measures what each job costs: the service's CPU time as a ratio to a minimal worker that does the same job, the
storage calls a response waits for, and US dollars per million at list prices. Also measures what a new user
costs, the cold start and the size of the code. Takes eight to fifteen minutes on an idle machine. CPU is
also compared with that of the last release.
Exits with status 1 if a figure is over its limit. Linux only: CPU times come from /proc.

  --rounds N   how often each job is measured (default: ${DEFAULT_ROUNDS}); fewer rounds are faster and less precise
  --compare R  the Git revision to compare with (default: the last release)
  --json       print JSON instead of tables
  --help       show this text
`

const options = readOptions()
if (process.platform !== 'linux') {
  process.stderr.write('The benchmark runs only on Linux: it reads CPU times from /proc.\n')
  process.exit(2)
}

const startedAt = Date.now()
let lastProgress = ''
const running: RunningProcess[] = []
showProgress('Bundling …')
const environment = await prepareEnvironment(options.compare ?? (await findRelease()))
try {
  const report = await measure(environment)
  clearProgress()
  const text = options.json ? JSON.stringify(report, null, 2) : formatReport(report)
  process.stdout.write(`${text}\n`)
  process.exitCode = report.isOverLimit ? 1 : 0
} catch (error) {
  clearProgress()
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 2
} finally {
  await stopAll()
  await environment.remove()
}

async function measure(environment: Environment): Promise<Report> {
  const { options: runtimeOptions, workers, codeSize } = environment
  showProgress('Counting storage calls and rows …')
  const usage = await measureUsage()
  const remote = await measureWithRemoteObjects(environment)
  const inProcess = await measureWithObjectsInProcess(environment)
  showProgress('Measuring cold starts …')
  const coldStart = await measureColdStart(runtimeOptions, workers)
  return createReport({
    cpu: remote.cpu,
    cpuWithObjects: inProcess.cpu,
    newObjectCpu: remote.newObjectCpu,
    signInsPerSecond: inProcess.signInsPerSecond,
    usage,
    codeSize,
    coldStart,
  })
}

async function measureWithRemoteObjects({
  options: runtimeOptions,
  workers,
}: Environment): Promise<{ cpu: CpuTime[]; newObjectCpu: number }> {
  const { service, floor, release } = workers
  const measured = [service, floor, ...(release ? [release] : [])]
  const objects = await startObjects(runtimeOptions, measured)
  running.push(objects)
  const processes = await startMeasured(runtimeOptions, workers, 'remote')
  const cpu = await measureJobs(processes, options.rounds, showRound('worker only'))
  showProgress('CPU of new objects …')
  const newObjectCpu = await measureNewObject(processes.service, objects)
  await stopAll()
  return { cpu, newObjectCpu }
}

async function measureWithObjectsInProcess({
  options: runtimeOptions,
  workers,
}: Environment): Promise<{
  cpu: CpuTime[]
  signInsPerSecond: { service: number; floor: number }
}> {
  const processes = await startMeasured(runtimeOptions, workers, 'in-process')
  const cpu = await measureJobs(processes, options.rounds, showRound('with objects'))
  showProgress('First sign-ins per second …')
  const signInsPerSecond = {
    service: await measureSignInRate(processes.service),
    floor: await measureSignInRate(processes.floor),
  }
  await stopAll()
  return { cpu, signInsPerSecond }
}

async function startMeasured(
  runtimeOptions: RuntimeOptions,
  { floor, service, release }: WorkerSet,
  placement: ObjectPlacement,
): Promise<MeasuredProcesses> {
  const start = async (worker: Worker) => {
    const started = await startWorker(runtimeOptions, worker, placement)
    running.push(started)
    return started
  }
  return {
    floor: await start(floor),
    service: await start(service),
    release: release && (await start(release)),
  }
}

async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map(({ stop }) => stop()))
}

function readOptions(): { rounds: number; compare: string | undefined; json: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        rounds: { type: 'string', default: String(DEFAULT_ROUNDS) },
        compare: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      process.stdout.write(HELP)
      process.exit()
    }
    const rounds = Number(values.rounds)
    if (Number.isInteger(rounds) && rounds > 0) {
      return { rounds, compare: values.compare, json: values.json }
    }
    throw new RangeError('--rounds must be a positive integer.')
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${HELP}`)
    return process.exit(2)
  }
}

function showRound(phase: string): (round: number) => void {
  return (round) =>
    showProgress(
      round > 0
        ? `CPU, ${phase}: round ${round} of ${options.rounds} …`
        : `CPU, ${phase}: warming up …`,
    )
}

/** In a terminal, one line that is overwritten; otherwise one line per step. */
function showProgress(step: string): void {
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K  ${step} (${seconds} s)`)
  else if (step !== lastProgress) process.stderr.write(`  ${step} (${seconds} s)\n`)
  lastProgress = step
}

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K')
}
