import { getCookie, setCookie } from 'hono/cookie'
import type { AppContext } from './app-env.ts'

/** What a browser remembers about its user: the language they chose, and the provider they last used. */
type Preference = 'language' | 'provider'

const LIFETIME = 365 * 24 * 3600 // seconds

/** A short word. Anything else was not set by us. */
const VALUE = /^[\w.~-]{1,64}$/

/** A preference of this browser. It proves nothing, so it is neither sealed nor trusted. */
export function readPreference(c: AppContext, name: Preference): string | undefined {
  const value = getCookie(c, `vestibule.${name}`)
  return value && VALUE.test(value) ? value : undefined
}

export function setPreference(c: AppContext, name: Preference, value: string): void {
  setCookie(c, `vestibule.${name}`, value, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: c.get('config').issuer.startsWith('https:'),
    maxAge: LIFETIME,
  })
}
