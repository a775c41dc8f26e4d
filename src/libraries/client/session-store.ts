import { isBrowser, requireBrowser } from './browser.ts'
import {
  type HeldSession,
  renewalTime,
  type SessionSource,
  type SessionState,
  UnavailableError,
} from './session.ts'

/**
 * How often the clock is read: timers do not run while the device sleeps, and the page may be
 * visible all the time.
 */
const TICK = 20_000 // milliseconds

/** How long "signed out" is believed without a request, unless the user leaves the page. */
const SIGNED_OUT_FOR = 60_000 // milliseconds

/** The first pause after a failed request; each further one is twice as long. */
const FIRST_RETRY = 5_000 // milliseconds
const LONGEST_RETRY = 60_000 // milliseconds

/** The token that `getSession` returns, without another audience. */
const DEFAULT_AUDIENCE = ''

/**
 * The session of this page: requested once for simultaneous callers, renewed before its token
 * expires, and kept in step with other tabs. While the login service is unavailable, the last
 * session is valid until its token expires. On a server, the state is always `loading`.
 */
export class SessionStore<Claims> {
  readonly #source: SessionSource<Claims>
  readonly #name: string
  readonly #listeners = new Set<(state: SessionState<Claims>) => void>()
  readonly #held = new Map<string, HeldSession<Claims>>()
  readonly #running = new Map<string, Promise<HeldSession<Claims> | null>>()
  #state: SessionState<Claims> = { status: 'loading' }
  /** Counts sign-ins and sign-outs in this and other tabs: older responses do not count. */
  #changes = 0
  /** When a refresh was requested: tokens from before are not used. */
  #notBefore = 0
  /** When the login service has confirmed the session, or the user was found to be signed out. */
  #checkedAt = 0
  #failures = 0
  #nextAttempt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #channel: BroadcastChannel | undefined

  constructor(source: SessionSource<Claims>, name: string) {
    this.#source = source
    this.#name = name
  }

  get state(): SessionState<Claims> {
    return this.#state
  }

  subscribe(listener: (state: SessionState<Claims>) => void): () => void {
    // Frameworks do not end subscriptions on a server, which renders for all users.
    if (!isBrowser()) return ignore
    this.#listeners.add(listener)
    if (this.#state.status !== 'loading') listener(this.#state)
    this.#schedule()
    this.get().catch(ignore) // The listener is called with the error.
    return () => {
      this.#listeners.delete(listener)
      this.#schedule()
    }
  }

  /** A token for the audience that is valid for a while, or null if the user is signed out. */
  async get(audience = DEFAULT_AUDIENCE): Promise<HeldSession<Claims> | null> {
    requireBrowser()
    this.#start()
    const held = this.#held.get(audience)
    if (held && held.receivedAt >= this.#notBefore && Date.now() < renewalTime(held)) return held
    const isSignedOut = this.#state.status === 'signed-out'
    if (isSignedOut && Date.now() < this.#checkedAt + SIGNED_OUT_FOR) return null
    return this.#load(audience)
  }

  /** Another token than this one, which an API has rejected. */
  async replace(rejected: HeldSession<Claims>, audience = DEFAULT_AUDIENCE) {
    const held = this.#held.get(audience)
    if (held && held.session.token !== rejected.session.token) return held
    return this.#load(audience, rejected.receivedAt + 1)
  }

  /** Requests a new token, and later those for other audiences. */
  async refresh(): Promise<HeldSession<Claims> | null> {
    requireBrowser()
    this.#start()
    // A request that is already on its way may return what was true before.
    while (this.#running.has(DEFAULT_AUDIENCE)) {
      await this.#running.get(DEFAULT_AUDIENCE)?.catch(ignore)
    }
    const notBefore = Date.now()
    this.#notBefore = notBefore
    const loaded = await this.#load(DEFAULT_AUDIENCE)
    if (loaded && loaded.receivedAt < notBefore) {
      throw new UnavailableError('The token could not be renewed.')
    }
    return loaded
  }

  /** Ends the session in all tabs, after the source has ended it. */
  signedOut(): void {
    this.#start()
    this.#channel?.postMessage(null)
    this.#accept(null)
  }

  /** Requests the session, once for all simultaneous callers. */
  #load(audience: string, notBefore = 0): Promise<HeldSession<Claims> | null> {
    return this.#running.get(audience) ?? this.#startLoad(audience, notBefore)
  }

  #startLoad(audience: string, notBefore: number): Promise<HeldSession<Claims> | null> {
    const started = this.#request(audience, notBefore).finally(() => {
      this.#running.delete(audience)
      this.#schedule()
    })
    this.#running.set(audience, started)
    return started
  }

  async #request(audience: string, notBefore: number): Promise<HeldSession<Claims> | null> {
    const changes = this.#changes
    // A user who opens or reloads a page has returned to it.
    const opened = this.#checkedAt === 0 ? this.#oldest() : 0
    let loaded: HeldSession<Claims> | null
    try {
      loaded = await this.#source.load(audience, Math.max(notBefore, this.#notBefore, opened))
    } catch (cause) {
      return this.#keepLast(audience, cause)
    }
    if (changes !== this.#changes) return this.#request(audience, 0)
    this.#accept(loaded, audience)
    if (loaded?.failure) return this.#keepLast(audience, loaded.failure)
    this.#failures = 0
    return loaded
  }

  /** The login service is unavailable: what was known remains true until the token expires. */
  #keepLast(audience: string, cause: unknown): HeldSession<Claims> | null {
    const error =
      cause instanceof UnavailableError ? cause : new UnavailableError(String(cause), { cause })
    const pause = Math.min(FIRST_RETRY * 2 ** this.#failures++, LONGEST_RETRY)
    // Half of the pause is random, so that browsers do not all return at the same time.
    this.#nextAttempt = Date.now() + pause * (0.5 + Math.random() / 2)
    if (this.#state.status === 'signed-out') return null
    const held = this.#held.get(audience)
    if (held && Date.now() < held.expiresAt) return held
    if (audience === DEFAULT_AUDIENCE) this.#set({ status: 'unavailable', error })
    throw error
  }

  #accept(loaded: HeldSession<Claims> | null, audience = DEFAULT_AUDIENCE): void {
    const { status, session } = this.#state
    // A token that the browser has stored before says nothing about the present.
    this.#checkedAt = loaded?.receivedAt ?? Date.now()
    if (session !== undefined && loaded?.session.user.id !== session?.user.id) {
      this.#held.clear()
      this.#changes++
    }
    if (!loaded) {
      const error = this.#source.signInError
      if (status === 'signed-out') return
      this.#set({ status: 'signed-out', session: null, error })
      this.#channel?.postMessage(undefined)
      return
    }
    const isNew = this.#held.get(audience)?.session.token !== loaded.session.token
    this.#held.set(audience, loaded)
    if (audience !== DEFAULT_AUDIENCE || !isNew) return
    this.#set({ status: 'signed-in', session: loaded.session })
    if (!loaded.failure) this.#channel?.postMessage(loaded)
  }

  #set(state: SessionState<Claims>): void {
    this.#state = state
    for (const listener of this.#listeners) listener(state)
    this.#schedule()
  }

  /** Called at first use, so that a client can also be created on a server. */
  #start(): void {
    if (this.#channel) return
    this.#channel = new BroadcastChannel(this.#name)
    this.#channel.onmessage = ({ data }) => this.#receive(data)
    const check = () => this.#check()
    document.addEventListener('visibilitychange', check)
    for (const event of ['focus', 'online', 'pageshow']) addEventListener(event, check)
  }

  /**
   * What another tab has received: null after a sign-out there, undefined if nobody is signed in
   * there, so that this tab has to check its session.
   */
  #receive(data: HeldSession<Claims> | null | undefined): void {
    const { session } = this.#state
    if (data === undefined) {
      if (session) this.#load(DEFAULT_AUDIENCE, this.#oldest()).catch(ignore)
      return
    }
    if (data && data.session.user.id === session?.user.id) {
      this.#checkedAt = data.receivedAt
      this.#held.set(DEFAULT_AUDIENCE, data)
      this.#set({ status: 'signed-in', session: data.session })
      return
    }
    this.#changes++
    if (data) this.#load(DEFAULT_AUDIENCE).catch(ignore)
    else this.#accept(null)
  }

  /** The user has returned to the page, or the browser to the network. */
  #check(): void {
    if (document.hidden) return
    // It is in the future if the clock was set back since.
    const age = Math.abs(Date.now() - this.#checkedAt)
    const isRecent = this.#failures === 0 && age < this.#source.maxAge
    if (isRecent) this.#schedule()
    else this.#load(DEFAULT_AUDIENCE, this.#oldest()).catch(ignore)
  }

  /** When tokens were received at the earliest that need no check when the user returns. */
  #oldest(): number {
    return Date.now() - this.#source.maxAge
  }

  /** Renews the token in time, while somebody listens and sees the page. */
  #schedule(): void {
    clearTimeout(this.#timer)
    const held = this.#held.get(DEFAULT_AUDIENCE)
    const due = this.#failures > 0 ? this.#nextAttempt : held && renewalTime(held)
    if (due === undefined || this.#listeners.size === 0 || document.hidden) return
    const tick = () => {
      if (Date.now() < due) this.#schedule()
      else this.#load(DEFAULT_AUDIENCE, this.#oldest()).catch(ignore)
    }
    // One that cannot be renewed without a sign-in stays due until it expires.
    this.#timer = setTimeout(tick, Math.max(FIRST_RETRY, Math.min(due - Date.now(), TICK)))
  }
}

function ignore(): void {}
