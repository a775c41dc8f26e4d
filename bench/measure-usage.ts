import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from './connection.ts'
import { FIRST_SIGN_IN, JOBS, type Job, newTarget, resetTarget, type Target } from './jobs.ts'
import { startInMiniflare } from './start-in-miniflare.ts'
import { USAGE_PATH, type Usage, type UsageReport } from './usage.ts'

export interface JobUsage {
  usage: Usage
  sequentialCalls: number
}

/** What is stored for one user, in bytes. */
export interface UserStorage {
  /** The user's object after the first sign-in. */
  newObject: number
  newObjectPages: number
  /** The same object after the user has also used an app: authorize, code exchange, refresh. */
  usedObject: number
  /** The user's share of the D1 database. */
  directory: number
  /** The session's copy in KV. */
  kvEntry: number
}

export interface MeasuredUsage {
  /** In the order of `JOBS`. */
  jobs: JobUsage[]
  /** A session check for which the copy in KV is too old, and the session is renewed. */
  firstSessionCheckOfDay: JobUsage
  userStorage: UserStorage
}

const DAY = 24 * 3600 // seconds

/** Enough new users for D1 to grow by several pages. */
const USERS_FOR_DIRECTORY_SIZE = 100

/**
 * Runs every job once against the metered service, and returns what it used of each kind of
 * storage.
 */
export async function measureUsage(): Promise<MeasuredUsage> {
  const runtime = await startInMiniflare('bench/metered-service/index.ts')
  const { hostname, port } = await runtime.ready
  const connection = new Connection({ host: hostname, port })
  try {
    const target = newTarget(connection)
    // The first round is discarded: it loads what an isolate loads once, such as the signing keys.
    for (const job of JOBS) await meterJob(job, target)
    resetTarget(target)
    const reports: UsageReport[] = []
    for (const job of JOBS) reports.push(await meterJob(job, target))
    const newUser = reports[JOBS.indexOf(FIRST_SIGN_IN)]
    const usedObject = reports[JOBS.indexOf(jobNamed('refresh'))]?.stored.userObject ?? 0
    await takeReport(connection, DAY + 60)
    const firstSessionCheckOfDay = await meterJob(jobNamed('session'), target)
    return {
      jobs: reports,
      firstSessionCheckOfDay,
      userStorage: {
        newObject: newUser?.stored.userObject ?? 0,
        newObjectPages: newUser?.stored.userObjectPages ?? 0,
        usedObject,
        directory: await measureDirectoryGrowth(target),
        kvEntry: newUser?.stored.kvEntry ?? 0,
      },
    }
  } finally {
    connection.close()
    await runtime.dispose()
  }
}

function jobNamed(name: string): Job {
  const job = JOBS.find((candidate) => candidate.name === name)
  if (!job) throw new Error(`There is no job named ${name}.`)
  return job
}

async function meterJob(job: Job, target: Target): Promise<UsageReport> {
  await job.prepare?.(target, 1)
  await takeReport(target.connection)
  await job.run(target, 0)
  return takeReport(target.connection)
}

/** Work after the response is part of what a job costs. It takes a few milliseconds. */
const TIME_AFTER_RESPONSE = 100 // milliseconds

/** Takes the meter's report, which starts a new one, and puts the service's clock forward. */
async function takeReport(connection: Connection, advance = 0): Promise<UsageReport> {
  await sleep(TIME_AFTER_RESPONSE)
  const { body } = await connection.get(`${USAGE_PATH}?advance=${advance}`)
  return JSON.parse(body)
}

/** How many bytes the D1 database grows by per new user. */
async function measureDirectoryGrowth(target: Target): Promise<number> {
  const before = (await meterJob(FIRST_SIGN_IN, target)).stored.directory
  for (let user = 1; user < USERS_FOR_DIRECTORY_SIZE; user++) await FIRST_SIGN_IN.run(target, user)
  const after = (await meterJob(FIRST_SIGN_IN, target)).stored.directory
  return (after - before) / USERS_FOR_DIRECTORY_SIZE
}
