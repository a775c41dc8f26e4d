import * as z from 'zod/mini'
import { type Shape, seconds } from '../../foundation/values/schemas.ts'
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
   * The lifetime of a session token, the JWT of `/api/auth/session`. An API that verifies it
   * offline accepts it for this long after a sign-out. From 60 to 300, by default 300.
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

/*
 * The smallest and largest values. A session must outlive the time in which a user reads a page;
 * after 90 days, a device may have changed hands. Tokens that are verified offline cannot be
 * revoked, so they must expire soon, but not while a client whose clock differs by a minute still
 * uses them.
 */

export function sessionSchema() {
  return z
    .strictObject({
      idleLifetime: z.optional(seconds(600, 30 * 24 * 3600)),
      absoluteLifetime: z.optional(seconds(600, 90 * 24 * 3600)),
      tokenLifetime: z.optional(seconds(60, 300)),
      trustCopyFor: z.optional(seconds(0, 300)),
    } satisfies Shape<SessionOptions>)
    .check(
      z.refine(
        ({ idleLifetime = 0, absoluteLifetime = DEFAULT_LIFETIMES.sessionAbsolute }) =>
          idleLifetime <= absoluteLifetime,
        {
          path: ['idleLifetime'],
          error: `must not be longer than absoluteLifetime, which is ${DEFAULT_LIFETIMES.sessionAbsolute} by default.`,
        },
      ),
    )
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
