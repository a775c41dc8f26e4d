import type { Agent } from 'node:http'
import { decodeJwt } from 'jose'
import {
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { Services } from '../../demo/services.ts'
import { approveAs } from '../approval.ts'
import { HttpBrowser, type HttpRequest } from '../e2e/http-browser.ts'
import { errorCode, findLink } from '../html.ts'

/** More redirects and pages than any sign-in has. */
const MAX_STEPS = 10

/** Statuses of a service that is too busy, as opposed to one that responds wrongly. */
const BUSY_STATUSES = [429, 503]

/** The service rejected the request because it is busy, or the connection failed. */
export class UnavailableError extends Error {
  /** The code of the error page; `undefined` if the connection failed. */
  readonly code: string | undefined

  constructor(message: string, { code, ...options }: ErrorOptions & { code?: string } = {}) {
    super(message, options)
    this.code = code
  }
}

/**
 * How far the user has come, as far as the responses show: a request without a response is a stage
 * of its own, because the service may or may not have carried it out.
 */
export type Stage =
  | 'signing in'
  | 'has code'
  | 'redeeming'
  | 'has tokens'
  | 'refreshing'
  | 'signing out'
  | 'signed out'

export interface TokenResponse {
  status: number
  error?: string
  id_token?: string
  access_token?: string
  refresh_token?: string
}

export interface SimulatedUserOptions {
  services: Pick<Services, 'login' | 'platform'>
  /** The app that the user signs in to. Nothing has to listen at its redirect URI. */
  client: { client_id: string; redirect_uri: string; scope: string }
  /** The user's name at the stand-in; a new one by default. */
  handle?: string
  /** A client address of their own: the service limits the requests of one address. */
  address?: string
  agent?: Agent
  timeout?: number
}

/** A user with a browser and an app; both know only what the services have responded. */
export class SimulatedUser {
  readonly #handle: string
  readonly state = randomState()
  readonly nonce = randomNonce()
  readonly #verifier = randomPKCECodeVerifier()
  readonly #browser: HttpBrowser
  readonly #options: SimulatedUserOptions
  readonly #login: string
  #lastPage = ''
  #code = ''
  #tokens: TokenResponse = { status: 0 }
  stage: Stage = 'signing in'
  /** Sent with every request to the login service, except for userinfo. */
  headers: Record<string, string> = {}

  constructor(options: SimulatedUserOptions) {
    const { handle, address, agent, timeout } = options
    this.#options = options
    this.#login = options.services.login
    this.#handle = handle ?? `user-${crypto.randomUUID().slice(0, 13)}`
    this.#browser = new HttpBrowser({
      ...(address !== undefined && { headers: { 'CF-Connecting-IP': address } }),
      ...(agent && { agent }),
      ...(timeout !== undefined && { timeout }),
    })
  }

  get tokens(): TokenResponse {
    return this.#tokens
  }

  /** The session in which the tokens were issued. */
  get sid(): string {
    return String(decodeJwt(this.#tokens.access_token ?? '')['sid'])
  }

  /** Registers the user at the stand-in, which forgets all users when it is restarted. */
  async register(): Promise<void> {
    const body = JSON.stringify({ handle: this.#handle })
    await this.#request(`${this.#options.services.platform}/__stand-in/users`, { body })
  }

  /**
   * Goes from the app through sign-in page and platform, where needed, and returns the app's
   * callback.
   */
  async requestCode(beforeEachStep = async () => {}): Promise<URL> {
    const { redirect_uri } = this.#options.client
    let url = await this.#authorizationUrl()
    for (let step = 0; step < MAX_STEPS && !url.href.startsWith(`${redirect_uri}?`); step++) {
      await beforeEachStep()
      url = await this.#openPage(url)
    }
    this.#code = url.searchParams.get('code') ?? ''
    this.stage = 'has code'
    return url
  }

  async redeem(): Promise<void> {
    this.stage = 'redeeming'
    this.#tokens = expectSuccess(await this.sendCode())
    this.stage = 'has tokens'
  }

  async refresh(): Promise<void> {
    this.stage = 'refreshing'
    this.#tokens = expectSuccess(await this.sendRefreshToken())
    this.stage = 'has tokens'
  }

  async signIn(): Promise<void> {
    await this.requestCode()
    await this.redeem()
  }

  async signOut(): Promise<void> {
    this.stage = 'signing out'
    await this.#requestLogin(`${this.#login}/api/auth/signout`, {
      headers: { Origin: this.#login },
      body: new URLSearchParams(),
    })
    this.stage = 'signed out'
  }

  sendCode(): Promise<TokenResponse> {
    return this.#requestTokens({
      grant_type: 'authorization_code',
      code: this.#code,
      redirect_uri: this.#options.client.redirect_uri,
      code_verifier: this.#verifier,
    })
  }

  sendRefreshToken(): Promise<TokenResponse> {
    return this.#requestTokens({
      grant_type: 'refresh_token',
      refresh_token: this.#tokens.refresh_token ?? '',
    })
  }

  async userinfo(): Promise<{ sub?: string; name?: string }> {
    const Authorization = `Bearer ${this.#tokens.access_token}`
    const response = await this.#request(`${this.#login}/oidc/userinfo`, {
      headers: { Authorization },
    })
    return response.json()
  }

  /** The id of the user whose session this browser has. */
  async sessionUser(): Promise<string | undefined> {
    const response = await this.#requestLogin(`${this.#login}/api/auth/session`)
    const session: { user: { id: string } } | null = await response.json()
    return session?.user.id
  }

  /** Requests the last page again. */
  reload(): Promise<Response> {
    return this.#requestLogin(this.#lastPage)
  }

  /** Opens a page and returns the address that it redirects to, or the one of its sign-in link. */
  async #openPage(page: URL): Promise<URL> {
    const isPlatform = page.origin === this.#options.services.platform
    const url = isPlatform ? approveAs(this.#handle, page) : page
    this.#lastPage = url.href
    const response = await this.#requestLogin(url.href)
    const location = response.headers.get('Location')
    const next = location ?? findLink(await response.text(), 'signin/tiktok')
    if (!next) throw new Error(`${response.status} without a redirect or link at ${url.pathname}`)
    return new URL(next, url)
  }

  async #authorizationUrl(): Promise<URL> {
    const parameters = new URLSearchParams({
      ...this.#options.client,
      response_type: 'code',
      state: this.state,
      nonce: this.nonce,
      code_challenge: await calculatePKCECodeChallenge(this.#verifier),
      code_challenge_method: 'S256',
    })
    return new URL(`${this.#login}/oidc/authorize?${parameters}`)
  }

  async #requestTokens(form: Record<string, string>): Promise<TokenResponse> {
    const { client_id } = this.#options.client
    const response = await this.#requestLogin(`${this.#login}/oidc/token`, {
      body: new URLSearchParams({ client_id, ...form }),
    })
    return { ...(await response.json()), status: response.status }
  }

  #requestLogin(url: string, { headers, ...request }: HttpRequest = {}): Promise<Response> {
    return this.#request(url, { ...request, headers: { ...this.headers, ...headers } })
  }

  async #request(url: string, request: HttpRequest): Promise<Response> {
    const response = await this.#browser.request(url, request).catch((cause) => {
      throw new UnavailableError(`connection failed: ${cause.code ?? cause.name}`, { cause })
    })
    if (BUSY_STATUSES.includes(response.status)) {
      const code = (await errorCode(response)) ?? 'without an error page'
      const message = `${response.status} ${code} at ${new URL(url).pathname}`
      throw new UnavailableError(message, { code })
    }
    return response
  }
}

function expectSuccess(response: TokenResponse): TokenResponse {
  if (response.status !== 200) {
    const { status, error } = response
    throw new Error(`The token endpoint responded ${status} ${error} to a valid request.`)
  }
  return response
}
