import { Seal } from '../../foundation/crypto/seal.ts'
import { type RequestHeaders, readHeader } from '../verify/request-headers.ts'
import type { Settings } from './options.ts'

/** Browsers drop longer cookies (RFC 6265 §6.1). */
const MAX_LENGTH = 4096

/** How many sign-ins can be under way in one browser. */
const MAX_ATTEMPTS = 5

/**
 * How long their cookies may be together in a request. Node accepts 16 KB of headers, and the session
 * may have 4 KB of them.
 */
const MAX_ATTEMPTS_LENGTH = 4096

/** The end of the name of a cookie of ours. Others may set cookies with names of any kind. */
const STATE = /\.[\w-]{43}$/

/**
 * The cookies of this app, which only it can read or create: one for the session, and one for each
 * sign-in that is under way, which has the `state` in its name.
 */
export class Cookies {
  readonly #seal: Seal
  readonly #context: string
  readonly #isSecure: boolean
  readonly session: string

  constructor({ secrets, url, clientId, origin }: Settings) {
    this.#seal = new Seal(secrets)
    this.#isSecure = origin.startsWith('https:')
    this.#context = `${url} ${clientId} `
    // Apps on different ports of localhost share their cookies.
    const name = `vestibule-${clientId.replace(/[^\w-]/g, '_')}`
    // Ties the cookie to this host and to https. Browsers reject it over http.
    this.session = this.#isSecure ? `__Host-${name}` : name
  }

  attempt(state: string): string {
    return `${this.session}.${state}`
  }

  /**
   * The cookies of older sign-ins that must be removed so that this one can be added. Browsers send
   * older cookies first.
   */
  superfluous(request: RequestHeaders, added: string): string[] {
    let length = added.indexOf(';')
    return parseCookies(request)
      .filter(([name]) => name.startsWith(`${this.session}.`) && STATE.test(name))
      .reverse()
      .filter(([name, value], index) => {
        length += `${name}=${value}; `.length
        return index + 1 >= MAX_ATTEMPTS || length > MAX_ATTEMPTS_LENGTH
      })
      .map(([name]) => name)
  }

  /** Two cookies with the same name are an attack and are both ignored. */
  async open<Content>(request: RequestHeaders, name: string): Promise<Content | undefined> {
    const [value, another] = parseCookies(request).filter(([each]) => each === name)
    if (!value || another) return undefined
    const text = await this.#seal.open('server', this.#context + name, value[1])
    return text === undefined ? undefined : JSON.parse(text)
  }

  /** A value of `Set-Cookie`. Undefined if browsers would drop it. */
  async seal(name: string, content: object, maxAge: number): Promise<string | undefined> {
    const text = JSON.stringify(content)
    const value = await this.#seal.seal('server', this.#context + name, text)
    const cookie = this.#cookie(name, value, maxAge)
    return cookie.length <= MAX_LENGTH ? cookie : undefined
  }

  clear(name: string): string {
    return this.#cookie(name, '', 0)
  }

  /** The `Cookie` header of the request after the browser has received this `Set-Cookie`. */
  afterSetting(cookie: string, request: RequestHeaders): string {
    const [pair = ''] = cookie.split(';')
    const others = parseCookies(request).filter(([name]) => name && !pair.startsWith(`${name}=`))
    return [...others.map(([name, value]) => `${name}=${value}`), pair].join('; ')
  }

  #cookie(name: string, value: string, maxAge: number): string {
    const secure = this.#isSecure ? '; Secure' : ''
    return `${name}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax${secure}`
  }
}

function parseCookies(request: RequestHeaders): [name: string, value: string][] {
  const header = readHeader(request, 'cookie') ?? ''
  return header.split(';').map((pair) => {
    const end = Math.max(pair.indexOf('='), 0)
    return [pair.slice(0, end).trim(), pair.slice(end + 1).trim()]
  })
}
