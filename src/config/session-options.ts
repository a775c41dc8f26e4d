import { isObject } from '../values/json.ts'
import { DEFAULT_LIFETIMES, type Lifetimes } from './lifetimes.ts'

/** How long sessions and their tokens last. All values are in seconds. */
export interface SessionOptions {
  /**
   * A session ends if it is not used for this long. From 600 (ten minutes) to 2592000 (30 days), by
   * default 604800 (seven days).
   */
  idleLifetime?: number
  /**
   * A session ends after this time, however often it is used. From 600 (ten minutes) to 7776000
   * (90 days), by default 2592000 (30 days).
   */
  absoluteLifetime?: number
  /**
   * The lifetime of a session token, the JWT of `/api/auth/session`. An API that verifies it offline
   * accepts it for this long after a sign-out. From 60 to 300, by default 300.
   */
  tokenLifetime?: number
  /**
   * How old the copy of a session in KV may be that `/api/auth/session` responds with, including a
   * token, without calling the user's Durable Object. A sign-out in another browser takes effect
   * that much later. At most 300, by default 0: the object is always called.
   */
  trustCopyFor?: number
}

/** The options that set a lifetime. */
export interface LifetimeOptions {
  session?: SessionOptions
  accessTokenLifetime?: number
}

/**
 * The smallest and largest values. A session must outlive the time in which a user reads a page; after
 * 90 days, a device may have changed hands. Tokens that are verified offline cannot be revoked, so
 * they must expire soon, but not while a client whose clock differs by a minute still uses them.
 */
const BOUNDS: Record<string, readonly [min: number, max: number]> = {
  'session.idleLifetime': [600, 30 * 24 * 3600],
  'session.absoluteLifetime': [600, 90 * 24 * 3600],
  'session.tokenLifetime': [60, 300],
  'session.trustCopyFor': [0, 300],
  accessTokenLifetime: [300, 900],
}

/** What is wrong with these options, in complete sentences. */
export function lifetimeProblems({ session = {}, accessTokenLifetime }: LifetimeOptions): string[] {
  if (!isObject(session)) return ['session must be an object.']
  const values = [
    ...Object.entries(session).map(([name, value]) => [`session.${name}`, value] as const),
    ['accessTokenLifetime', accessTokenLifetime] as const,
  ]
  const problems = values
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => boundsProblem(name, value) ?? [])
  const { idleLifetime, absoluteLifetime = DEFAULT_LIFETIMES.sessionAbsolute }: SessionOptions =
    session
  if (problems.length === 0 && idleLifetime !== undefined && idleLifetime > absoluteLifetime) {
    problems.push(
      `session.idleLifetime must not be longer than session.absoluteLifetime, which is ${absoluteLifetime}.`,
    )
  }
  return problems
}

function boundsProblem(name: string, value: unknown): string | undefined {
  const bounds = BOUNDS[name]
  if (!bounds) return `${name} is not an option of createVestibule.`
  const [min, max] = bounds
  const isInside = Number.isInteger(value) && Number(value) >= min && Number(value) <= max
  return isInside ? undefined : `${name} must be a whole number of seconds from ${min} to ${max}.`
}

/** The lifetimes of a deployment with these options. */
export function resolveLifetimes({ session, accessTokenLifetime }: LifetimeOptions): Lifetimes {
  const sessionAbsolute = session?.absoluteLifetime ?? DEFAULT_LIFETIMES.sessionAbsolute
  return {
    sessionAbsolute,
    sessionIdle: session?.idleLifetime ?? Math.min(DEFAULT_LIFETIMES.sessionIdle, sessionAbsolute),
    sessionToken: session?.tokenLifetime ?? DEFAULT_LIFETIMES.sessionToken,
    accessToken: accessTokenLifetime ?? DEFAULT_LIFETIMES.accessToken,
    trustCopyFor: session?.trustCopyFor ?? DEFAULT_LIFETIMES.trustCopyFor,
  }
}
