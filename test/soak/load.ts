import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import type { Services } from '../../demo/services.ts'
import { SimulatedUser, UnavailableError } from './simulated-user.ts'

/** Few enough that users return and meet their own earlier sign-ins. */
const USER_COUNT = 250

/** The highest rate is the last one at which the 99th percentile is below this. */
const ACCEPTABLE_P99 = 2000 // milliseconds

/** Sign-ins per second with which the search for the highest rate begins. */
const FIRST_RATE = 4

/** The search ends when the highest rate is known this precisely. */
const PRECISION = 1 / 8

/** The share of sign-ins that the service may reject because it is busy. */
const ACCEPTABLE_UNAVAILABLE = 1 / 1000

/** Longer than users wait. */
const REQUEST_TIMEOUT = 30_000 // milliseconds

export type LoadServices = Pick<Services, 'login' | 'platform' | 'gallery'>

export interface LoadReport {
  correct: number
  /** What was wrong, once per wrong response. */
  wrong: string[]
  /** Requests that the service rejected because it was busy, and connections that failed. */
  unavailable: string[]
  /** Milliseconds that correct sign-ins took. */
  p50: number
  p99: number
}

interface LoadOptions {
  perSecond: number
  seconds: number
  onProgress?: (finished: number, count: number) => void
}

/** A user of the stand-in, who signs in repeatedly, each time with a new browser. */
interface StandInUser {
  handle: string
  displayName: string
}

/**
 * Creates users, and returns a function that starts their sign-ins at a fixed rate, whether or not
 * earlier ones have finished, and checks every response.
 */
export async function createLoad(
  services: LoadServices,
): Promise<(options: LoadOptions) => Promise<LoadReport>> {
  const users = await createUsers(services)
  const signIn = createSignIn(services)
  const subjects = new Map<string, string>()
  let started = 0

  const signInAndCheck = async () => {
    const index = started++
    const user = users[index % users.length] as StandInUser
    const signInStartedAt = performance.now()
    const subject = await signIn(user, addressFor(index))
    const duration = performance.now() - signInStartedAt
    checkSubject(subjects, user, subject)
    return duration
  }

  return async ({ perSecond, seconds, onProgress = () => {} }) => {
    const count = Math.max(1, Math.round(perSecond * seconds))
    const wrong: string[] = []
    const unavailable: string[] = []
    const durations: number[] = []
    const startedAt = performance.now()
    let finished = 0
    await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        await sleep(Math.max(0, startedAt + (index * 1000) / perSecond - performance.now()))
        try {
          durations.push(await signInAndCheck())
        } catch (error) {
          const failures = error instanceof UnavailableError ? unavailable : wrong
          failures.push(error instanceof Error ? error.message : String(error))
        }
        finished += 1
        onProgress(finished, count)
      }),
    )
    return { correct: durations.length, wrong, unavailable, ...percentiles(durations) }
  }
}

/**
 * Finds the highest number of sign-ins per second at which the 99th percentile stays below two
 * seconds: doubles the rate until it does not, then halves the interval. Ends early if a response
 * is wrong.
 */
export async function findHighestRate(
  measure: (perSecond: number) => Promise<LoadReport>,
): Promise<number> {
  let highest = 0
  let tooHigh = Number.POSITIVE_INFINITY
  let rate = FIRST_RATE
  while (tooHigh - highest > Math.max(1, highest * PRECISION)) {
    const report = await measure(rate)
    if (report.wrong.length > 0) throw new Error('A response was wrong.')
    if (report.unavailable.length === 0 && report.p99 < ACCEPTABLE_P99) highest = rate
    else tooHigh = rate
    rate = tooHigh === Number.POSITIVE_INFINITY ? 2 * rate : (highest + tooHigh) / 2
  }
  if (highest === 0) throw new Error('The machine is too slow for one sign-in per second.')
  return highest
}

/** Nothing was wrong, and almost nothing unavailable. */
export function isAcceptable({ correct, wrong, unavailable }: LoadReport): boolean {
  const count = correct + wrong.length + unavailable.length
  return correct > 0 && wrong.length === 0 && unavailable.length <= count * ACCEPTABLE_UNAVAILABLE
}

export function describeLoad({ correct, wrong, unavailable, p50, p99 }: LoadReport): string {
  const share = (100 * unavailable.length) / (correct + wrong.length + unavailable.length)
  return `${correct} correct, ${wrong.length} wrong, ${unavailable.length} unavailable (${share.toFixed(2)} %); p50 ${p50} ms, p99 ${p99} ms`
}

/**
 * Returns a function that signs a user in to the gallery: the app's code and tokens must belong to
 * this request and this user, and the code must work once. It returns the subject and throws at the
 * first wrong response.
 */
function createSignIn(services: LoadServices) {
  const { login, gallery } = services
  const agent = new Agent({ keepAlive: true })
  // Fetched once and cached, as apps do.
  const keys = createRemoteJWKSet(new URL(`${login}/.well-known/jwks.json`))
  const client = {
    client_id: 'gallery',
    redirect_uri: `${gallery}/callback`,
    scope: 'openid profile',
  }

  return async ({ handle, displayName }: StandInUser, address: string): Promise<string> => {
    const user = new SimulatedUser({
      services,
      client,
      handle,
      address,
      agent,
      timeout: REQUEST_TIMEOUT,
    })
    const callback = await user.requestCode()
    check(callback.href.startsWith(`${client.redirect_uri}?`), 'redirect to a wrong address')
    check(callback.searchParams.get('state') === user.state, 'wrong state')
    check(callback.searchParams.get('iss') === login, 'wrong issuer')

    await user.redeem()
    const { payload } = await jwtVerify(user.tokens.id_token ?? '', keys, {
      issuer: login,
      audience: client.client_id,
    })
    check(payload['nonce'] === user.nonce, 'wrong nonce')

    const profile = await user.userinfo()
    check(profile.sub === payload.sub, 'userinfo of another subject')
    check(profile.name === displayName, 'profile of another user')
    const { status } = await user.sendCode()
    check(status === 400, `${status} for a code that was already used`)
    return String(payload.sub)
  }
}

function check(isCorrect: boolean, message: string): void {
  if (!isCorrect) throw new Error(message)
}

/** Every sign-in of a user must return the same subject, which no other user has. */
function checkSubject(
  subjects: Map<string, string>,
  { handle }: StandInUser,
  subject: string,
): void {
  const expectedSubject = subjects.get(handle) ?? subject
  const expectedHandle = subjects.get(subject) ?? handle
  check(expectedSubject === subject && expectedHandle === handle, 'subject of another user')
  subjects.set(handle, subject).set(subject, handle)
}

async function createUsers({ platform }: LoadServices): Promise<StandInUser[]> {
  const post = (path: string, body: object) =>
    fetch(`${platform}/__stand-in/${path}`, { method: 'POST', body: JSON.stringify(body) })
  await post('switches', { callsPerMinute: 1_000_000 })
  const run = crypto.randomUUID().slice(0, 8)
  const users: StandInUser[] = []
  for (let index = 0; index < USER_COUNT; index++) {
    const user = { handle: `load-${run}-${index}`, displayName: `Load ${run} ${index}` }
    await post('users', user)
    users.push(user)
  }
  return users
}

/** An address of the documentation range (RFC 3849), each in another /64 network. */
function addressFor(index: number): string {
  const [high, low] = [index >> 16, index & 0xffff].map((part) => part.toString(16))
  return `2001:db8:${high}:${low}::1`
}

function percentiles(durations: number[]): { p50: number; p99: number } {
  const sorted = durations.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
  return { p50: at(0.5), p99: at(0.99) }
}
