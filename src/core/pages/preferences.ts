import { deleteCookie, setCookie } from 'hono/cookie'
import type { Config } from '../config/config.ts'
import type { AppContext } from '../http/app-env.ts'
import { cookieAttributes, fullCookieName, readCookie } from '../http/cookies.ts'

/**
 * What a browser remembers: the language its user chose, the provider they last used, that they
 * have signed out since then, that a sign-in has created the user, who has not seen the account
 * page yet, the time of the last change to their ways to sign in that this page has shown, and the
 * id of the interaction that leads from the account pages back to an app.
 */
export const PREFERENCES = [
  'language',
  'provider',
  'signed-out',
  'new-user',
  'changes-seen',
  'account-visit',
] as const

type Preference = (typeof PREFERENCES)[number]

const LIFETIME = 365 * 24 * 3600 // seconds

/** The id of a language or provider. Anything else was not set by us. */
const VALUE = /^[\w.~-]{1,64}$/

/** A preference of this browser. It proves nothing, so its cookie is not sealed. */
export function readPreference(c: AppContext, name: Preference): string | undefined {
  // A misconfigured deployment has no Config, but error pages.
  const config: Config | undefined = c.get('config')
  const value = config && readCookie(c, name)
  return value && VALUE.test(value) ? value : undefined
}

export function setPreference(c: AppContext, name: Preference, value: string): void {
  const config: Config | undefined = c.get('config')
  if (!config) return
  const attributes = { ...cookieAttributes(config), maxAge: LIFETIME }
  setCookie(c, fullCookieName(config, name), value, attributes)
}

/** Forgets a preference, if this browser has it. */
export function clearPreference(c: AppContext, name: Preference): void {
  const config = c.get('config')
  if (readPreference(c, name) === undefined) return
  deleteCookie(c, fullCookieName(config, name), cookieAttributes(config))
}
