import type { Config } from '../config/config.ts'
import { copyLifetime } from '../config/lifetimes.ts'
import { nowInSeconds } from '../values/clock.ts'
import type { Session } from './session.ts'

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
  if (ttl < MIN_TTL) return
  const entry: CacheEntry = { cachedAt: nowInSeconds(), ...session }
  await env.SESSIONS.put(cacheKey(secretDigest), JSON.stringify(entry), {
    expirationTtl: Math.max(MIN_TTL, Math.min(ttl, copyLifetime(lifetimes))),
  })
}

export async function deleteCachedSession(env: Env, secretDigest: string): Promise<void> {
  await env.SESSIONS.delete(cacheKey(secretDigest))
}

/**
 * How many sessions have a copy, which means that they were used recently. Reads at most one page
 * of the list.
 */
export async function countCachedSessions(
  env: Env,
): Promise<{ count: number; isComplete: boolean }> {
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
