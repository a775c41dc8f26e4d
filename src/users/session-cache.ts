import { nowInSeconds } from '../clock.ts'
import type { Session } from './session.ts'

/** KV rejects shorter lifetimes. */
const MIN_TTL = 60 // seconds

/** A cached session that could not be deleted is used no longer than this. */
const MAX_AGE = 3600 // seconds

/** The version of the stored format. Entries of another version are ignored. */
const FORMAT_VERSION = 2

interface CacheEntry extends Session {
  v: number
  cachedAt: number
}

/** Reads a session from the cache. The user's object has the authoritative one. */
export async function readCachedSession(
  env: Env,
  secretDigest: string,
): Promise<Session | undefined> {
  const entry = await env.SESSIONS.get<CacheEntry>(cacheKey(secretDigest), 'json')
  if (entry?.v !== FORMAT_VERSION || nowInSeconds() - entry.cachedAt > MAX_AGE) return undefined
  const { v: _, cachedAt: __, ...session } = entry
  return remainingLifetime(session) > 0 ? session : undefined
}

/** Caches a session, unless it is about to expire. */
export async function cacheSession(
  env: Env,
  secretDigest: string,
  session: Session,
): Promise<void> {
  const ttl = remainingLifetime(session)
  if (ttl < MIN_TTL) return
  const entry: CacheEntry = { v: FORMAT_VERSION, cachedAt: nowInSeconds(), ...session }
  await env.SESSIONS.put(cacheKey(secretDigest), JSON.stringify(entry), {
    expirationTtl: Math.min(ttl, MAX_AGE),
  })
}

export async function deleteCachedSession(env: Env, secretDigest: string): Promise<void> {
  await env.SESSIONS.delete(cacheKey(secretDigest))
}

function cacheKey(secretDigest: string): string {
  return `s:${secretDigest}`
}

function remainingLifetime({ idleExpiresAt, expiresAt }: Session): number {
  return Math.min(idleExpiresAt, expiresAt) - nowInSeconds()
}
