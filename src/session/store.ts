import * as z from 'zod/mini'
import type { Session } from '../users/user-object.ts'

/** KV refuses to keep anything for less (and would throw). */
const SHORTEST_TTL = 60

/** The version of what is stored. A copy of another version is no copy. */
const VERSION = 1

const text = z.optional(z.string())
const copy = z.object({
  v: z.literal(VERSION),
  sid: z.string(),
  user: z.object({
    id: z.templateLiteral(['usr_', z.string()]),
    name: text,
    username: text,
    email: text,
    image: text,
    url: text,
  }),
  authenticatedAt: z.number(),
  idleExpiresAt: z.number(),
  expiresAt: z.number(),
})

/** The copy of a session, if there is one that can still be used. */
export async function readCopy(env: Env, key: string): Promise<Session | undefined> {
  const { data } = copy.safeParse(await env.SESSIONS.get(name(key), 'json'))
  return data && remaining(data as Session) > 0 ? (data as Session) : undefined
}

/** Keeps a copy for as long as the session may live. What is about to end is not worth one. */
export async function writeCopy(env: Env, key: string, session: Session): Promise<void> {
  const ttl = remaining(session)
  if (ttl < SHORTEST_TTL) return
  await env.SESSIONS.put(name(key), JSON.stringify({ v: VERSION, ...session }), {
    expirationTtl: ttl,
  })
}

export async function dropCopy(env: Env, key: string): Promise<void> {
  await env.SESSIONS.delete(name(key))
}

function name(key: string): string {
  return `s:${key}`
}

function remaining({ idleExpiresAt, expiresAt }: Session): number {
  return Math.min(idleExpiresAt, expiresAt) - Math.floor(Date.now() / 1000)
}
