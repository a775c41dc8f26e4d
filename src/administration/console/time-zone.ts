import type { AppContext } from '../../core/http/app-env.ts'
import { readCookie } from '../../core/http/cookies.ts'
import { isTimeZone } from '../../core/pages/format.ts'

/** The name of the cookie, without its prefix. The script of the console sets it. */
export const ZONE_COOKIE = 'zone'

/** The time zone of this browser. It proves nothing; an unknown one is UTC. */
export function readTimeZone(c: AppContext): string {
  const zone = readCookie(c, ZONE_COOKIE)
  return zone && isTimeZone(zone) ? zone : 'UTC'
}
