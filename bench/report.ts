import { type BilledUsage, type JobCost, jobCost } from './cost.ts'
import type { PerDeployment } from './environment.ts'
import { FIRST_SIGN_IN, JOBS } from './jobs.ts'
import { COLD_START, CPU_OVER_RELEASE } from './limits.ts'
import type { CpuTime } from './measure-cpu.ts'
import type { JobUsage, MeasuredUsage, UserStorage } from './measure-usage.ts'
import { type BilledJob, FIRST_SESSION_CHECK_OF_DAY, type Month, monthlyCost } from './month.ts'
import { PRICES_AS_OF } from './prices.ts'

/** Everything a run has measured. */
export interface Measurements {
  /** CPU of the worker alone, in the order of `JOBS`. */
  cpu: readonly CpuTime[]
  /** CPU of the worker and its Durable Objects together. */
  cpuWithObjects: readonly CpuTime[]
  /** Microseconds of CPU of a new user's object. */
  newObjectCpu: number
  /** First sign-ins per second with the objects in the worker's process. */
  signInsPerSecond: { service: number; floor: number }
  usage: MeasuredUsage
  codeSize: PerDeployment
  coldStart: PerDeployment
}

interface JobReport {
  name: string
  cpu: CpuTime
  cpuWithObjects: CpuTime
  limit: number | undefined
  isOverLimit: boolean
}

interface CostReport extends BilledJob {
  sequentialCalls: number
  dollarsPerMillion: JobCost
}

export interface Report {
  jobs: JobReport[]
  pricesAsOf: string
  costs: CostReport[]
  newUser: UserStorage & {
    rowsWritten: number
    /** Microseconds. */
    newObjectCpu: number
    signInsPerSecond: number
    floorSignInsPerSecond: number
  }
  /** KiB. */
  code: PerDeployment
  /** Milliseconds. */
  coldStarts: { name: string; value: number; limit: number; isOverLimit: boolean }[]
  months: Month[]
  isOverLimit: boolean
}

const ACTIVE_USERS = [10_000, 100_000, 250_000, 400_000, 1_000_000, 10_000_000]

const DEPLOYMENTS = [
  ['core', 'core'],
  ['template', 'template'],
  ['everything', 'every feature'],
] as const

export function createReport(measurements: Measurements): Report {
  const { cpu, cpuWithObjects, usage, codeSize, coldStart } = measurements
  const jobs = JOBS.map(({ name, limit }, index) => {
    const worker = at(cpu, index)
    const isOverLimit =
      (limit !== undefined && worker.ratio > limit) || (worker.overRelease ?? 0) > CPU_OVER_RELEASE
    return { name, cpu: worker, cpuWithObjects: at(cpuWithObjects, index), limit, isOverLimit }
  })
  const costs = createCosts(cpu, usage)
  const coldStarts = DEPLOYMENTS.map(([key, name]) => ({
    name,
    value: coldStart[key],
    limit: COLD_START[key],
    isOverLimit: coldStart[key] > COLD_START[key],
  }))
  return {
    jobs,
    pricesAsOf: PRICES_AS_OF,
    costs,
    newUser: createNewUser(measurements),
    code: codeSize,
    coldStarts,
    months: ACTIVE_USERS.map((users) => monthlyCost(users, costs, usage.userStorage)),
    isOverLimit: [...jobs, ...coldStarts].some(({ isOverLimit }) => isOverLimit),
  }
}

function createCosts(cpu: readonly CpuTime[], usage: MeasuredUsage): CostReport[] {
  const milliseconds = (name: string) =>
    at(
      cpu,
      JOBS.findIndex((job) => job.name === name),
    ).service / 1000
  const costs = JOBS.map(({ name }, index) =>
    createCost(name, at(usage.jobs, index), milliseconds(name)),
  )
  // Its CPU is not measured. Together these two do everything it does, and more.
  const estimate = milliseconds('session') + milliseconds('session with JWT')
  costs.push(createCost(FIRST_SESSION_CHECK_OF_DAY, usage.firstSessionCheckOfDay, estimate))
  return costs
}

function createCost(name: string, measured: JobUsage, cpuMilliseconds: number): CostReport {
  const usage: BilledUsage = { ...measured.usage, cpuMilliseconds }
  const { sequentialCalls } = measured
  return { name, usage, sequentialCalls, dollarsPerMillion: jobCost(usage) }
}

function createNewUser({ newObjectCpu, signInsPerSecond, usage }: Measurements): Report['newUser'] {
  const { directoryRowsWritten, objectRowsWritten } = at(
    usage.jobs,
    JOBS.indexOf(FIRST_SIGN_IN),
  ).usage
  return {
    ...usage.userStorage,
    rowsWritten: directoryRowsWritten + objectRowsWritten,
    newObjectCpu,
    signInsPerSecond: signInsPerSecond.service,
    floorSignInsPerSecond: signInsPerSecond.floor,
  }
}

function at<T>(values: readonly T[], index: number): T {
  const value = values[index]
  if (value === undefined) throw new RangeError(`There is no measurement ${index}.`)
  return value
}

/** The report as tables for the terminal. */
export function formatReport(report: Report): string {
  return [
    ['CPU in µs, log printed', formatCpu(report)],
    [`Storage and cost, list prices of ${report.pricesAsOf}`, formatCosts(report)],
    ['A new user', formatNewUser(report)],
    ['Size and start', formatSizes(report)],
    ['What a month costs in US dollars', formatMonths(report)],
  ]
    .map(([title, table]) => `${title}\n\n${table}`)
    .join('\n\n\n')
}

function formatCpu({ jobs }: Report): string {
  const table = formatTable([
    [
      ...['', 'floor', 'service', 'ratio', 'limit', 'over release', ''],
      ...['floor*', 'service*', 'ratio*', 'over release*'],
    ],
    ...jobs.map(({ name, cpu, cpuWithObjects, limit, isOverLimit }) => [
      name,
      cpu.floor.toFixed(0),
      cpu.service.toFixed(0),
      cpu.ratio.toFixed(2),
      limit === undefined ? '–' : String(limit),
      formatRatio(cpu.overRelease),
      verdict(isOverLimit),
      cpuWithObjects.floor.toFixed(0),
      cpuWithObjects.service.toFixed(0),
      cpuWithObjects.ratio.toFixed(2),
      formatRatio(cpuWithObjects.overRelease),
    ]),
  ])
  return `${table}\n* with the work of the Durable Objects`
}

function formatRatio(ratio: number | undefined): string {
  return ratio === undefined ? '–' : ratio.toFixed(2)
}

function formatCosts({ costs }: Report): string {
  return formatTable([
    [
      '',
      'sequential calls',
      'requests',
      'CPU ms',
      'object calls',
      'object rows w/r',
      'D1 rows w/r',
      'KV w/r',
      '$/million',
      'without objects',
    ],
    ...costs.map(({ name, usage, sequentialCalls, dollarsPerMillion }) => [
      name,
      String(sequentialCalls),
      String(usage.requests),
      usage.cpuMilliseconds.toFixed(2),
      String(usage.objectRequests),
      `${usage.objectRowsWritten}/${usage.objectRowsRead}`,
      `${usage.directoryRowsWritten}/${usage.directoryRowsRead}`,
      `${usage.kvWrites}/${usage.kvReads}`,
      dollarsPerMillion.total.toFixed(2),
      dollarsPerMillion.withoutObjects.toFixed(2),
    ]),
  ])
}

function formatNewUser({ newUser }: Report): string {
  return formatTable([
    ['rows written in the object and D1', String(newUser.rowsWritten)],
    ['SQLite pages of the new object', String(newUser.newObjectPages)],
    ['bytes of the new object', String(newUser.newObject)],
    ['bytes of the object after using an app', String(newUser.usedObject)],
    ['bytes in D1', newUser.directory.toFixed(0)],
    ['bytes in KV', String(newUser.kvEntry)],
    ['CPU of the object', `${(newUser.newObjectCpu / 1000).toFixed(1)} ms`],
    ['first sign-ins per second, objects in the same process', newUser.signInsPerSecond.toFixed(0)],
    ['the same with the floor', newUser.floorSignInsPerSecond.toFixed(0)],
  ])
}

function formatSizes({ code, coldStarts }: Report): string {
  return formatTable([
    ...DEPLOYMENTS.map(([key, name]) => [`code, gzip: ${name}`, `${code[key].toFixed(1)} KiB`]),
    ...coldStarts.map(({ name, value, limit, isOverLimit }) => [
      `cold start over an empty worker: ${name}`,
      `${value.toFixed(1)} ms`,
      `limit ${limit} ms`,
      verdict(isOverLimit),
    ]),
  ])
}

function formatMonths({ months }: Report): string {
  const count = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
  const dollars = new Intl.NumberFormat('en', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  const row = (name: string, item: keyof Month['dollars']) => [
    name,
    ...months.map((month) => dollars.format(month.dollars[item])),
  ]
  return formatTable([
    ['monthly active users', ...months.map(({ activeUsers }) => count.format(activeUsers))],
    row('base fee', 'baseFee'),
    row('requests', 'requests'),
    row('CPU', 'cpu'),
    row('Durable Objects', 'objects'),
    row('D1', 'directory'),
    row('KV', 'kv'),
    row('stored data', 'storage'),
    row('total', 'total'),
    row('Workers Logs, if every request is logged', 'logs'),
  ])
}

function verdict(isOverLimit: boolean): string {
  return isOverLimit ? 'over' : 'ok'
}

/** The first column is aligned to the left, the others to the right. */
function formatTable(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')
}
