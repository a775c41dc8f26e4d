import type { Config } from '../config/config.ts'
import { copyLifetime } from '../config/lifetimes.ts'
import { nowInSeconds } from '../values/clock.ts'
import { objectJurisdiction } from '../values/jurisdiction.ts'
import type { Session } from './session.ts'

/** KV has no jurisdiction, so a deployment with one has no copies. */
function hasCopies(env: Env): boolean {
  return objectJurisdiction(env) === undefined
}

/** KV rejects shorter lifetimes. */
const MIN_TTL = 60 // seconds

interface CacheEntry extends Session {
  cachedAt: number
}

/** Reads a session from the cache. The user's object has the authoritative one. */
export async function readCachedSession(
  env: Env,
  secretDigest: string,
  maxAge: number,
): Promise<Session | undefined> {
  if (!hasCopies(env)) return undefined
  const entry = await env.SESSIONS.get<CacheEntry>(cacheKey(secretDigest), 'json')
  if (!entry || nowInSeconds() - entry.cachedAt > maxAge) return undefined
  const { cachedAt: _, ...session } = entry
  return remainingLifetime(session) > 0 ? session : undefined
}

/** Caches a session, unless it is about to expire. */
export async function cacheSession(
  env: Env,
  { lifetimes }: Pick<Config, 'lifetimes'>,
  { secretDigest, session }: { secretDigest: string; session: Session },
): Promise<void> {
  const ttl = remainingLifetime(session)
  if (!hasCopies(env) || ttl < MIN_TTL) return
  const entry: CacheEntry = { cachedAt: nowInSeconds(), ...session }
  await env.SESSIONS.put(cacheKey(secretDigest), JSON.stringify(entry), {
    expirationTtl: Math.max(MIN_TTL, Math.min(ttl, copyLifetime(lifetimes))),
  })
}

export async function deleteCachedSession(env: Env, secretDigest: string): Promise<void> {
  if (!hasCopies(env)) return
  await env.SESSIONS.delete(cacheKey(secretDigest))
}

/**
 * How many sessions have a copy, which means that they were used recently. Reads at most one page
 * of the list.
 */
export async function countCachedSessions(
  env: Env,
): Promise<{ count: number; isComplete: boolean } | undefined> {
  if (!hasCopies(env)) return undefined
  const { keys, list_complete } = await env.SESSIONS.list({ prefix: KEY_PREFIX })
  return { count: keys.length, isComplete: list_complete }
}

const KEY_PREFIX = 's:'

function cacheKey(secretDigest: string): string {
  return `${KEY_PREFIX}${secretDigest}`
}

function remainingLifetime({ idleExpiresAt, expiresAt }: Session): number {
  return Math.min(idleExpiresAt, expiresAt) - nowInSeconds()
}
