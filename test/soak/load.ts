import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import type { Services } from '../../demo/services.ts'
import { SimulatedUser, UnavailableError } from './simulated-user.ts'

/**
 * Few enough that users return and meet their own earlier sign-ins, and enough that no user exceeds
 * the number of sessions that are kept.
 */
const MAX_USERS = 500

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
 * Starts sign-ins at a fixed rate, whether or not earlier ones have finished, and checks every
 * response.
 */
export async function loadWithSignIns(
  services: LoadServices,
  { perSecond, seconds, onProgress = () => {} }: LoadOptions,
): Promise<LoadReport> {
  const count = Math.round(perSecond * seconds)
  const users = await createUsers(services, Math.min(count, MAX_USERS))
  const signIn = createSignIn(services)
  const wrong: string[] = []
  const unavailable: string[] = []
  const durations: number[] = []
  const subjects = new Map<string, string>()
  const startedAt = performance.now()

  const signInAndCheck = async (index: number) => {
    const user = users[index % users.length] as StandInUser
    const signInStartedAt = performance.now()
    const subject = await signIn(user, addressFor(index))
    durations.push(performance.now() - signInStartedAt)
    checkSubject(subjects, user, subject)
  }
  let finished = 0
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await sleep(Math.max(0, startedAt + (index * 1000) / perSecond - performance.now()))
      await signInAndCheck(index).catch((error: Error) => {
        const failures = error instanceof UnavailableError ? unavailable : wrong
        failures.push(error.message)
      })
      finished += 1
      onProgress(finished, count)
    }),
  )
  const correct = count - wrong.length - unavailable.length
  return { correct, wrong, unavailable, ...percentiles(durations) }
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

async function createUsers({ platform }: LoadServices, count: number): Promise<StandInUser[]> {
  const post = (path: string, body: object) =>
    fetch(`${platform}/__stand-in/${path}`, { method: 'POST', body: JSON.stringify(body) })
  await post('switches', { callsPerMinute: 1_000_000 })
  const run = crypto.randomUUID().slice(0, 8)
  const users: StandInUser[] = []
  for (let index = 0; index < count; index++) {
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
