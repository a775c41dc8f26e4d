import { digest } from '../crypto/digest.ts'
import type { AppContext, SessionCookie } from '../http/app-env.ts'
import { readSealedCookie } from '../http/cookies.ts'

/**
 * Reads the session cookie; it is opened once per request. Malformed cookies are rejected before
 * any storage is read.
 */
export function readSessionCookie(c: AppContext): Promise<SessionCookie | undefined> {
  const cookie = c.get('sessionCookie') ?? openSessionCookie(c)
  c.set('sessionCookie', cookie)
  return cookie
}

async function openSessionCookie(c: AppContext): Promise<SessionCookie | undefined> {
  const [userId, secret] = (await readSealedCookie(c, 'session'))?.split('.') ?? []
  return userId && secret ? { userId, secretDigest: await digest(secret) } : undefined
}
