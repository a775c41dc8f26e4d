import { BrowserRecord } from './browser-record.ts'
import { decodeClaims, type LoginService } from './login-service.ts'
import {
  type HeldSession,
  renewalTime,
  type SessionSource,
  type SignInOptions,
  type SignInRequirements,
  type TokenClaims,
  toUser,
  UnavailableError,
} from './session.ts'

/** When the user returns to the page, older tokens are renewed, which fails after a sign-out. */
const MAX_AGE = 60_000 // milliseconds

const SCOPE = 'openid profile offline_access'

/** The error until the browser has left the page. */
const SIGNING_IN_AGAIN = 'The sign-in is repeated.'

export interface CodeFlowOptions {
  clientId: string
  redirectUri: string
  /** `openid profile offline_access` by default. */
  scope?: string | undefined
  /** The APIs that tokens are requested for, the default first. */
  audiences?: readonly string[] | undefined
}

/** What the browser stores. All tabs share it. */
interface Stored {
  idToken: string
  refreshToken?: string
  /** Access tokens by audience. */
  tokens: Record<string, { token: string; receivedAt: number; expiresAt: number }>
}

interface TokenResponse {
  access_token: string
  expires_in: number
  id_token?: string
  refresh_token?: string
}

/** What sessionStorage has of a sign-in that was started in this tab, until it has ended. */
interface Attempt {
  verifier: string
  returnTo: string
  /** Absent if an older version of this library has started it. */
  options?: SignInOptions & SignInRequirements
  /** Whether it repeats an attempt whose tokens were lost. */
  isRepeated: boolean
}

/**
 * Sessions of an app on another site than the login service: authorization code with PKCE, and
 * refresh tokens that rotate. One lock for all tabs guards what is stored, so that no two requests
 * send the same refresh token.
 */
export function authorizationCode(
  { url, requestJson }: LoginService,
  { clientId, redirectUri, scope = SCOPE, audiences = [] }: CodeFlowOptions,
): SessionSource {
  const key = `vestibule ${url} ${clientId}`
  const errorKey = `vestibule error ${url} ${clientId}`
  const record = new BrowserRecord<Stored>(key)
  let signInError: string | undefined
  let isSigningInAgain = false

  return {
    maxAge: MAX_AGE,

    get signInError() {
      return signInError
    },

    async load(audience, notBefore) {
      return withLock(async () => {
        await finishSignIn()
        const stored = await record.read()
        const token = stored?.tokens[audience]
        if (!stored) return null
        if (token && token.receivedAt >= notBefore && Date.now() < renewalTime(token)) {
          return describe(stored, audience)
        }
        if (stored.refreshToken) return refresh(stored, audience)
        if (token && Date.now() < token.expiresAt) return describe(stored, audience)
        await record.delete()
        return null
      })
    },

    async signIn(options) {
      location.assign(await startSignIn(options))
    },

    async signOut() {
      const stored = await withLock(async () => {
        const found = await record.read()
        await record.delete()
        return found
      })
      if (!stored) return
      const query = new URLSearchParams({
        id_token_hint: stored.idToken,
        client_id: clientId,
        post_logout_redirect_uri: redirectUri,
      })
      location.assign(`${url}/oidc/logout?${query}`)
    },
  }

  function withLock<Result>(act: () => Promise<Result>): Promise<Result> {
    return navigator.locks.request(key, act)
  }

  /** Stores an attempt, and returns the URL of its authorization request. */
  async function startSignIn(
    options: SignInOptions & SignInRequirements,
    isRepeated = false,
  ): Promise<string> {
    const { provider, returnTo = location.href, prompt, acrValues, maxAge } = options
    const target = new URL(returnTo, location.href)
    if (target.origin !== location.origin) throw new TypeError('returnTo is not on this origin.')
    if (new URL(redirectUri).origin !== location.origin) {
      throw new TypeError(`redirectUri must be on this origin, ${location.origin}.`)
    }
    const state = randomText()
    const verifier = randomText()
    const attempt: Attempt = { verifier, returnTo: target.href, options, isRepeated }
    sessionStorage.setItem(`${key} ${state}`, JSON.stringify(attempt))
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: [...new Set(`${scope} ${options.scope ?? ''}`.split(' '))].join(' ').trim(),
      state,
      code_challenge: await challengeFor(verifier),
      code_challenge_method: 'S256',
    })
    for (const audience of audiences) query.append('resource', audience)
    if (provider) query.set('provider', provider)
    if (prompt) query.set('prompt', prompt)
    if (acrValues) query.set('acr_values', acrValues)
    if (maxAge) query.set('max_age', maxAge)
    return `${url}/oidc/authorize?${query}`
  }

  /**
   * Redeems the code, if the login service has just sent the user back to this page. While the
   * login service is unavailable, the attempt and the URL are kept for the next time.
   */
  async function finishSignIn(): Promise<void> {
    if (isSigningInAgain) throw new UnavailableError(SIGNING_IN_AGAIN)
    const response = new URLSearchParams(location.search)
    const attemptKey = `${key} ${response.get('state')}`
    const text = sessionStorage.getItem(attemptKey)
    if (!text) return readFormerError()
    const attempt: Attempt = JSON.parse(text)
    const code = response.get('code')
    // Another login service must not complete the sign-in (RFC 9207).
    const isOurs = response.get('iss') === url
    signInError = isOurs ? (response.get('error') ?? undefined) : 'invalid_issuer'
    const isRejected = isOurs && code !== null && !(await redeem(code, attempt.verifier))
    sessionStorage.removeItem(attemptKey)
    if (isRejected && !attempt.isRepeated) return signInAgain(attempt)
    if (isRejected) signInError = 'invalid_grant'
    goTo(new URL(attempt.returnTo))
  }

  /** Removes the response from the address bar. Another page is loaded, as its router expects. */
  function goTo(returnTo: URL): void {
    if (returnTo.pathname === location.pathname) {
      history.replaceState(history.state, '', returnTo)
      return
    }
    if (signInError) sessionStorage.setItem(errorKey, signInError)
    location.replace(returnTo)
  }

  /** The error of a sign-in that ended on the page before this one. */
  function readFormerError(): void {
    signInError ??= sessionStorage.getItem(errorKey) ?? undefined
    sessionStorage.removeItem(errorKey)
  }

  /**
   * The code has been redeemed and the response was lost, or it has expired. The user is signed in
   * at the login service, so that this one request is not noticed. It replaces the page, whose URL
   * must not be opened again.
   */
  async function signInAgain({ options = {}, returnTo }: Attempt): Promise<never> {
    const { prompt, ...rest } = options
    const again = { ...rest, returnTo, ...(prompt === 'none' && { prompt }) }
    location.replace(await startSignIn(again, true))
    isSigningInAgain = true
    throw new UnavailableError(SIGNING_IN_AGAIN)
  }

  /** Returns whether the code was accepted. */
  async function redeem(code: string, verifier: string): Promise<boolean> {
    const [audience = ''] = audiences
    const form = { code, code_verifier: verifier, redirect_uri: redirectUri }
    try {
      await store('', await requestTokens('authorization_code', audience, form))
      return true
    } catch (error) {
      if (isInvalidGrant(error)) return false
      throw error
    }
  }

  async function refresh(stored: Stored, audience: string): Promise<HeldSession | null> {
    const [defaultAudience = ''] = audiences
    const form = { refresh_token: stored.refreshToken ?? '' }
    try {
      const response = await requestTokens('refresh_token', audience || defaultAudience, form)
      return describe(await store(audience, response, stored), audience)
    } catch (error) {
      if (!isInvalidGrant(error)) throw error
      await record.delete()
      return null
    }
  }

  async function requestTokens(
    grantType: string,
    audience: string,
    form: Record<string, string>,
  ): Promise<TokenResponse & { receivedAt: number }> {
    const receivedAt = Date.now()
    const body = new URLSearchParams({ grant_type: grantType, client_id: clientId, ...form })
    if (audience) body.set('resource', audience)
    const response = await requestJson<TokenResponse>('/oidc/token', { method: 'POST', body })
    return { ...response, receivedAt }
  }

  async function store(
    audience: string,
    response: TokenResponse & { receivedAt: number },
    former?: Stored,
  ): Promise<Stored> {
    const { receivedAt, expires_in, access_token, id_token, refresh_token } = response
    const expiresAt = receivedAt + expires_in * 1000
    const stored: Stored = {
      ...former,
      idToken: id_token ?? former?.idToken ?? '',
      tokens: { ...former?.tokens, [audience]: { token: access_token, receivedAt, expiresAt } },
      ...(refresh_token && { refreshToken: refresh_token }),
    }
    await record.write(stored)
    return stored
  }

  function describe({ idToken, tokens }: Stored, audience: string): HeldSession | null {
    const held = tokens[audience]
    if (!held) return null
    const { token, receivedAt, expiresAt } = held
    const claims = decodeClaims<TokenClaims>(idToken)
    return { session: { user: toUser(claims), token, claims }, receivedAt, expiresAt }
  }
}

function isInvalidGrant(error: unknown): boolean {
  return error instanceof UnavailableError && error.code === 'invalid_grant'
}

function randomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
}

/** {@link https://www.rfc-editor.org/rfc/rfc7636#section-4.2} */
async function challengeFor(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return toBase64Url(new Uint8Array(digest))
}

function toBase64Url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
