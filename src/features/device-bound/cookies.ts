import { deleteCookie, setCookie } from 'hono/cookie'
import type { AppContext } from '../../core/http/app-env.ts'
import { cookieAttributes, fullCookieName, readCookie } from '../../core/http/cookies.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { openProof, sealProof } from './sealed-values.ts'

/** The cookie that browsers renew by proving the key. */
export const PROOF_COOKIE = 'device'

/**
 * Remains when that one has expired, so that requests of the browser differ from those of a copied
 * session. Its value is the time since which the browser cannot renew the other one. It protects
 * nothing.
 */
export const MARK_COOKIE = 'device-bound'

/** Longer than browsers wait, after failures, until they try to renew the cookie again. */
const MAX_DELAY = 600 // seconds

/** The bound cookie, as the browser is told to renew it. */
export function describeProofCookie(c: AppContext): { name: string; attributes: string } {
  const name = fullCookieName(c.get('config'), PROOF_COOKIE)
  return { name, attributes: 'Path=/; Secure; HttpOnly; SameSite=Lax' }
}

export async function setProofCookies(
  c: AppContext,
  proof: string,
  lifetime: number,
): Promise<void> {
  const config = c.get('config')
  const sealed = await sealProof(config.seal, proof, nowInSeconds() + lifetime)
  const attributes = { ...cookieAttributes(config), maxAge: lifetime }
  setCookie(c, fullCookieName(config, PROOF_COOKIE), sealed, attributes)
  setMark(c, '0')
}

/** The proof of a request; `isMissing` if the session of this browser is bound, and it has none. */
export async function readProof(
  c: AppContext,
): Promise<{ proof?: string | undefined; isMissing?: boolean }> {
  const sealed = readCookie(c, PROOF_COOKIE)
  const proof = sealed && (await openProof(c.get('config').seal, sealed))
  if (proof) return { proof }
  return { isMissing: readCookie(c, MARK_COOKIE) !== undefined }
}

/** Forgets the binding of a former session in this browser. */
export function clearProofCookies(c: AppContext): void {
  const config = c.get('config')
  for (const name of [PROOF_COOKIE, MARK_COOKIE]) {
    if (readCookie(c, name) === undefined) continue
    deleteCookie(c, fullCookieName(config, name), cookieAttributes(config))
  }
}

/** Whether the browser reports that it could not renew the cookie, and may still succeed. */
export function isDelayed(c: AppContext): boolean {
  if (c.req.header('Secure-Session-Skipped') === undefined) return false
  const now = nowInSeconds()
  const failsSince = Number(readCookie(c, MARK_COOKIE)) || now
  if (failsSince === now) setMark(c, String(now))
  return now - failsSince < MAX_DELAY
}

function setMark(c: AppContext, value: string): void {
  const config = c.get('config')
  const maxAge = config.lifetimes.sessionAbsolute
  setCookie(c, fullCookieName(config, MARK_COOKIE), value, { ...cookieAttributes(config), maxAge })
}
