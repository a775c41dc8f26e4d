import { APPS, type App } from './apps.ts'
import type { Pkce } from './authorization-request.ts'
import type { Fault } from './faults.ts'
import { PERSONAS, type Persona } from './personas.ts'
import type { QrLogin } from './qr-login.ts'
import { DEFAULT_SWITCHES, type Switches } from './switches.ts'
import type { Delivery } from './webhook-event.ts'

/** The initial state, which a reset restores. */
export interface PlatformOptions {
  apps?: readonly App[]
  personas?: readonly Persona[]
  switches?: Partial<Switches>
  /** Replaces `Date.now`: the time in milliseconds. */
  clock?: () => number
  /** Sends webhooks to apps instead of `fetch`. */
  send?: (request: Request) => Promise<Response>
}

/** What one user has granted one app. It has at most one valid refresh token. */
export interface Grant {
  clientKey: string
  handle: string
  scopes: readonly string[]
  /** When the grant was created, in seconds. */
  since: number
  refresh?: RefreshToken
}

export interface RefreshToken {
  token: string
  scopes: readonly string[]
  /** In seconds. The refresh token expires a year later, and a refresh does not extend that. */
  firstIssuedAt: number
}

export interface AccessToken {
  grant: Grant
  scopes: readonly string[]
  expiresAt: number
}

export interface Code {
  grant: Grant
  scopes: readonly string[]
  redirectUri: string
  pkce: Pkce
  expiresAt: number
}

/** One received request, without secrets. */
export interface LogEntry {
  method: string
  host: string
  path: string
  /** Query and form parameters by name. The values of possible secrets are `***`. */
  parameters: Record<string, string>
  contentType?: string
  /** The scheme of the `Authorization` header, without its credentials. */
  authorization?: string
  /** Absent while there is no response yet. */
  status?: number
}

/** The state of one stand-in. Instances share nothing. */
export class Platform {
  readonly #options: PlatformOptions
  #advancedBy = 0
  #resetController = new AbortController()
  apps = new Map<string, App>()
  personas = new Map<string, Persona>()
  grants = new Map<string, Grant>()
  codes = new Map<string, Code>()
  accessTokens = new Map<string, AccessToken>()
  /** By the token with which the app polls their status. */
  qrLogins = new Map<string, QrLogin>()
  /** The times of each app's recent user info calls, in seconds. */
  calls = new Map<string, number[]>()
  /** Webhooks, oldest first. */
  deliveries: Delivery[] = []
  faults: Fault[] = []
  log: LogEntry[] = []
  switches: Switches = DEFAULT_SWITCHES

  constructor(options: PlatformOptions) {
    this.#options = options
    this.reset()
  }

  /** Restores the initial apps, personas, switches and clock, and deletes everything else. */
  reset(): void {
    const { apps = APPS, personas = PERSONAS, switches } = this.#options
    this.#advancedBy = 0
    this.#resetController.abort()
    this.#resetController = new AbortController()
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

  /** Aborted at the next reset. */
  get resetSignal(): AbortSignal {
    return this.#resetController.signal
  }

  /** The current time in seconds, as advanced by the control API. */
  now(): number {
    const clock = this.#options.clock ?? Date.now
    return Math.floor(clock() / 1000) + this.#advancedBy
  }

  send(request: Request): Promise<Response> {
    const { send = fetch } = this.#options
    return send(request)
  }

  advance(seconds: number): void {
    this.#advancedBy += seconds
  }
}

/** The context variables of every handler. */
export interface StandInEnv {
  Variables: { platform: Platform; logId: string }
}
