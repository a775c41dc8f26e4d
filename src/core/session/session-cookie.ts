import { digest } from '../../foundation/crypto/digest.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import type { AppContext, SessionCookie } from '../http/app-env.ts'
import { readSealedCookie, setSealedCookie } from '../http/cookies.ts'
import { keyWithProof } from '../users/session-key.ts'
import { boundSessions } from './bound-sessions.ts'

/** Sets the cookie of a session, or of one that waits for a step, for this many seconds. */
export async function writeSessionCookie(
  c: AppContext,
  name: 'session' | 'pending',
  { userId, secret, maxAge }: { userId: string; secret: string; maxAge: number },
): Promise<void> {
  const expiresAt = nowInSeconds() + maxAge
  await setSealedCookie(c, name, { value: `${userId}.${secret}.${expiresAt}`, maxAge })
}

/**
 * Reads the session cookie; it is opened once per request. Malformed cookies are rejected before
 * any storage is read.
 */
export function readSessionCookie(c: AppContext): Promise<SessionCookie | undefined> {
  const cookie = c.get('sessionCookie') ?? openSessionCookie(c)
  c.set('sessionCookie', cookie)
  return cookie
}

/** The cookie of a session that waits for a step. Nothing but the pages of steps accepts it. */
export function readPendingCookie(c: AppContext): Promise<SessionCookie | undefined> {
  return openSessionCookie(c, 'pending')
}

async function openSessionCookie(
  c: AppContext,
  name: 'session' | 'pending' = 'session',
): Promise<SessionCookie | undefined> {
  const [userId, secret, expiresAt] = (await readSealedCookie(c, name))?.split('.') ?? []
  if (!userId || !secret) return undefined
  // Browsers delete it then. Cookies of version 0.2.0 have no time.
  if (expiresAt !== undefined && Number(expiresAt) <= nowInSeconds()) return undefined
  const secretDigest = await digest(secret)
  const binding = name === 'session' ? await boundSessions(c)?.readProof(c) : undefined
  return {
    userId,
    sessionKey: keyWithProof(secretDigest, binding?.proof),
    secretDigest,
    ...(binding?.isMissing && { lacksProof: true }),
  }
}
