import { digest, randomText } from './base64url.ts'
import { BrowserRecord } from './browser-record.ts'
import { decodeClaims } from './claims.ts'
import type { Dpop } from './dpop.ts'
import type { LoginService } from './login-service.ts'
import type { BoundKey } from './proof.ts'
import {
  type HeldSession,
  renewalTime,
  type SessionSource,
  type SignInOptions,
  type SignInRequirements,
  sendAsBearer,
  type TokenClaims,
  toUser,
  UnavailableError,
} from './session.ts'

/** When the user returns to the page, older tokens are renewed, which fails after a sign-out. */
const MAX_AGE = 60_000 // milliseconds

const SCOPE = 'openid profile offline_access'

/** The error until the browser has left the page. */
const SIGNING_IN_AGAIN = 'The sign-in is repeated.'

/** Errors of authorization requests that only a change of the app or its registration helps with. */
const MISTAKE = /^(invalid|unauthorized|unsupported)_(?!issuer|grant)/

export interface CodeFlowOptions {
  clientId: string
  redirectUri: string
  /** `openid profile offline_access` by default. */
  scope?: string | undefined
  /** The APIs that tokens are requested for, the default first. */
  audiences?: readonly string[] | undefined
  /** Binds tokens to a key of this browser. */
  dpop?: Dpop | undefined
}

/**
 * What the browser stores. All tabs share it. Before the user has signed in, it can have a key
 * without tokens.
 */
interface Stored {
  /** What the tokens are bound to. */
  bound?: BoundKey
  idToken?: string
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
  { url, requestJson, report }: LoginService,
  { clientId, redirectUri, scope = SCOPE, audiences = [], dpop }: CodeFlowOptions,
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
        if (!stored?.idToken) return null
        const held = describe(stored, audience)
        if (held && held.receivedAt >= notBefore && Date.now() < renewalTime(held)) return held
        const isUsable = () => held && Date.now() < held.expiresAt
        if (stored.refreshToken) {
          return refresh(stored, audience).catch((failure: unknown) => {
            if (isUsable()) return { ...held, failure } as HeldSession
            throw failure
          })
        }
        if (isUsable()) return held
        await record.delete()
        return null
      })
    },

    async send(request, token) {
      const bound = dpop && (await record.read())?.bound
      if (!dpop || !bound) return sendAsBearer(request, token)
      return dpop.send(request, bound, { token, report })
    },

    canRequest: (scope) => Boolean(scope),

    async signIn(options) {
      const thumbprint = dpop && (await withLock(findThumbprint))
      location.assign(await startSignIn(options, { thumbprint }))
    },

    async signOut() {
      const stored = await withLock(async () => {
        const found = await record.read()
        await record.delete()
        return found
      })
      if (!stored?.idToken) return
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

  /** The key of this browser, which is stored before anything is bound to it. */
  async function requireKey(): Promise<BoundKey | undefined> {
    if (!dpop) return undefined
    const stored = await record.read()
    if (stored?.bound) return stored.bound
    const bound = { keyPair: await dpop.createKeyPair() }
    await record.write({ tokens: {}, ...stored, bound })
    return bound
  }

  /** The key that a code is bound to. One in memory would be lost when the browser leaves the page. */
  async function findThumbprint(): Promise<string | undefined> {
    const bound = await requireKey()
    return bound && !record.isInMemory ? dpop?.thumbprintOf(bound) : undefined
  }

  /** Stores an attempt, and returns the URL of its authorization request. */
  async function startSignIn(
    options: SignInOptions & SignInRequirements,
    { thumbprint, isRepeated = false }: { thumbprint: string | undefined; isRepeated?: boolean },
  ): Promise<string> {
    const { provider, returnTo = location.href, prompt, acrValues, maxAge } = options
    const target = new URL(returnTo, location.href)
    if (target.origin !== location.origin) throw new TypeError('returnTo must be on this origin.')
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
      code_challenge: await digest(verifier),
      code_challenge_method: 'S256',
    })
    for (const audience of audiences) query.append('resource', audience)
    const optional = {
      provider,
      prompt,
      acr_values: acrValues,
      max_age: maxAge,
      dpop_jkt: thumbprint,
    }
    for (const [name, value] of Object.entries(optional)) if (value) query.set(name, value)
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
    goTo(new URL(attempt.returnTo), response.get('error_description'))
  }

  /** Removes the response from the address bar. Another page is loaded, as its router expects. */
  function goTo(returnTo: URL, description: string | null): void {
    if (signInError) sessionStorage.setItem(errorKey, `${signInError} ${description ?? ''}`)
    if (returnTo.pathname !== location.pathname) {
      location.replace(returnTo)
      return
    }
    history.replaceState(history.state, '', returnTo)
    readFormerError()
  }

  /**
   * The error of a sign-in that has just ended, here or on the page before this one, whose console
   * would be empty by now.
   */
  function readFormerError(): void {
    const text = sessionStorage.getItem(errorKey)
    if (!text) return
    sessionStorage.removeItem(errorKey)
    const [code = '', ...description] = text.split(' ')
    signInError ??= code
    if (MISTAKE.test(code)) report(`${code}: ${description.join(' ')}`)
  }

  /**
   * The code has been redeemed and the response was lost, or it has expired. A user who is signed in
   * at the login service does not notice the other request, unless it asks for another sign-in. It
   * replaces the page, whose URL must not be opened again.
   */
  async function signInAgain({ options = {}, returnTo }: Attempt): Promise<never> {
    const thumbprint = await findThumbprint()
    location.replace(await startSignIn({ ...options, returnTo }, { thumbprint, isRepeated: true }))
    isSigningInAgain = true
    throw new UnavailableError(SIGNING_IN_AGAIN)
  }

  /** Returns whether the code was accepted. */
  async function redeem(code: string, verifier: string): Promise<boolean> {
    const [audience = ''] = audiences
    const form = { code, code_verifier: verifier, redirect_uri: redirectUri }
    const bound = await requireKey()
    try {
      await store('', await requestTokens('authorization_code', audience, form, bound), { bound })
      return true
    } catch (error) {
      if (isInvalidGrant(error)) return false
      throw error
    }
  }

  async function refresh(stored: Stored, audience: string): Promise<HeldSession | null> {
    const [defaultAudience = ''] = audiences
    const form = { refresh_token: stored.refreshToken ?? '' }
    // A token that was bound to a lost key is rejected with this one, and the user signs in again.
    const bound = await requireKey()
    try {
      const requested = audience || defaultAudience
      const response = await requestTokens('refresh_token', requested, form, bound)
      return describe(await store(audience, response, { ...stored, bound }), audience)
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
    bound: BoundKey | undefined,
  ): Promise<TokenResponse & { receivedAt: number }> {
    const receivedAt = Date.now()
    const body = new URLSearchParams({ grant_type: grantType, client_id: clientId, ...form })
    if (audience) body.set('resource', audience)
    const send = bound && dpop && ((request: Request) => dpop.send(request, bound))
    const init = { method: 'POST', body }
    const response = await requestJson<TokenResponse>('/oidc/token', init, send)
    return { ...response, receivedAt }
  }

  async function store(
    audience: string,
    response: TokenResponse & { receivedAt: number },
    former: Partial<Omit<Stored, 'bound'>> & { bound: BoundKey | undefined },
  ): Promise<Stored> {
    const { receivedAt, expires_in, access_token, id_token, refresh_token } = response
    const expiresAt = receivedAt + expires_in * 1000
    const { bound, ...others } = former
    const stored: Stored = {
      ...others,
      idToken: id_token ?? former.idToken ?? '',
      tokens: { ...former.tokens, [audience]: { token: access_token, receivedAt, expiresAt } },
      ...(refresh_token && { refreshToken: refresh_token }),
      ...(bound && dpop && { bound: dpop.readToken(access_token, bound, report) }),
    }
    await record.write(stored)
    return stored
  }

  function describe({ idToken = '', tokens }: Stored, audience: string): HeldSession | null {
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
