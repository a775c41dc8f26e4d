import { deleteCookie, setCookie } from 'hono/cookie'
import type { Config } from '../config/config.ts'
import type { AppContext } from './app-env.ts'
import { isNavigation } from './fetch-metadata.ts'

/** Cookies of a sign-in that is under way. A browser can have several, each with an id. */
export const FLOW_COOKIES = ['attempt', 'interaction'] as const

type FlowKind = (typeof FLOW_COOKIES)[number]

/** Those of which a browser has one each. */
export const SEALED_COOKIES = ['session', 'pending', 'csrf', 'known', 'notice', 'entered'] as const

/**
 * Our sealed cookies: one session, one that waits for a step, one CSRF token, one for the accounts that the browser is known
 * to, one for what the next page of the console reports, one for what an administrator has entered
 * there before a step-up, one attempt for each trip to a provider, and one interaction for each request that waits for
 * the user.
 */
type CookieName = (typeof SEALED_COOKIES)[number] | `${FlowKind}.${string}`

/**
 * Browsers drop cookies of more than 4096 bytes including name and attributes (RFC 6265 §6.1). The
 * name and the attributes of ours take about 130.
 */
const MAX_VALUE_LENGTH = 3900

/** Kind, id and perhaps the number of a part. Other services on the domain may set cookies too. */
const FLOW_COOKIE_NAME = /^(attempt|interaction)\.([\w-]{1,43})(?:\.\d)?$/

/** A response that sets a new one clears at most this many older ones. */
const MAX_CLEARED = 20

/** Browsers keep at most this many cookies of a host. */
const MAX_KEPT = 180

/** The first cookie of a divided value begins with the number of cookies, which has one digit. */
const MAX_PARTS = 9

/**
 * Sets a cookie that only we can read or create. It is sealed for its kind, so the value of one
 * kind of cookie is not accepted as another. A long value is divided.
 */
export async function setSealedCookie(
  c: AppContext,
  name: CookieName,
  { value, maxAge }: { value: string; maxAge: number },
): Promise<{ names: readonly string[]; size: number }> {
  const config = c.get('config')
  rememberNewCookie(c, name, value)
  const sealed = await config.seal.seal(cookieKind(name), '', value)
  const parts = sealed.match(PART) ?? []
  if (parts.length > MAX_PARTS) throw new RangeError(`The cookie ${cookieKind(name)} is too long.`)
  const names = parts.map((_, index) => partName(name, index))
  let size = 0
  for (const [index, part] of parts.entries()) {
    const fullName = fullCookieName(config, partName(name, index))
    const text = index === 0 && parts.length > 1 ? `${parts.length}.${part}` : part
    setCookie(c, fullName, text, { ...cookieAttributes(config), maxAge })
    size += fullName.length + text.length
  }
  return { names, size }
}

/** Later steps of the same request read this value. */
function rememberNewCookie(c: AppContext, name: CookieName, value: string): void {
  c.set('newCookies', (c.get('newCookies') ?? new Map()).set(name, value))
}

const PART = new RegExp(`.{1,${MAX_VALUE_LENGTH}}`, 'g')

/**
 * Reads a sealed cookie, from the response if that sets it. Two cookies with the same name are an
 * attack and are both ignored.
 */
export async function readSealedCookie(
  c: AppContext,
  name: CookieName,
): Promise<string | undefined> {
  const newValue = c.get('newCookies')?.get(name)
  if (newValue !== undefined) return newValue
  const first = readCookie(c, name)
  if (!first) return undefined
  const [, count, part] = first.match(/^(?:(\d)\.)?(.*)$/) ?? []
  const others = Array.from({ length: Number(count ?? 1) - 1 }, (_, index) =>
    readCookie(c, partName(name, index + 1)),
  )
  return c.get('config').seal.open(cookieKind(name), '', [part, ...others].join(''))
}

/** The value of a cookie of ours, as it was sent. Ours need no quotes and no decoding. */
export function readCookie(c: AppContext, name: string): string | undefined {
  const values = requestCookies(c).get(fullCookieName(c.get('config'), name)) ?? []
  return values.length === 1 ? values[0] : undefined
}

export function clearCookie(c: AppContext, name: string): void {
  const config = c.get('config')
  c.get('newCookies')?.delete(name)
  deleteCookie(c, fullCookieName(config, name), cookieAttributes(config))
}

/** Clears one of the sealed cookies of which a browser has one each, with all parts it has sent. */
export function clearSealedCookie(c: AppContext, name: (typeof SEALED_COOKIES)[number]): void {
  const names = Array.from({ length: MAX_PARTS }, (_, index) => partName(name, index))
  for (const part of names) if (readCookie(c, part) !== undefined) clearCookie(c, part)
}

/** A cookie with its parts. */
interface CookieEntry {
  id: string
  /** The names of its parts. */
  names: string[]
  /** The length of all names and values. */
  size: number
}

/**
 * The browser's attempts or interactions, the oldest first, because browsers send older cookies
 * first (RFC 6265 §5.4).
 */
export function listFlowCookies(c: AppContext, kind: FlowKind): CookieEntry[] {
  const prefix = fullCookieName(c.get('config'), '')
  const entries = new Map<string, CookieEntry>()
  for (const [fullName, values] of requestCookies(c)) {
    if (!fullName.startsWith(prefix)) continue
    const name = fullName.slice(prefix.length)
    const [, cookieKind, id = ''] = FLOW_COOKIE_NAME.exec(name) ?? []
    if (cookieKind !== kind) continue
    const { names, size } = entries.get(id) ?? { names: [], size: 0 }
    const length = fullName.length + values.join('').length
    entries.set(id, { id, names: [...names, name], size: size + length })
  }
  return [...entries.values()]
}

interface FlowCookie {
  kind: FlowKind
  id: string
  value: string
  maxAge: number
  /** How many cookies of this kind a browser may have, and the length of names and values. */
  limits: { count: number; size: number }
}

/**
 * Sets one of the sealed cookies of which a browser can have several, and clears the oldest ones
 * that exceed the limits. Frames and scripts get none, except for posts, which only pages that we
 * trust can send: a page of the same site could otherwise start so many interactions at the same
 * time, which do not know of each other, that the runtime rejects the Cookie header of the browser.
 */
export async function setFlowCookie(
  c: AppContext,
  { kind, id, limits, ...content }: FlowCookie,
): Promise<void> {
  if (c.req.method !== 'POST' && !isNavigation(c)) {
    return rememberNewCookie(c, `${kind}.${id}`, content.value)
  }
  const { names, size } = await setSealedCookie(c, `${kind}.${id}`, content)
  const entries = listFlowCookies(c, kind)
  // The former value may have had more parts.
  const former = entries.find((entry) => entry.id === id)?.names ?? []
  for (const name of former) if (!names.includes(name)) clearCookie(c, name)
  const others = entries.filter((entry) => entry.id !== id)
  let count = others.length + 1
  let totalSize = others.reduce((sum, entry) => sum + entry.size, size)
  for (const oldest of others.slice(0, MAX_CLEARED)) {
    if (count <= limits.count && totalSize <= limits.size) return
    for (const name of oldest.names) clearCookie(c, name)
    count -= 1
    totalSize -= oldest.size
  }
}

/**
 * Clears attempts and interactions of a browser that has more of them than we accept: requests that
 * it sends at the same time do not know of each other's cookies.
 */
export function clearFlowCookies(c: AppContext): void {
  for (const kind of ['attempt', 'interaction'] as const)
    for (const { names } of listFlowCookies(c, kind).slice(0, MAX_KEPT))
      for (const name of names) clearCookie(c, name)
}

/** The values of the request's cookies by name, which are parsed once. */
function requestCookies(c: AppContext): ReadonlyMap<string, readonly string[]> {
  const cookies = c.get('requestCookies') ?? parseCookies(c.req.header('Cookie') ?? '')
  c.set('requestCookies', cookies)
  return cookies
}

function parseCookies(header: string): Map<string, string[]> {
  const cookies = new Map<string, string[]>()
  for (const pair of header.split(';')) {
    const end = pair.indexOf('=')
    const name = trimBlanks(pair.slice(0, Math.max(end, 0)))
    const values = cookies.get(name) ?? []
    values.push(trimBlanks(pair.slice(end + 1)))
    cookies.set(name, values)
  }
  return cookies
}

/** Browsers remove spaces and tabs around names and values (RFC 6265 §5.2), and nothing else. */
function trimBlanks(text: string): string {
  const isBlank = (index: number) => text[index] === ' ' || text[index] === '\t'
  let start = 0
  let end = text.length
  while (isBlank(start)) start += 1
  while (end > start && isBlank(end - 1)) end -= 1
  return text.slice(start, end)
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

function partName(name: CookieName, index: number): string {
  return index === 0 ? name : `${name}.${index}`
}

function cookieKind(name: CookieName) {
  if (name.startsWith('attempt.')) return 'attempt'
  if (name.startsWith('interaction.')) return 'interaction'
  return name as (typeof SEALED_COOKIES)[number]
}
