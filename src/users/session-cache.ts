import { seconds } from '../clock.ts'
import type { Session } from './session.ts'

/** KV refuses to keep anything for less (and would throw). */
const SHORTEST_TTL = 60

/** A copy is believed for so long. A session that has ended may be shown by one that was left behind. */
const ONE_HOUR = 3600 // seconds

/** The version of what is stored. A copy of another version is no copy. */
const VERSION = 1

/** Nobody else writes there, and its version tells what is in it: to check each part would only cost. */
interface Copy extends Session {
  v: number
  copiedAt: number
}

/** The copy of a session, if there is one that can still be used. */
export async function readCopy(env: Env, key: string): Promise<Session | undefined> {
  const copy = await env.SESSIONS.get<Copy>(name(key), 'json')
  if (copy?.v !== VERSION || seconds() - copy.copiedAt > ONE_HOUR) return undefined
  const { v: _, copiedAt: __, ...session } = copy
  return remaining(session) > 0 ? session : undefined
}

/** Keeps a copy for as long as it would be believed. Of what is about to end, none is worth it. */
export async function writeCopy(env: Env, key: string, session: Session): Promise<void> {
  const ttl = remaining(session)
  if (ttl < SHORTEST_TTL) return
  await env.SESSIONS.put(
    name(key),
    JSON.stringify({ v: VERSION, copiedAt: seconds(), ...session }),
    {
      expirationTtl: Math.min(ttl, ONE_HOUR),
    },
  )
}

export async function dropCopy(env: Env, key: string): Promise<void> {
  await env.SESSIONS.delete(name(key))
}

function name(key: string): string {
  return `s:${key}`
}

function remaining({ idleExpiresAt, expiresAt }: Session): number {
  return Math.min(idleExpiresAt, expiresAt) - seconds()
}
