import { nowInSeconds } from '../../foundation/values/clock.ts'
import { objectJurisdiction } from '../../foundation/values/jurisdiction.ts'
import type { Config } from '../config/config.ts'
import { copyLifetime } from '../config/lifetimes.ts'
import { hasPassed, stepsOf } from '../config/passed-steps.ts'
import { withDeadline } from '../fetch/deadline.ts'
import type { Session } from './session.ts'

/**
 * KV caches data outside of its jurisdiction, and a binding does not say whether it has one, so a
 * deployment with a jurisdiction has no copies.
 */
function hasCopies(env: Env): boolean {
  return objectJurisdiction(env) === undefined
}

/** KV rejects shorter lifetimes. */
const MIN_TTL = 60 // seconds

/** Longer than KV needs. Requests continue without it. */
const DEADLINE = 2_000 // milliseconds

function inTime<Result>(work: Promise<Result>): Promise<Result> {
  return withDeadline(work, DEADLINE, () => new Error('KV took too long.'))
}

interface SessionCopy extends Session {
  copiedAt: number
}

/**
 * Reads the copy of a session. The user's object has the authoritative one, and decides about a copy
 * from before the deployment had a step.
 */
export async function readSessionCopy(
  env: Env,
  { steps }: Pick<Config, 'steps'>,
  { sessionKey, maxAge }: { sessionKey: string; maxAge: number },
): Promise<Session | undefined> {
  if (!hasCopies(env)) return undefined
  const copy = await inTime(env.SESSIONS.get<SessionCopy>(copyKey(sessionKey), 'json'))
  if (!copy || nowInSeconds() - copy.copiedAt > maxAge) return undefined
  const { copiedAt: _, ...session } = copy
  const required = stepsOf(steps, () => session.user)
  return remainingLifetime(session) > 0 && hasPassed(required, session.steps) ? session : undefined
}

/** Copies a session, unless it is about to expire. */
export async function storeSessionCopy(
  env: Env,
  { lifetimes }: Pick<Config, 'lifetimes'>,
  { sessionKey, session }: { sessionKey: string; session: Session },
): Promise<void> {
  const ttl = remainingLifetime(session)
  if (!hasCopies(env) || ttl < MIN_TTL) return
  const copy: SessionCopy = { copiedAt: nowInSeconds(), ...session }
  const expirationTtl = Math.max(MIN_TTL, Math.min(ttl, copyLifetime(lifetimes)))
  await inTime(env.SESSIONS.put(copyKey(sessionKey), JSON.stringify(copy), { expirationTtl }))
}

export async function deleteSessionCopy(env: Env, sessionKey: string): Promise<void> {
  if (!hasCopies(env)) return
  await inTime(env.SESSIONS.delete(copyKey(sessionKey)))
}

/**
 * How many sessions have a copy, which means that they were used recently. Reads at most one page
 * of the list.
 */
export async function countSessionCopies(
  env: Env,
): Promise<{ count: number; isComplete: boolean } | undefined> {
  if (!hasCopies(env)) return undefined
  const { keys, list_complete } = await inTime(env.SESSIONS.list({ prefix: KEY_PREFIX }))
  return { count: keys.length, isComplete: list_complete }
}

const KEY_PREFIX = 's:'

function copyKey(sessionKey: string): string {
  return `${KEY_PREFIX}${sessionKey}`
}

function remainingLifetime({ idleExpiresAt, expiresAt }: Session): number {
  return Math.min(idleExpiresAt, expiresAt) - nowInSeconds()
}
