import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { parse } from 'hono/utils/cookie'
import type { Config } from '../config/config.ts'
import type { AppContext } from './app-env.ts'

/**
 * Our sealed cookies: one session, one CSRF token, one for the accounts that the browser is known to, and one attempt for
 * each sign-in in progress.
 */
type CookieName = 'session' | 'csrf' | 'known' | `attempt.${string}`

/**
 * Browsers drop cookies of more than 4096 bytes including name and attributes (RFC 6265 §6.1). An
 * attempt's take 91.
 */
const MAX_VALUE_LENGTH = 4000

/** The id in the name of an attempt's cookie. Other services on the domain may set cookies too. */
const ATTEMPT_ID = /^[\w-]{1,43}$/

/**
 * Sets a cookie that only we can read or create. It is sealed for its kind, so the value of one
 * kind of cookie is not accepted as another. Returns the length of name and value.
 */
export async function setSealedCookie(
  c: AppContext,
  name: CookieName,
  { value, maxAge }: { value: string; maxAge: number },
): Promise<number> {
  const config = c.get('config')
  const sealed = await config.seal.seal(cookieKind(name), '', value)
  if (sealed.length > MAX_VALUE_LENGTH) {
    throw new RangeError(`The cookie ${cookieKind(name)} is too long.`)
  }
  const fullName = fullCookieName(config, name)
  setCookie(c, fullName, sealed, { ...cookieAttributes(config), maxAge })
  return fullName.length + sealed.length
}

/** Reads a sealed cookie. Two cookies with the same name are an attack and are both ignored. */
export async function readSealedCookie(
  c: AppContext,
  name: CookieName,
): Promise<string | undefined> {
  const config = c.get('config')
  const fullName = fullCookieName(config, name)
  const [pair, ...duplicates] = cookiePairs(c, fullName)
  const sealed = pair && parse(pair, fullName)[fullName]
  if (!sealed || duplicates.length > 0) return undefined
  return config.seal.open(cookieKind(name), '', sealed)
}

export function clearCookie(c: AppContext, name: CookieName): void {
  const config = c.get('config')
  deleteCookie(c, fullCookieName(config, name), cookieAttributes(config))
}

/**
 * The browser's attempts, the oldest first, because browsers send older cookies first
 * (RFC 6265 §5.4).
 */
export function attemptCookies(c: AppContext): { name: CookieName; size: number }[] {
  const prefix = fullCookieName(c.get('config'), 'attempt.')
  return Object.entries(getCookie(c))
    .filter(([name]) => name.startsWith(prefix) && ATTEMPT_ID.test(name.slice(prefix.length)))
    .map(([name, value]) => ({
      name: `attempt.${name.slice(prefix.length)}`,
      size: name.length + value.length,
    }))
}

/**
 * All pairs with this name. `getCookie` returns only the first one whose value it considers valid.
 */
function cookiePairs(c: AppContext, fullName: string): string[] {
  return (c.req.header('Cookie') ?? '').split(';').filter((pair) => {
    // Browsers remove spaces and tabs around a name (RFC 6265 §5.4), and no other white space.
    const text = pair.replace(/^[ \t]+/, '')
    return text.startsWith(fullName) && /^[ \t]*=/.test(text.slice(fullName.length))
  })
}

/** `__Host-` ties a cookie to this host and to https. Browsers reject it over http. */
export function fullCookieName(config: Config, name: string): string {
  return `${isHttps(config) ? '__Host-' : ''}vestibule.${name}`
}

export function cookieAttributes(config: Config) {
  return { path: '/', httpOnly: true, sameSite: 'Lax', secure: isHttps(config) } as const
}

function isHttps({ issuer }: Config): boolean {
  return issuer.startsWith('https:')
}

function cookieKind(name: CookieName) {
  return name === 'session' || name === 'csrf' || name === 'known' ? name : 'attempt'
}
