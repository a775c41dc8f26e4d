import { APPS, type App } from './apps.ts'
import type { Fault } from './faults.ts'
import { PERSONAS, type Persona } from './personas.ts'
import type { QrLogin } from './qr-login.ts'
import { DEFAULT_SWITCHES, type Switches } from './switches.ts'
import type { Delivery } from './webhook-event.ts'

/** What a fresh stand-in, and every reset, starts from. */
export interface PlatformOptions {
  apps?: readonly App[]
  personas?: readonly Persona[]
  switches?: Partial<Switches>
  /** Milliseconds, like `Date.now`, which it replaces. */
  clock?: () => number
  /** Brings webhooks to apps, in place of `fetch`. */
  send?: (request: Request) => Promise<Response>
}

/** What one person allowed one app; its refresh token is the only one alive. */
export interface Grant {
  clientKey: string
  handle: string
  scopes: readonly string[]
  /** Seconds; when the person first allowed something. */
  since: number
  refresh?: RefreshToken
}

export interface RefreshToken {
  token: string
  scopes: readonly string[]
  /** Seconds; a year counts from here, and a refresh does not restart it. */
  firstIssuedAt: number
}

export interface AccessToken {
  grant: Grant
  scopes: readonly string[]
  expiresAt: number
}

/** What the exchange does with a verifier: compare it, not look at it, or refuse to see one. */
export type Pkce = { challenge: string } | 'ignored' | 'refused'

export interface Code {
  grant: Grant
  scopes: readonly string[]
  redirectUri: string
  pkce: Pkce
  expiresAt: number
}

/** One request received; no secret is ever in it. */
export interface LogEntry {
  method: string
  host: string
  path: string
  /** Query and form parameters by name; whatever could be secret shows as `***`. */
  parameters: Record<string, string>
  contentType?: string
  /** The scheme of the `Authorization` header, without its credentials. */
  authorization?: string
  /** Missing while the answer is still held back. */
  status?: number
}

/** Everything one stand-in remembers; two instances share nothing. */
export class Platform {
  readonly #options: PlatformOptions
  #advanced = 0
  #life = new AbortController()
  apps = new Map<string, App>()
  personas = new Map<string, Persona>()
  grants = new Map<string, Grant>()
  codes = new Map<string, Code>()
  accessTokens = new Map<string, AccessToken>()
  /** By the token their app asks with. */
  qrLogins = new Map<string, QrLogin>()
  /** When each app called user info lately, in seconds, for the sliding minute. */
  calls = new Map<string, number[]>()
  /** What apps were told, oldest first. */
  deliveries: Delivery[] = []
  faults: Fault[] = []
  log: LogEntry[] = []
  switches: Switches = DEFAULT_SWITCHES

  constructor(options: PlatformOptions) {
    this.#options = options
    this.reset()
  }

  /** Back to the first moment: apps, people, switches and the clock as they were given. */
  reset(): void {
    const { apps = APPS, personas = PERSONAS, switches } = this.#options
    this.#advanced = 0
    this.#life.abort()
    this.#life = new AbortController()
    this.apps = new Map(apps.map((app) => [app.clientKey, app]))
    this.personas = new Map(personas.map((persona) => [persona.handle, persona]))
    this.grants = new Map()
    this.codes = new Map()
    this.accessTokens = new Map()
    this.qrLogins = new Map()
    this.calls = new Map()
    this.deliveries = []
    this.faults = []
    this.log = []
    this.switches = { ...DEFAULT_SWITCHES, ...switches }
  }

  /** Ends at the next reset. */
  get life(): AbortSignal {
    return this.#life.signal
  }

  /** Seconds; the real time, moved ahead by the control API. */
  now(): number {
    const clock = this.#options.clock ?? Date.now
    return Math.floor(clock() / 1000) + this.#advanced
  }

  send(request: Request): Promise<Response> {
    const { send = fetch } = this.#options
    return send(request)
  }

  advance(seconds: number): void {
    this.#advanced += seconds
  }
}

/** What every handler of the stand-in finds in its context. */
export interface StandInEnv {
  Variables: { platform: Platform; logId: string }
}
