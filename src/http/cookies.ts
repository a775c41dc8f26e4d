import type { Config } from '../config/config.ts'
import type { AppContext } from './app-env.ts'

/** Ours: one session, a token against forged posts, and one attempt for each sign-in under way. */
export type CookieName = 'session' | 'csrf' | `attempt.${string}`

/** Browsers send no more than 4096 bytes of one cookie, name and attributes included (RFC 6265 §6.1). */
const LONGEST_VALUE = 3800

/** What {@link attemptCookies} may be called: others set cookies too, and a header must be safe to write back. */
const ATTEMPT_NAME = /^[\w-]{1,43}$/

/** Sets a cookie that only we can read or make: the seal is bound to its kind. Returns what it weighs. */
export async function setSealedCookie(
  c: AppContext,
  name: CookieName,
  cookie: { value: string; maxAge: number },
): Promise<number> {
  const config = c.get('config')
  const fullName = spell(config, name)
  const sealed = await config.seal.seal(kindOf(name), '', cookie.value)
  if (sealed.length > LONGEST_VALUE) throw new RangeError(`The cookie ${kindOf(name)} is too long.`)
  setCookie(c, `${fullName}=${sealed}`, cookie.maxAge)
  return fullName.length + sealed.length
}

/** What we sealed into the cookie. Two cookies of one name are somebody's trick, and count as none. */
export async function readSealedCookie(
  c: AppContext,
  name: CookieName,
): Promise<string | undefined> {
  const config = c.get('config')
  const fullName = spell(config, name)
  const [only, ...others] = cookiesOf(c).filter((cookie) => cookie.name === fullName)
  if (!only || others.length > 0) return undefined
  return config.seal.open(kindOf(name), '', only.value)
}

/** Clears a cookie with the attributes it was set with. */
export function clearCookie(c: AppContext, name: CookieName): void {
  setCookie(c, `${spell(c.get('config'), name)}=`, 0)
}

/** The attempts this browser holds. Browsers send the oldest cookie first (RFC 6265 §5.4). */
export function attemptCookies(c: AppContext): { name: CookieName; size: number }[] {
  const prefix = spell(c.get('config'), 'attempt.')
  return cookiesOf(c)
    .filter(({ name }) => name.startsWith(prefix) && ATTEMPT_NAME.test(name.slice(prefix.length)))
    .map(({ name, value }) => ({
      name: `attempt.${name.slice(prefix.length)}`,
      size: name.length + value.length,
    }))
}

function cookiesOf(c: AppContext): { name: string; value: string }[] {
  const pairs = (c.req.header('Cookie') ?? '').split(';')
  return pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return { name: strip(name), value: strip(value.join('=')) }
  })
}

/**
 * Spaces and tabs alone, as in RFC 6265 §5.4: what else `trim` takes for white space, browsers take for a
 * letter, and would let another site set a name that only looks protected. By hand: a pattern for the end of a text
 * tries its luck at every blank.
 */
function strip(text: string): string {
  let [from, to] = [0, text.length]
  while (isBlank(text[from])) from++
  while (to > from && isBlank(text[to - 1])) to--
  return text.slice(from, to)
}

function isBlank(letter: string | undefined): boolean {
  return letter === ' ' || letter === '\t'
}

/** `__Host-` ties a cookie to this host and to https; browsers refuse it over http. */
function spell({ issuer }: Pick<Config, 'issuer'>, name: CookieName): string {
  return `${isHttps(issuer) ? '__Host-' : ''}vestibule.${name}`
}

/** Name and value are of our own making, and need no escape. */
function setCookie(c: AppContext, pair: string, maxAge: number): void {
  const secure = isHttps(c.get('config').issuer) ? '; Secure' : ''
  const line = `${pair}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax${secure}`
  c.header('Set-Cookie', line, { append: true })
}

function isHttps(issuer: string): boolean {
  return issuer.startsWith('https:')
}

function kindOf(name: CookieName) {
  return name === 'session' || name === 'csrf' ? name : 'attempt'
}
