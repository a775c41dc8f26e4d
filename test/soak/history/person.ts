import { createHash } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { calculatePKCECodeChallenge, randomPKCECodeVerifier } from 'openid-client'
import { approveAs } from '../../approval.ts'
import { HttpBrowser } from '../../e2e/http-browser.ts'
import { findLink } from '../../html.ts'
import type { IssuedToken, TokenRequest } from './history.ts'
import type { Random } from './random.ts'
import type { Verifier } from './verifier.ts'
import {
  type Answer,
  API,
  CLIENTS,
  INTROSPECTOR,
  LOGIN,
  type Loss,
  PLATFORM,
  REDIRECT_URI,
  type World,
} from './world.ts'

/** More redirects and pages than any sign-in has. */
const MAX_STEPS = 10

/** How many sessions, grants and tokens are remembered, also of those that have ended. */
const MAX_SESSIONS = 5
const MAX_GRANTS = 8
const MAX_TOKENS = 14

interface Browser {
  /** Its last session, which may have ended. */
  session: string
  http: HttpBrowser
  isEnded: boolean
}

interface Grant {
  id: string
  /** As far as responses have shown it. */
  isEnded: boolean
  client: string
  /** The newest last. */
  refreshTokens: string[]
  code: { code: string; verifier: string }
}

interface HeldToken {
  id: string
  jwt: string
  isAccess: boolean
}

/** A user of the stand-in with browsers and apps, who does anything at random. */
export class Person {
  readonly name: string
  readonly #world: World
  readonly #random: Random
  readonly #verifiers: readonly Verifier[]
  readonly #headers: Record<string, string>
  #browsers: Browser[] = []
  #grants: Grant[] = []
  #tokens: HeldToken[] = []
  /** The id at the service, once it is known. */
  sub: string | undefined

  constructor(world: World, number: number, verifiers: readonly Verifier[]) {
    this.name = `person-${number}`
    this.#world = world
    this.#random = world.random.fork()
    this.#verifiers = verifiers
    // A network of their own (RFC 3849), because the service limits the requests of one network.
    this.#headers = { 'CF-Connecting-IP': `2001:db8:0:${number}::1` }
  }

  /** The stand-in forgets its users when it is restarted. */
  async register(): Promise<void> {
    await fetch(`${PLATFORM}/__stand-in/users`, {
      method: 'POST',
      body: JSON.stringify({ handle: this.name }),
    })
  }

  async act(): Promise<void> {
    if (!this.#browsers.some(({ isEnded }) => !isEnded) || this.#random.chance(0.04))
      return this.#signIn()
    const action = this.#random.weighted({
      authorize: 7,
      refresh: 24,
      checkToken: 36,
      checkSession: 16,
      signOut: 4,
      revoke: 2,
      replayCode: 1,
    })
    await ACTIONS[action](this)
  }

  async #signIn(): Promise<void> {
    const http = new HttpBrowser({ headers: this.#headers })
    await this.#requestCode({ session: '', http, isEnded: false }, CLIENTS.web)
  }

  async authorize(): Promise<void> {
    const browser = this.#pick(this.#browsers)
    if (browser) await this.#requestCode(browser, this.#pickClient())
  }

  /** Mostly one that has not ended. */
  #pick<T extends { isEnded: boolean }>(items: readonly T[]): T | undefined {
    const active = items.filter(({ isEnded }) => !isEnded)
    return this.#random.pick(active.length > 0 && this.#random.chance(0.8) ? active : items)
  }

  #pickClient(): string {
    return this.#random.chance(0.35) ? CLIENTS.changed : CLIENTS.web
  }

  /** Goes from the app through the sign-in, if needed, and redeems the code. */
  async #requestCode(browser: Browser, client: string): Promise<void> {
    const verifier = randomPKCECodeVerifier()
    const parameters = new URLSearchParams({
      client_id: client,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'openid offline_access',
      resource: API,
      state: 'x',
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    let url: URL | undefined = new URL(`${LOGIN}/oidc/authorize?${parameters}`)
    for (let step = 0; step < MAX_STEPS && url; step++) {
      const next: URL | undefined = await this.#openPage(browser, client, url)
      const code = next?.href.startsWith(`${REDIRECT_URI}?`) && next.searchParams.get('code')
      if (code) return this.#redeemInSomeWay({ code, verifier, client })
      url = next
    }
  }

  /** Opens a page, and returns where it leads to. */
  async #openPage(browser: Browser, client: string, page: URL): Promise<URL | undefined> {
    if (page.origin === PLATFORM) return this.#approve(page)
    if (page.origin !== LOGIN) return undefined
    const isCallback = page.pathname.startsWith('/api/auth/callback/')
    const loss = isCallback && this.#random.chance(0.05) ? this.#chooseLoss() : undefined
    const answer = await this.#world.send(page.href, {}, { browser: browser.http, loss })
    const { response, text } = answer
    const location = response?.headers.get('Location') ?? findLink(text, 'signin/tiktok')
    const next = location ? new URL(location, page) : undefined
    this.#recordPage(browser, client, { page, next, answer })
    return next
  }

  async #approve(page: URL): Promise<URL | undefined> {
    const response = await fetch(approveAs(this.name, page), { redirect: 'manual' }).catch(
      () => undefined,
    )
    const location = response?.headers.get('Location')
    return location ? new URL(location, page) : undefined
  }

  #recordPage(
    browser: Browser,
    client: string,
    { page, next, answer }: { page: URL; next: URL | undefined; answer: Answer },
  ): void {
    const { exchange, response } = answer
    const cookies = response?.headers.getSetCookie() ?? []
    const hasSession = cookies.some((cookie) => cookie.startsWith('vestibule.session='))
    const isCallback = page.pathname.startsWith('/api/auth/callback/')
    const isRedirect = exchange.status !== undefined && exchange.status < 400
    if (isCallback && (hasSession || !isRedirect)) {
      const session = this.#world.newId('s')
      this.#world.record({ kind: 'sign-in', person: this.name, session, ...exchange })
      if (!hasSession) return
      Object.assign(browser, { session, isEnded: false })
      const others = this.#browsers.filter((other) => other !== browser)
      this.#browsers = keep(others, browser, MAX_SESSIONS)
      return
    }
    const { session } = browser
    const code = next?.href.startsWith(`${REDIRECT_URI}?`) && next.searchParams.get('code')
    if (code)
      this.#world.record({
        ...{ kind: 'authorize', person: this.name, session, client, code: digest(code) },
        ...exchange,
      })
    else this.#world.record({ kind: 'other', path: page.pathname, ...exchange })
  }

  async #redeemInSomeWay(code: { code: string; verifier: string; client: string }): Promise<void> {
    const way = this.#random.weighted({ once: 70, together: 10, again: 7, lost: 13 })
    if (way === 'together') {
      await Promise.all([this.#redeem(code), this.#redeem(code)])
      return
    }
    await this.#redeem(code, way === 'lost' ? this.#chooseLoss() : undefined)
    if (way !== 'once') await this.#redeem(code)
  }

  async #redeem(
    { code, verifier, client }: { code: string; verifier: string; client: string },
    loss?: Loss,
  ): Promise<void> {
    const form = {
      ...{ grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI },
      ...{ code_verifier: verifier, resource: API },
    }
    const { issued, refreshToken, raw } = await this.#requestTokens(
      { kind: 'redeem', client, sent: digest(code) },
      { form, loss },
    )
    if (!issued?.grant || refreshToken === undefined) return
    const grant = {
      ...{ id: issued.grant, isEnded: false, client },
      ...{ refreshTokens: [raw], code: { code, verifier } },
    }
    this.#grants = keep(this.#grants, grant, MAX_GRANTS)
  }

  async replayCode(): Promise<void> {
    const grant = this.#pick(this.#grants)
    if (grant) await this.#redeem({ ...grant.code, client: grant.client })
  }

  /** Mostly with the newest refresh token; with a former one, which ends the grant, now and then. */
  async refresh(): Promise<void> {
    const grant = this.#pick(this.#grants)
    const sent = this.#random.chance(0.03)
      ? this.#random.pick(grant?.refreshTokens ?? [])
      : grant?.refreshTokens.at(-1)
    if (!grant || sent === undefined) return
    const way = this.#random.weighted({ once: 72, together: 13, lost: 15 })
    if (way === 'together') {
      await Promise.all([this.#refresh(grant, sent), this.#refresh(grant, sent)])
      return
    }
    await this.#refresh(grant, sent, way === 'lost' ? this.#chooseLoss() : undefined)
    if (way === 'lost') await this.#refresh(grant, sent)
  }

  async #refresh(grant: Grant, sent: string, loss?: Loss): Promise<void> {
    const form = { grant_type: 'refresh_token', refresh_token: sent }
    const { raw, error } = await this.#requestTokens(
      { kind: 'refresh', client: grant.client, sent: digest(sent) },
      { form, loss },
    )
    if (error === 'invalid_grant') grant.isEnded = true
    if (raw) grant.refreshTokens = keep(grant.refreshTokens, raw, 6)
  }

  /** An answer is ignored, or the connection is closed while the service works on it. */
  #chooseLoss(): Loss {
    return this.#random.chance(0.5) ? 'ignored' : Math.ceil(this.#random.between(1, 40))
  }

  async #requestTokens(
    request: Pick<TokenRequest, 'kind' | 'client' | 'sent'>,
    { form, loss }: { form: Record<string, string>; loss: Loss | undefined },
  ): Promise<Pick<TokenRequest, 'issued' | 'refreshToken' | 'error'> & { raw: string }> {
    const body = new URLSearchParams({ client_id: request.client, ...form })
    const { exchange, text } = await this.#world.send(
      '/oidc/token',
      { headers: { ...this.#headers, Accept: 'application/json' }, body },
      { loss },
    )
    const answer: Record<string, string> = text.startsWith('{') ? JSON.parse(text) : {}
    const { error, access_token, refresh_token: raw = '' } = answer
    const issued = access_token ? this.#hold(access_token) : undefined
    const refreshToken = raw ? digest(raw) : undefined
    const result = {
      ...(error !== undefined && { error }),
      ...(issued && { issued }),
      ...(refreshToken !== undefined && { refreshToken }),
    }
    this.#world.record({ ...request, person: this.name, ...exchange, ...result })
    return { ...result, raw }
  }

  #hold(jwt: string): IssuedToken {
    const issued = describeToken(jwt)
    this.sub ??= issued.sub
    const token = { id: issued.id, jwt, isAccess: issued.grant !== undefined }
    this.#tokens = keep(this.#tokens, token, MAX_TOKENS)
    return issued
  }

  async checkToken(): Promise<void> {
    const token = this.#random.pick(this.#tokens)
    if (!token) return
    const place = this.#random.weighted({ userinfo: 30, introspect: 15, api: 55 })
    const line = { person: this.name, token: token.id }
    if (place === 'api' || !token.isAccess) {
      const verifier = this.#random.pick(this.#verifiers)
      if (!verifier) return
      const start = this.#world.now()
      const status = await verifier.verify(token.jwt)
      const span = { start, end: this.#world.now(), status }
      this.#world.requests += 1
      const isAccepted = status === 200 ? true : status === 401 ? false : undefined
      this.#world.record({
        ...{ kind: 'api', ...line, clock: verifier.clock, ...span },
        ...(isAccepted !== undefined && { isAccepted }),
      })
      return
    }
    if (place === 'userinfo') {
      const headers = { ...this.#headers, Authorization: `Bearer ${token.jwt}` }
      const { exchange } = await this.#world.send('/oidc/userinfo', { headers })
      const { status } = exchange
      const isKnown = status === 200 || status === 401
      this.#world.record({
        ...{ kind: 'userinfo', ...line, ...exchange },
        ...(isKnown && { isAccepted: status === 200 }),
      })
      return
    }
    const { exchange, text } = await this.#world.send('/oidc/introspect', {
      headers: { ...this.#headers, Authorization: basic(INTROSPECTOR) },
      body: new URLSearchParams({ token: token.jwt }),
    })
    this.#world.record({
      ...{ kind: 'introspect', ...line, ...exchange },
      ...(exchange.status === 200 && { isAccepted: JSON.parse(text).active === true }),
    })
  }

  async checkSession(): Promise<void> {
    const browser = this.#pick(this.#browsers)
    if (!browser) return
    const { session, http } = browser
    const isDisplayed = this.#random.chance(0.3)
    const query = isDisplayed ? 'token=false' : `client_id=${CLIENTS.web}`
    const { exchange, text } = await this.#world.send(
      `/api/auth/session?${query}`,
      { headers: { Accept: 'application/json' } },
      { browser: http },
    )
    const line = { person: this.name, session, ...exchange }
    const kind = isDisplayed ? 'displayed-session' : 'session'
    if (exchange.status !== 200) return this.#world.record({ kind, ...line })
    const found: { token?: string } | null = JSON.parse(text)
    browser.isEnded = found === null
    this.#world.record({
      ...{ kind, ...line, isAccepted: found !== null },
      ...(found?.token !== undefined && { issued: this.#hold(found.token) }),
    })
  }

  /** The browser keeps its cookie, so that it can be checked that the session has ended. */
  async signOut(): Promise<void> {
    const browser = this.#pick(this.#browsers)
    if (!browser) return
    const { session, http } = browser
    const { exchange } = await this.#world.send(
      '/api/auth/signout',
      { headers: { Origin: LOGIN }, body: new URLSearchParams() },
      { browser: http.copy(), loss: this.#random.chance(0.15) ? this.#chooseLoss() : undefined },
    )
    this.#world.record({ kind: 'sign-out', person: this.name, session, ...exchange })
    if (exchange.status === 200) browser.isEnded = true
  }

  async revoke(): Promise<void> {
    const grant = this.#pick(this.#grants)
    const token = grant?.refreshTokens.at(-1)
    if (!grant || token === undefined) return
    const { exchange } = await this.#world.send('/oidc/revoke', {
      headers: this.#headers,
      body: new URLSearchParams({ client_id: grant.client, token }),
    })
    this.#world.record({ kind: 'revoke', person: this.name, grant: grant.id, ...exchange })
  }
}

const ACTIONS = {
  authorize: (person: Person) => person.authorize(),
  refresh: (person: Person) => person.refresh(),
  checkToken: (person: Person) => person.checkToken(),
  checkSession: (person: Person) => person.checkSession(),
  signOut: (person: Person) => person.signOut(),
  revoke: (person: Person) => person.revoke(),
  replayCode: (person: Person) => person.replayCode(),
}

/** The last items of a list with another one. */
function keep<T>(items: readonly T[], item: T, count: number): T[] {
  return [...items, item].slice(-count)
}

export function basic({ id, secret }: { id: string; secret: string }): string {
  return `Basic ${btoa(`${id}:${secret}`)}`
}

/** Stands for a secret in the history. */
function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url').slice(0, 12)
}

function describeToken(jwt: string): IssuedToken {
  const claims = decodeJwt<{ sid: string; client_id?: string; roles?: string[] }>(jwt)
  const { sub = '', sid, jti, client_id, roles, exp = 0 } = claims
  return {
    ...{ id: digest(jwt), sub, sid, kid: decodeProtectedHeader(jwt).kid ?? '', expiresAt: exp },
    ...(jti !== undefined && { grant: jti.split('.')[0] ?? '' }),
    ...(client_id !== undefined && { client: client_id }),
    ...(roles && { roles }),
  }
}
