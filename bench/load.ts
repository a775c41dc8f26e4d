import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startKillableServices } from '../test/soak/killable-services.ts'
import { createLoad, describeLoad, type LoadReport } from '../test/soak/load.ts'
import { watchStolenTime } from '../test/soak/stolen-time.ts'

/*
 * What a sign-in takes at several rates, and where the time goes: processor time of the runtime, with
 * the storage and the stand-in in it, and how long requests wait for each binding. Needs Linux, and a
 * machine that does nothing else. The generator of the load uses the same processors.
 */

/** Not used by `npm start` or the tests, which may be running. */
const PORT = 23_787

/** Sign-ins per second. */
const RATES = [1, 10, 40]

/** How long each rate is measured. */
const SECONDS = Number(process.argv[2] ?? 30)

/** Ticks of the processor times in /proc. */
const TICKS_PER_SECOND = 100

type Times = Record<string, { calls: number; milliseconds: number }>

interface Measurement {
  perSecond: number
  report: LoadReport
  /** Milliseconds of the processors, of the runtime and of this program. */
  service: number
  generator: number
  times: Times
  stolen: number
  /** The part of the processors' time that anything used. */
  busy: number
}

const services = await startKillableServices({ port: PORT, main: 'test/timed-service.ts' })
try {
  const load = await createLoad(services)
  await load({ perSecond: 2, seconds: 10 })
  const measurements: Measurement[] = []
  for (const perSecond of RATES) measurements.push(await measureRate(load, perSecond))
  process.stdout.write(describe(measurements))
} finally {
  await services.kill()
}

async function measureRate(
  load: Awaited<ReturnType<typeof createLoad>>,
  perSecond: number,
): Promise<Measurement> {
  await readTimes()
  const stolen = watchStolenTime()
  const before = readProcessors()
  const report = await load({ perSecond, seconds: SECONDS })
  // What is done after the responses.
  await sleep(1000)
  const after = readProcessors()
  process.stderr.write(`${perSecond} per second: ${describeLoad(report)}\n`)
  const total = after.total - before.total
  return {
    perSecond,
    report,
    service: after.service - before.service,
    generator: after.generator - before.generator,
    times: await readTimes(),
    stolen: stolen(),
    busy: (total - (after.idle - before.idle)) / Math.max(1, total),
  }
}

async function readTimes(): Promise<Times> {
  const response = await fetch(`${services.login}/__times`)
  return (await response.json()) as Times
}

/** Processor times: of the services, of this process, and of the whole machine. */
function readProcessors() {
  const { user, system } = process.cpuUsage()
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number)
  return {
    service: timeOfGroup(services.group),
    generator: (user + system) / 1000,
    total: ticks.reduce((sum, time) => sum + time, 0),
    idle: (ticks[3] ?? 0) + (ticks[4] ?? 0),
  }
}

/** The processor time of all processes of a group, in milliseconds. */
function timeOfGroup(group: number): number {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const ticks = processes.map((id) => {
    try {
      // The name of the program, in parentheses, may contain spaces.
      const [, fields = ''] = readFileSync(`/proc/${id}/stat`, 'utf8').split(/\) (?!.*\) )/)
      const values = fields.split(' ').map(Number)
      return values[2] === group ? (values[11] ?? 0) + (values[12] ?? 0) : 0
    } catch {
      return 0 // It has ended.
    }
  })
  return (ticks.reduce((sum, time) => sum + time, 0) * 1000) / TICKS_PER_SECOND
}

/** A table for docs/performance.md. */
function describe(measurements: readonly Measurement[]): string {
  const row = (name: string, value: (measurement: Measurement) => string) =>
    `| ${name} | ${measurements.map(value).join(' | ')} |`
  const count = ({ report }: Measurement) => Math.max(1, report.correct)
  const perSignIn = (measurement: Measurement, value: number) =>
    (value / count(measurement)).toFixed(1)
  const waiting = (name: string) => (measurement: Measurement) => {
    const { calls = 0, milliseconds = 0 } = measurement.times[name] ?? {}
    return `${perSignIn(measurement, milliseconds)} (${perSignIn(measurement, calls)})`
  }
  return `${[
    row('per sign-in, sign-ins per second', ({ perSecond }) => String(perSecond)),
    `| --- | ${measurements.map(() => '---:').join(' | ')} |`,
    row('median, 99th percentile, ms', ({ report }) => `${report.p50}, ${report.p99}`),
    row('correct, wrong, unavailable', ({ report }) =>
      [report.correct, report.wrong.length, report.unavailable.length].join(', '),
    ),
    row('CPU of the runtime, ms', (each) => perSignIn(each, each.service)),
    row('CPU of the generator, ms', (each) => perSignIn(each, each.generator)),
    row('requests to the service: ms (number)', waiting('requests')),
    row('of which D1', waiting('DIRECTORY')),
    row('user objects', waiting('USERS')),
    row('revocation objects', waiting('REVOCATIONS')),
    row('keyring', waiting('KEYRING')),
    row('KV', waiting('SESSIONS')),
    row('provider', waiting('provider')),
    row('processors busy', ({ busy }) => percent(busy)),
    row('time stolen by other virtual machines', ({ stolen }) => percent(stolen)),
  ].join('\n')}\n`
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}
