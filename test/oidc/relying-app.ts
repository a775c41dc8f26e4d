import { env, exports } from 'cloudflare:workers'
import { importJWK } from 'jose'
import * as client from 'openid-client'
import { expect } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { Browser, LOGIN, standIn } from '../browser.ts'
import keys from './signing-keys.json'

/** The secret each confidential client of the tests knows. */
export const SECRETS: Record<string, string> = {
  web: 'web-secret: 100% a+b',
  post: 'post-secret',
  certifier: 'certifier-secret',
  'certifier-2': 'certifier-2-secret',
  'certifier-post': 'certifier-post-secret',
}

/** The key with which the client `signer` signs. */
export function signingKey(): Promise<CryptoKey> {
  return importJWK(keys.signer, 'ES256') as Promise<CryptoKey>
}

const REDIRECTS: Record<string, string> = {
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

/** A relying app built on a certified client library, with ordinary settings. */
export class RelyingApp {
  readonly clientId: string
  readonly redirectUri: string
  readonly verifier = client.randomPKCECodeVerifier()
  readonly nonce = client.randomNonce()
  readonly state = client.randomState()
  #configuration: client.Configuration | undefined

  constructor(clientId = 'web') {
    this.clientId = clientId
    this.redirectUri = REDIRECTS[clientId] ?? ''
  }

  async configuration(): Promise<client.Configuration> {
    if (this.#configuration) return this.#configuration
    const metadata = this.clientId === 'post' ? { id_token_signed_response_alg: 'ES256' } : {}
    this.#configuration = await client.discovery(
      new URL(LOGIN),
      this.clientId,
      metadata,
      await this.#authentication(),
      {
        [client.customFetch]: (url, init) =>
          exports.default.fetch(new Request(url, init as RequestInit)),
      },
    )
    return this.#configuration
  }

  async #authentication(): Promise<client.ClientAuth> {
    const secret = SECRETS[this.clientId]
    switch (this.clientId) {
      case 'post':
      case 'certifier-post':
        return client.ClientSecretPost(secret)
      case 'signer':
        return client.PrivateKeyJwt({ key: await signingKey(), kid: keys.signer.kid })
      default:
        return secret === undefined ? client.None() : client.ClientSecretBasic(secret)
    }
  }

  /** The authorization request, with whatever is changed or left out (`undefined`). */
  async authorizationUrl(changes: Record<string, string | undefined> = {}): Promise<string> {
    const parameters = {
      redirect_uri: this.redirectUri,
      scope: 'openid profile',
      state: this.state,
      nonce: this.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(this.verifier),
      code_challenge_method: 'S256',
      ...changes,
    }
    const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
    const url = client.buildAuthorizationUrl(
      await this.configuration(),
      Object.fromEntries(given) as Record<string, string>,
    )
    for (const [name, value] of Object.entries(changes))
      if (value === undefined) url.searchParams.delete(name)
    return url.href
  }

  /** The callback that a signed-in browser is sent to. */
  async callback(browser: Browser, changes: Record<string, string | undefined> = {}): Promise<URL> {
    const response = await browser.get(await this.authorizationUrl(changes))
    expect(response.status).toBe(303)
    return new URL(response.headers.get('Location') ?? '')
  }

  async exchange(callback: URL, checks: Partial<client.AuthorizationCodeGrantChecks> = {}) {
    return client.authorizationCodeGrant(await this.configuration(), callback, {
      pkceCodeVerifier: this.verifier,
      expectedNonce: this.nonce,
      expectedState: this.state,
      ...checks,
    })
  }

  /** The whole way for a browser that is signed in. */
  async tokens(browser: Browser, changes: Record<string, string | undefined> = {}) {
    return this.exchange(await this.callback(browser, changes))
  }

  async refresh(token: string, parameters: Record<string, string> = {}) {
    return client.refreshTokenGrant(await this.configuration(), token, parameters)
  }

  async userinfo(accessToken: string, subject: string) {
    return client.fetchUserInfo(await this.configuration(), accessToken, subject)
  }
}

/** The request as it comes back from the sign-in room, which alone can open it. */
export async function resumed(toSignIn: Response): Promise<string> {
  const { searchParams } = new URL(toSignIn.headers.get('Location') ?? '', LOGIN)
  const opened = await readConfig(env).seal.open('request', '', searchParams.get('request') ?? '')
  return opened?.split(' ')[1] ?? ''
}

export async function signedIn(persona = 'mia'): Promise<Browser> {
  const browser = new Browser()
  await browser.signIn(persona)
  return browser
}

/** Somebody new who is signed in at an app, and the ID token it holds. */
export async function signedInAt(clientId = 'web') {
  const persona = `l${crypto.randomUUID().slice(0, 8)}`
  await standIn.post('users', { handle: persona })
  const browser = await signedIn(persona)
  const tokens = await new RelyingApp(clientId).tokens(browser)
  return { browser, hint: tokens.id_token ?? '', tokens }
}

/** A request to an endpoint of ours, made by hand. */
export function post(
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return exports.default.fetch(
    new Request(`${LOGIN}${path}`, { method: 'POST', body: new URLSearchParams(form), headers }),
  )
}

export function basic(clientId: string, secret: string): { Authorization: string } {
  return {
    Authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`)}`,
  }
}
