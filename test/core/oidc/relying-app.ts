import { exports } from 'cloudflare:workers'
import { importJWK } from 'jose'
import * as client from 'openid-client'
import { Browser, LOGIN, standIn } from '../../browser.ts'
import { redirectUrl } from '../../redirect.ts'
import keys from './signing-keys.json'

/** The secrets of the confidential clients that vitest.config.ts registers. */
export const SECRETS: Record<string, string> = {
  web: 'web-secret: 100% a+b',
  post: 'post-secret',
  certifier: 'certifier-secret',
  'certifier-2': 'certifier-2-secret',
  'certifier-post': 'certifier-post-secret',
  console: 'console-secret',
}

/** The clients registered with `client_secret_post`; the others with a secret use Basic. */
const SECRET_IN_FORM = ['post', 'certifier-post']

const REDIRECT_URIS: Record<string, string> = {
  web: 'https://web.example/callback',
  post: 'https://post.example/callback',
  shop: 'https://shop.example/callback',
  signer: 'https://signer.example/callback',
  kiosk: 'https://kiosk.example/callback',
  native: 'http://127.0.0.1:51004/callback',
  certifier: 'https://certifier.example/callback',
  'certifier-2': 'https://certifier.example/callback?dummy1=lorem&dummy2=ipsum',
  'certifier-post': 'https://certifier.example/callback',
}

/** The authorization parameter that asks for a refresh token. */
export const OFFLINE_ACCESS = { scope: 'openid profile offline_access' }

/** Parameters to change in a request; `undefined` leaves the parameter out. */
export type ParameterChanges = Record<string, string | undefined>

/** A relying app built on a certified client library, with ordinary settings. */
export class RelyingApp {
  readonly clientId: string
  readonly redirectUri: string
  readonly verifier = client.randomPKCECodeVerifier()
  readonly nonce = client.randomNonce()
  readonly state = client.randomState()
  #configuration: client.Configuration | undefined

  readonly #service: (request: Request) => Promise<Response>

  constructor(
    clientId = 'web',
    service: (request: Request) => Promise<Response> = (request) => exports.default.fetch(request),
  ) {
    this.clientId = clientId
    this.#service = service
    this.redirectUri = REDIRECT_URIS[clientId] ?? ''
  }

  async configuration(): Promise<client.Configuration> {
    if (this.#configuration) return this.#configuration
    const metadata = this.clientId === 'post' ? { id_token_signed_response_alg: 'ES256' } : {}
    this.#configuration = await client.discovery(
      new URL(LOGIN),
      this.clientId,
      metadata,
      await this.#clientAuthentication(),
      {
        [client.customFetch]: (url, init) => this.#service(new Request(url, init as RequestInit)),
      },
    )
    return this.#configuration
  }

  async #clientAuthentication(): Promise<client.ClientAuth> {
    if (this.clientId === 'signer')
      return client.PrivateKeyJwt({ key: await signingKey(), kid: keys.signer.kid })
    const secret = SECRETS[this.clientId]
    if (secret === undefined) return client.None()
    return SECRET_IN_FORM.includes(this.clientId)
      ? client.ClientSecretPost(secret)
      : client.ClientSecretBasic(secret)
  }

  async authorizationUrl(changes: ParameterChanges = {}): Promise<string> {
    const parameters = {
      redirect_uri: this.redirectUri,
      scope: 'openid profile',
      state: this.state,
      nonce: this.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(this.verifier),
      code_challenge_method: 'S256',
      ...changes,
    }
    const url = client.buildAuthorizationUrl(await this.configuration(), present(parameters))
    // The library adds client_id and response_type by itself.
    for (const [name, value] of Object.entries(changes))
      if (value === undefined) url.searchParams.delete(name)
    return url.href
  }

  /** Sends the authorization request from a signed-in browser and returns the callback URL. */
  async callbackFor(browser: Browser, changes: ParameterChanges = {}): Promise<URL> {
    return redirectUrl(await browser.get(await this.authorizationUrl(changes)), 303)
  }

  /** Exchanges the code with the client library, which checks the response and the ID token. */
  async exchange(callback: URL, checks: Partial<client.AuthorizationCodeGrantChecks> = {}) {
    return client.authorizationCodeGrant(await this.configuration(), callback, {
      pkceCodeVerifier: this.verifier,
      expectedNonce: this.nonce,
      expectedState: this.state,
      ...checks,
    })
  }

  /** The form of the token request for the code in this callback. */
  codeExchangeForm(callback: URL, changes: ParameterChanges = {}): Record<string, string> {
    return present({
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: this.redirectUri,
      code_verifier: this.verifier,
      ...changes,
    })
  }

  /** Sends a token request with the client's own authentication and returns the plain response. */
  requestTokens(form: Record<string, string>): Promise<Response> {
    if (SECRET_IN_FORM.includes(this.clientId) || SECRETS[this.clientId] === undefined)
      return postForm('/oidc/token', { ...form, ...formCredentials(this.clientId) })
    return postForm('/oidc/token', form, basic(this.clientId))
  }

  /** Runs the whole code flow in a signed-in browser. */
  async tokens(browser: Browser, changes: ParameterChanges = {}) {
    return this.exchange(await this.callbackFor(browser, changes))
  }

  async refresh(token: string, parameters: Record<string, string> = {}) {
    return client.refreshTokenGrant(await this.configuration(), token, parameters)
  }

  async userinfo(accessToken: string, subject: string) {
    return client.fetchUserInfo(await this.configuration(), accessToken, subject)
  }
}

/** The private key of the client `signer`. */
export function signingKey(): Promise<CryptoKey> {
  return importJWK(keys.signer, 'ES256') as Promise<CryptoKey>
}

export async function signedIn(persona = 'mia'): Promise<Browser> {
  const browser = new Browser()
  await browser.signIn(persona)
  return browser
}

/** Signs in a user who has never signed in before, so nothing is stored about them. */
export async function signedInAsNewUser(options: { prompt?: string } = {}): Promise<Browser> {
  const handle = `n${crypto.randomUUID().slice(0, 8)}`
  await standIn.post('users', { handle })
  const browser = new Browser()
  await browser.signIn(handle, options)
  return browser
}

/** A new user who is signed in to an app, and the ID token that the app holds. */
export async function signedInToApp(clientId = 'web') {
  const browser = await signedInAsNewUser()
  const tokens = await new RelyingApp(clientId).tokens(browser)
  return { browser, tokens, idToken: tokens.id_token ?? '' }
}

/** A form post as the server of an app sends it: without cookies. */
export function formRequest(
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Request {
  const body = new URLSearchParams(form)
  return new Request(`${LOGIN}${path}`, { method: 'POST', body, headers })
}

export function postForm(
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return exports.default.fetch(formRequest(path, form, headers))
}

export function getUserinfo(accessToken: string, browser = new Browser()): Promise<Response> {
  return browser.get('/oidc/userinfo', bearer(accessToken))
}

export function logoutUrl(parameters: Record<string, string>): string {
  return `/oidc/logout?${new URLSearchParams(parameters)}`
}

/** The credentials of a client for `client_secret_basic` (RFC 6749 §2.3.1). */
export function basic(
  clientId: string,
  secret = SECRETS[clientId] ?? '',
): { Authorization: string } {
  return {
    Authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`)}`,
  }
}

/** The credentials of a client for `client_secret_post`; of a public client, its id alone. */
export function formCredentials(clientId: string): Record<string, string> {
  return present({ client_id: clientId, client_secret: SECRETS[clientId] })
}

export function bearer(accessToken: string): { Authorization: string } {
  return { Authorization: `Bearer ${accessToken}` }
}

function present(parameters: ParameterChanges): Record<string, string> {
  const entries = Object.entries(parameters).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Record<string, string>
}
