import { setTimeout as sleep } from 'node:timers/promises'
import { CONCURRENCY } from './connection.ts'
import { cpuTime } from './cpu.ts'
import type { PerDeployment, WorkerSet } from './environment.ts'
import {
  FIRST_SIGN_IN,
  JOBS,
  type Job,
  newTarget,
  resetTarget,
  type Target,
  verifyLastIdToken,
} from './jobs.ts'
import { type RunningProcess, type RuntimeOptions, startWorker, type Worker } from './workerd.ts'

/** The CPU time of one job, in microseconds. */
export interface CpuTime {
  floor: number
  service: number
  /**
   * Computed within each round, not from the two figures above: what disturbs a round affects both
   * sides.
   */
  ratio: number
  /** The same, as a multiple of the last release; missing if that was not measured. */
  overRelease?: number
}

type Side = 'floor' | 'service' | 'release'

interface MeasuredTarget extends Target {
  side: Side
  pid: number
  /** The jobs that it cannot do. */
  lacks: Set<Job>
}

/** Until then V8 compiles in the background, for the larger worker longer. */
const WARM_UP_ROUNDS = 100

/** The processes that are compared. */
export interface MeasuredProcesses {
  floor: RunningProcess
  service: RunningProcess
  release: RunningProcess | undefined
}

/**
 * Measures every job in short slices. Floor, service and release take turns within a round, and
 * which of them begins alternates, so that other load on the machine affects all. Returns one entry
 * per job, in the order of `JOBS`.
 */
export async function measureJobs(
  { floor, service, release }: MeasuredProcesses,
  rounds: number,
  onProgress: (round: number) => void,
): Promise<CpuTime[]> {
  const targets = [
    measuredTarget('floor', floor),
    measuredTarget('service', service),
    ...(release ? [measuredTarget('release', release)] : []),
  ]
  const slices = JOBS.map((): Record<Side, number[]> => ({ floor: [], service: [], release: [] }))
  for (let round = 1 - WARM_UP_ROUNDS; round <= rounds; round++) {
    onProgress(round)
    const times = await runRound(round % 2 === 0 ? targets : targets.toReversed())
    if (round === 0) await Promise.all(targets.map(verifyLastIdToken))
    if (round <= 0) continue
    for (const { job, side, time } of times) slices[JOBS.indexOf(job)]?.[side].push(time)
  }
  return slices.map(({ floor, service, release }) => ({
    floor: interquartileMean(floor),
    service: interquartileMean(service),
    ratio: meanRatio(service, floor),
    ...(release.length > 0 && { overRelease: meanRatio(service, release) }),
  }))
}

function meanRatio(times: readonly number[], base: readonly number[]): number {
  return interquartileMean(times.map((time, index) => time / (base[index] ?? 0)))
}

async function runRound(order: readonly MeasuredTarget[]) {
  const times: { job: Job; side: Side; time: number }[] = []
  for (const target of order) resetTarget(target)
  for (const job of JOBS) {
    for (const target of order) {
      if (target.lacks.has(job)) continue
      try {
        times.push({ job, side: target.side, time: await runSlice(job, target) })
      } catch (error) {
        // The release may be older than what the job measures.
        if (target.side !== 'release') throw error
        target.lacks.add(job)
      }
    }
  }
  return times
}

function measuredTarget(side: Side, { pid, connection }: RunningProcess): MeasuredTarget {
  return { ...newTarget(connection), side, pid, lacks: new Set() }
}

/** Microseconds of CPU per repetition. */
async function runSlice(job: Job, target: MeasuredTarget): Promise<number> {
  await job.prepare?.(target, job.repetitions)
  const before = cpuTime(target.pid)
  await repeat(job, target, job.repetitions)
  return (cpuTime(target.pid) - before) / job.repetitions
}

async function repeat(job: Job, target: Target, repetitions: number): Promise<void> {
  let next = 0
  const sendRequests = async () => {
    while (next < repetitions) await job.run(target, next++)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, sendRequests))
}

/** The mean of the middle half: slices that were disturbed, or unusually quiet, do not count. */
function interquartileMean(values: readonly number[]): number {
  const quarter = Math.floor(values.length / 4)
  const middle = values.toSorted((a, b) => a - b).slice(quarter, values.length - quarter)
  return middle.reduce((sum, value) => sum + value, 0) / middle.length
}

/** Enough for a stable mean; takes a few seconds. */
const FIRST_SIGN_INS = 400

/** First sign-ins per second of wall-clock time, with all cores of the machine. */
export async function measureSignInRate({ connection }: RunningProcess): Promise<number> {
  const startedAt = performance.now()
  await repeat(FIRST_SIGN_IN, newTarget(connection), FIRST_SIGN_INS)
  return FIRST_SIGN_INS / ((performance.now() - startedAt) / 1000)
}

/**
 * After ten seconds without requests the runtime closes an object's database, which is part of the
 * object's work.
 */
const OBJECT_EVICTION = 12_000 // milliseconds

/**
 * Microseconds of CPU that a new user's object takes, in a process that holds nothing but objects.
 */
export async function measureNewObject(
  { connection }: RunningProcess,
  objects: RunningProcess,
): Promise<number> {
  await sleep(OBJECT_EVICTION)
  const before = cpuTime(objects.pid)
  await repeat(FIRST_SIGN_IN, newTarget(connection), FIRST_SIGN_INS)
  await sleep(OBJECT_EVICTION)
  return (cpuTime(objects.pid) - before) / FIRST_SIGN_INS
}

const STARTS = 9

/**
 * Milliseconds of CPU for starting and serving one request, beyond what an empty worker with the
 * same bindings and texts needs. Local workers also pay for their bindings, deployed ones do not.
 */
export async function measureColdStart(
  options: RuntimeOptions,
  { core, template, service }: WorkerSet,
): Promise<PerDeployment> {
  const workers = [core, template, service].flatMap((worker) => [
    worker,
    { ...worker, name: `empty-${worker.name}`, code: 'empty' },
  ])
  const times = workers.map((): number[] => [])
  for (let start = 0; start < STARTS; start++) {
    for (const [index, worker] of workers.entries()) {
      times[index]?.push(await startOnce(options, worker))
    }
  }
  // Other load on the machine makes a start slower and never faster.
  const smallest = times.map((list) => Math.min(...list) / 1000)
  const overEmpty = (index: number) => (smallest[2 * index] ?? 0) - (smallest[2 * index + 1] ?? 0)
  return { core: overEmpty(0), template: overEmpty(1), everything: overEmpty(2) }
}

async function startOnce(options: RuntimeOptions, worker: Worker): Promise<number> {
  const { startTime, stop } = await startWorker(options, worker, 'in-memory')
  await stop()
  return startTime
}
