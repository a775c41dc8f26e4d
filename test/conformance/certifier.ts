import { createLocalJWKSet, type JWTVerifyResult, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { expect, vi } from 'vitest'
import { Browser, LOGIN, serviceWith } from '../browser.ts'
import { answerOf, unescapeHtml } from '../oidc/answer.ts'
import { basic, post, RelyingApp, SECRETS } from '../oidc/relying-app.ts'
import { walkThrough } from '../providers/walk-through.ts'

/** The Basic plan takes answers as they come by default; the Form-post plan repeats it in the other mode. */
export const RESPONSE_MODES = ['query', 'form_post'] as const
export type ResponseMode = (typeof RESPONSE_MODES)[number]

type Changes = Record<string, string | undefined>

/** A relying app as the conformance plans play one: without PKCE, and with answers in one mode alone. */
export class Certifier extends RelyingApp {
  readonly #mode: ResponseMode

  constructor(mode: ResponseMode, clientId = 'certifier') {
    super(clientId)
    this.#mode = mode
  }

  override authorizationUrl(changes: Changes = {}): Promise<string> {
    return super.authorizationUrl({
      code_challenge: undefined,
      code_challenge_method: undefined,
      ...(this.#mode === 'form_post' && { response_mode: 'form_post' }),
      ...changes,
    })
  }

  async ask(browser: Browser, changes: Changes = {}): Promise<Response> {
    return browser.get(await this.authorizationUrl(changes))
  }

  /** What the app is told, which must stand where the mode says: in the redirect, or in a form that leads to the app. */
  async receive(response: Response): Promise<URLSearchParams> {
    const location = response.headers.get('Location')
    expect([response.status, location !== null]).toEqual(
      this.#mode === 'query' ? [303, true] : [200, false],
    )
    if (this.#mode === 'form_post') {
      const [, action = ''] =
        (await response.clone().text()).match(/<form method="post" action="([^"]*)"/) ?? []
      expect(unescapeHtml(action)).toBe(this.redirectUri)
      const policy = response.headers.get('Content-Security-Policy')
      expect(policy).toMatch(/form-action [^;]*https:\/\/certifier\.example[ ;]/)
      return answerOf(response)
    }
    expect(location?.split('?')[0]).toBe(this.redirectUri.split('?')[0])
    const answer = await answerOf(response)
    for (const [name, value] of new URL(this.redirectUri).searchParams) {
      expect(answer.get(name)).toBe(value)
      answer.delete(name)
    }
    return answer
  }

  /** The error the app is told, with nothing beside it but what goes with errors. */
  async refusal(response: Response): Promise<string | null> {
    const answer = await this.receive(response)
    for (const name of answer.keys())
      expect(['error', 'error_description', 'error_uri', 'state', 'iss']).toContain(name)
    return answer.get('error')
  }

  /** Redeems an answer through the client library, which takes it as a URL whatever way it came. */
  async redeem(answer: URLSearchParams, checks: client.AuthorizationCodeGrantChecks = {}) {
    const callback = new URL(this.redirectUri)
    for (const [name, value] of answer) callback.searchParams.set(name, value)
    return client.authorizationCodeGrant(await this.configuration(), callback, {
      expectedNonce: this.nonce,
      expectedState: this.state,
      ...checks,
    })
  }

  /** The whole way for a browser that is signed in. */
  override async tokens(browser: Browser, changes: Changes = {}) {
    return this.redeem(await this.receive(await this.ask(browser, changes)))
  }

  /** A token request made by hand, to see all of its answer. */
  askTokens(form: Record<string, string>): Promise<Response> {
    return post('/oidc/token', form, basic(this.clientId, SECRETS[this.clientId] ?? ''))
  }

  showCode(answer: URLSearchParams): Promise<Response> {
    return this.askTokens({
      grant_type: 'authorization_code',
      code: answer.get('code') ?? '',
      redirect_uri: this.redirectUri,
    })
  }

  /** An ID token whose signature, issuer, audience and times are good. */
  async verify(idToken = ''): Promise<JWTVerifyResult> {
    const keys = createLocalJWKSet(await new Browser().json('/.well-known/jwks.json'))
    const verified = await jwtVerify(idToken, keys, {
      issuer: LOGIN,
      audience: this.clientId,
      requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
      algorithms: ['RS256'],
    })
    expect(verified.payload.iat).toBeLessThanOrEqual(Date.now() / 1000)
    return verified
  }
}

/** Plays the person who is sent to the sign-in page, and returns what the request that waited is answered. */
export async function signInThere(
  browser: Browser,
  response: Response,
  persona = 'mia',
): Promise<Response> {
  const place = new URL(response.headers.get('Location') ?? '', LOGIN)
  expect([response.status, place.pathname]).toEqual([303, '/api/auth/signin'])
  const page = await (await browser.get(place.href)).text()
  const [, href = ''] = page.match(/href="([^"]*signin\/tiktok[^"]*)"/) ?? []
  const start = await browser.get(unescapeHtml(href))
  const platform = new URL(start.headers.get('Location') ?? '')
  const back = await browser.get(await browser.approve(platform, persona))
  return browser.get(back.headers.get('Location') ?? '')
}

/** Plays the person who agrees on the consent page. */
export async function agreeThere(browser: Browser, response: Response): Promise<Response> {
  const page = await response.text()
  expect(page).toContain('id="approve"')
  const [, request = ''] = page.match(/name="request" value="([^"]+)"/) ?? []
  const agreed = await browser.post('/oidc/consent', { request, answer: 'approve' })
  expect(agreed.status).toBe(303)
  return browser.get(agreed.headers.get('Location') ?? '')
}

/** A browser of somebody who has come through a certified provider, which vouches for their email. */
export async function signedInWithEmail(): Promise<Browser> {
  const browser = new Browser(
    serviceWith({
      AUTH_OIDC_ID: 'our-client',
      AUTH_OIDC_SECRET: 'our-secret-Kq7vR2',
      AUTH_OIDC_ISSUER: 'https://op.example',
    }),
  )
  const start = await browser.get('/api/auth/signin/oidc')
  const callback = await walkThrough(new URL(start.headers.get('Location') ?? ''), 'alice')
  await browser.get(callback)
  return browser
}

/** What the service announces. */
export function discovery(): Promise<Record<string, unknown>> {
  return new Browser().json('/.well-known/openid-configuration')
}

/** Lets time pass, for us and for the service. */
export function later(seconds: number): void {
  vi.useFakeTimers({ now: Date.now() + seconds * 1000, toFake: ['Date'] })
}
