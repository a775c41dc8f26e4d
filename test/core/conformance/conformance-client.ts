import type { JWTVerifyResult } from 'jose'
import * as client from 'openid-client'
import { expect } from 'vitest'
import { Browser, serviceWith } from '../../browser.ts'
import { unescapeHtml } from '../../html.ts'
import { walkThrough } from '../../providers/walk-through.ts'
import { redirectUrl } from '../../redirect.ts'
import { authorizationResponse } from '../oidc/authorization-response.ts'
import { verifyWithPublishedKeys } from '../oidc/published-metadata.ts'
import { type ParameterChanges, RelyingApp } from '../oidc/relying-app.ts'

/** The Basic plan uses the default mode; the Form Post plan repeats it with `form_post`. */
export const RESPONSE_MODES = ['query', 'form_post'] as const
export type ResponseMode = (typeof RESPONSE_MODES)[number]

/** The length of the state that the conformance suite sends. */
export const LONG_STATE = 's'.repeat(128)

/** A client as the conformance plans use it: without PKCE, and with one response mode. */
export class ConformanceClient extends RelyingApp {
  readonly #mode: ResponseMode

  constructor(mode: ResponseMode, clientId = 'certifier') {
    super(clientId)
    this.#mode = mode
  }

  override authorizationUrl(changes: ParameterChanges = {}): Promise<string> {
    return super.authorizationUrl({
      code_challenge: undefined,
      code_challenge_method: undefined,
      ...(this.#mode === 'form_post' && { response_mode: 'form_post' }),
      ...changes,
    })
  }

  async authorize(browser: Browser, changes: ParameterChanges = {}): Promise<Response> {
    return browser.get(await this.authorizationUrl(changes))
  }

  /** The parameters of an authorization response, which must arrive at the client in its mode. */
  async readResponse(response: Response): Promise<URLSearchParams> {
    if (this.#mode === 'form_post') {
      await this.#expectFormPost(response.clone())
      return authorizationResponse(response)
    }
    const target = redirectUrl(response, 303)
    const registered = new URL(this.redirectUri)
    expect(`${target.origin}${target.pathname}`).toBe(`${registered.origin}${registered.pathname}`)
    // The query of the registered address comes back as well (RFC 6749 §3.1.2).
    const parameters = target.searchParams
    for (const [name, value] of registered.searchParams) {
      expect(parameters.get(name)).toBe(value)
      parameters.delete(name)
    }
    return parameters
  }

  async #expectFormPost(response: Response): Promise<void> {
    expect([response.status, response.headers.get('Location')]).toEqual([200, null])
    const html = await response.text()
    const [, action = ''] = html.match(/<form method="post" action="([^"]*)"/) ?? []
    expect(unescapeHtml(action)).toBe(this.redirectUri)
    // Chromium would apply it to the redirects of the client as well.
    expect(response.headers.get('Content-Security-Policy')).not.toContain('form-action')
  }

  /** The `error` of an authorization response, which has no parameters but those of errors. */
  async readError(response: Response): Promise<string | null> {
    const parameters = await this.readResponse(response)
    for (const name of parameters.keys())
      expect(['error', 'error_description', 'error_uri', 'state', 'iss']).toContain(name)
    return parameters.get('error')
  }

  /** Redeems the code with the client library, which expects the parameters in a callback URL. */
  async redeem(parameters: URLSearchParams, checks: client.AuthorizationCodeGrantChecks = {}) {
    return client.authorizationCodeGrant(await this.configuration(), this.#callback(parameters), {
      expectedNonce: this.nonce,
      expectedState: this.state,
      ...checks,
    })
  }

  /** Redeems the code without the client library, and returns the plain response. */
  sendCode(parameters: URLSearchParams): Promise<Response> {
    const changes = { code_verifier: undefined }
    return this.requestTokens(this.codeExchangeForm(this.#callback(parameters), changes))
  }

  #callback(parameters: URLSearchParams): URL {
    const callback = new URL(this.redirectUri)
    for (const [name, value] of parameters) callback.searchParams.set(name, value)
    return callback
  }

  override async tokens(browser: Browser, changes: ParameterChanges = {}) {
    return this.redeem(await this.readResponse(await this.authorize(browser, changes)))
  }

  /** Verifies the signature, issuer, audience and times of an ID token. */
  async verifyIdToken(idToken = ''): Promise<JWTVerifyResult> {
    const verified = await verifyWithPublishedKeys(idToken, {
      audience: this.clientId,
      requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
      algorithms: ['RS256'],
    })
    expect(verified.payload.iat).toBeLessThanOrEqual(Date.now() / 1000)
    return verified
  }
}

/** Signs in through an OpenID Connect provider that has verified the user's email address. */
export async function signedInWithEmail(): Promise<Browser> {
  const browser = new Browser(
    serviceWith({
      AUTH_OIDC_ID: 'our-client',
      AUTH_OIDC_SECRET: 'our-secret-Kq7vR2',
      AUTH_OIDC_ISSUER: 'https://op.example',
    }),
  )
  const authorization = redirectUrl(await browser.get('/api/auth/signin/oidc'))
  await browser.get(await walkThrough(authorization, 'alice'))
  return browser
}
