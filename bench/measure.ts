import { AT_ONCE } from './connection.ts'
import { cpuOf } from './cpu.ts'
import { forget, JOBS, type Job, type Side, verifyLastIdToken } from './jobs.ts'
import { type Running, type Stage, startWorker, type Worker } from './workerd.ts'

/** What a job costs, in microseconds of CPU. */
export interface Cost {
  job: Job
  floor: number
  service: number
  /** Of the two in the same round, and not of the two above: what disturbs a round disturbs both. */
  ratio: number
}

/** Until the runtime has compiled what is used often. */
const WARM_UP_ROUNDS = 100

/**
 * Runs every job in small slices, floor and service in turn and now one, now the other first: what else the
 * machine does meanwhile hits both alike.
 */
export async function measureJobs(
  running: Record<Side['name'], Running>,
  rounds: number,
  onProgress: (round: number) => void,
): Promise<Cost[]> {
  const floor = side('floor', running.floor)
  const service = side('service', running.service)
  const slices = JOBS.map((job) => ({ job, floor: [] as number[], service: [] as number[] }))
  for (let round = 1 - WARM_UP_ROUNDS; round <= rounds; round++) {
    onProgress(round)
    const order = round % 2 === 0 ? [floor, service] : [service, floor]
    const costs = await runRound(order)
    if (round === 0) await Promise.all(order.map(verifyLastIdToken))
    if (round <= 0) continue
    for (const { job, one, cost } of costs)
      slices.find((slice) => slice.job === job)?.[one].push(cost)
  }
  return slices.map(({ job, floor, service }) => ({
    job,
    floor: middle(floor),
    service: middle(service),
    ratio: middle(service.map((cost, index) => cost / (floor[index] ?? 0))),
  }))
}

async function runRound(order: readonly Side[]) {
  const costs: { job: Job; one: Side['name']; cost: number }[] = []
  for (const one of order) forget(one)
  for (const job of JOBS) {
    for (const one of order) costs.push({ job, one: one.name, cost: await runSlice(job, one) })
  }
  return costs
}

function side(name: Side['name'], { pid, connection }: Running): Side {
  return { name, pid, connection, sessions: [], codes: [], refreshTokens: [], lastIdToken: '' }
}

async function runSlice(job: Job, one: Side): Promise<number> {
  await job.prepare?.(one, job.times)
  const before = cpuOf(one.pid)
  let next = 0
  const visitor = async () => {
    while (next < job.times) await job.run(one, next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, visitor))
  return (cpuOf(one.pid) - before) / job.times
}

/** The mean of the middle half: what a slice was disturbed by, or spared, does not count. */
function middle(values: readonly number[]): number {
  const quarter = Math.floor(values.length / 4)
  const half = values.toSorted((one, other) => one - other).slice(quarter, values.length - quarter)
  return half.reduce((sum, value) => sum + value, 0) / half.length
}

const STARTS = 9

/** What it costs to start and to answer once, beyond what an empty worker costs, in milliseconds of CPU. */
export async function measureColdStart(
  stage: Stage,
  { service, empty }: { service: Worker; empty: Worker },
): Promise<number> {
  const costs = { service: [] as number[], empty: [] as number[] }
  for (let start = 0; start < STARTS; start++) {
    costs.empty.push(await startOnce(stage, empty))
    costs.service.push(await startOnce(stage, service))
  }
  // A service on the machine makes a start dearer, and never cheaper.
  return (Math.min(...costs.service) - Math.min(...costs.empty)) / 1000
}

async function startOnce(stage: Stage, worker: Worker): Promise<number> {
  const { startCost, stop } = await startWorker(stage, worker, 'here')
  await stop()
  return startCost
}
