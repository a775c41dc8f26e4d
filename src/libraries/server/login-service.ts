import { decodeJwt, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'
import { TokenError } from '../../foundation/resource-server/token-error.ts'
import { UnavailableError } from '../client/session.ts'
import { TIMEOUT } from '../verify/fetch-document.ts'
import type { IssuerKeys } from '../verify/issuer-keys.ts'
import type { Settings } from './options.ts'
import type { SessionClaims, StoredKey, StoredSession } from './stored-session.ts'

/**
 * How long the app waits for tokens. If it gives up earlier, a code is spent for nothing; a login
 * service that has just been started may need seconds.
 */
export const TOKEN_TIMEOUT = 10_000 // milliseconds

/** How different the clocks of the app and the login service may be. */
const CLOCK_TOLERANCE = 30 // seconds

/** {@link https://openid.net/specs/openid-connect-backchannel-1_0.html#LogoutToken} */
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

const NOT_BOUND =
  'dpop is set, but the login service does not bind tokens: its features must list senderConstrained().'

interface TokenResponse {
  access_token: string
  token_type: string
  expires_in: number
  id_token: string
  refresh_token?: string
}

/** The tokens of a session. The ID token is too long for the cookie. */
export interface Tokens {
  session: StoredSession
  idToken: string
}

/** A session that has ended at the login service. */
export interface EndedSession {
  /** The user. */
  sub: string
  /** The session, as in the claims of the sessions of this app. */
  sid: string
  /** The id of this message, which may arrive more than once. */
  jti: string
}

/** What the app requests from the login service. */
export class LoginService {
  readonly #settings: Settings
  readonly #keys: IssuerKeys

  constructor(settings: Settings, keys: IssuerKeys) {
    this.#settings = settings
    this.#keys = keys
  }

  /** Redeems a code. Returns null if it was redeemed before, or has expired. */
  async redeem(code: string, verifier: string, nonce: string): Promise<Tokens | null> {
    const { origin, path } = this.#settings
    const redirect_uri = `${origin}${path}/callback`
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri }
    return this.#requestTokens(form, (claims) => claims['nonce'] === nonce)
  }

  /** Uses the refresh token. Returns null if the session has ended. */
  async refresh({ refreshToken = '', claims: { sub } }: StoredSession): Promise<Tokens | null> {
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
    return this.#requestTokens(form, (claims) => claims.sub === sub)
  }

  /**
   * Whether the refresh token could be used, which it is not. Returns the user's present roles, or
   * null if the session has ended.
   */
  async confirm(refreshToken: string): Promise<Pick<SessionClaims, 'roles'> | null> {
    const form = { token: refreshToken, token_type_hint: 'refresh_token' }
    const { active, roles } = await this.#post<{ active: boolean; roles?: string[] }>(
      '/oidc/introspect',
      form,
      { timeout: TIMEOUT },
    )
    if (!active) return null
    return roles ? { roles } : {}
  }

  /** Ends the grant, with all of its tokens. */
  async revoke({ refreshToken, accessToken }: StoredSession): Promise<void> {
    await this.#post('/oidc/revoke', { token: refreshToken ?? accessToken }, { timeout: TIMEOUT })
  }

  /** Verifies a logout token. Returns null if it is not one for this app. */
  async verifyLogoutToken(token: string): Promise<EndedSession | null> {
    const claims = await this.#verify(token, {
      typ: 'logout+jwt',
      requiredClaims: ['sub', 'sid', 'jti', 'iat', 'exp', 'events'],
    })
    const events = claims?.['events']
    const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events
    if (!claims || !isLogout || 'nonce' in claims) return null
    return { sub: String(claims.sub), sid: String(claims['sid']), jti: String(claims.jti) }
  }

  async #requestTokens(
    form: Record<string, string>,
    isExpected: (claims: JWTPayload) => boolean,
  ): Promise<Tokens | null> {
    const confirmedAt = Date.now()
    const key = await this.#settings.dpop?.createKey()
    const response = await this.#post<TokenResponse>('/oidc/token', form, {
      timeout: TOKEN_TIMEOUT,
      key,
    }).catch((error) => {
      if (error instanceof UnavailableError && error.code === 'invalid_grant') return null
      throw error
    })
    if (!response) return null
    const { access_token, token_type, expires_in, id_token } = response
    const isBound = token_type.toLowerCase() === 'dpop'
    if (key && !isBound) console.error(`vestibule-auth: ${NOT_BOUND}`)
    const claims = await this.#verify(id_token, {
      typ: 'JWT',
      requiredClaims: ['sub', 'sid', 'iat', 'exp'],
    })
    // Session and userinfo tokens say what they are; ID tokens do not.
    if (!claims || 'token_use' in claims || !isExpected(claims)) {
      throw new Error('The login service has sent an ID token that is not for this sign-in.')
    }
    const session: StoredSession = {
      claims: withoutChecked(claims),
      grantId: decodeJwt(access_token).jti?.split('.')[0] ?? '',
      // One that is not replaced may be absent.
      refreshToken: response.refresh_token ?? form['refresh_token'],
      accessToken: access_token,
      key: isBound ? key : undefined,
      lifetime: expires_in * 1000,
      confirmedAt,
    }
    return { session, idToken: id_token }
  }

  /** The claims of a token of the login service for this app. Null if it is invalid. */
  async #verify(token: string, options: JWTVerifyOptions): Promise<JWTPayload | null> {
    const { url, clientId } = this.#settings
    const deadline = Date.now() + TIMEOUT
    try {
      await this.#keys.refresh(deadline)
      const { payload } = await jwtVerify(token, this.#keys.finder(deadline), {
        issuer: url,
        audience: clientId,
        algorithms: ['RS256', 'ES256'],
        clockTolerance: CLOCK_TOLERANCE,
        ...options,
      })
      return payload.aud === clientId ? payload : null
    } catch (error) {
      if (error instanceof errors.JOSEError) return null
      if (error instanceof TokenError) throw new UnavailableError(error.message, { cause: error })
      throw error
    }
  }

  /** @throws UnavailableError, with the code of the response if it is an OAuth error. */
  async #post<Body>(
    path: string,
    form: Record<string, string>,
    { timeout, key }: { timeout: number; key?: StoredKey | undefined },
  ): Promise<Body> {
    const { url, clientId, clientSecret, dpop, fetch } = this.#settings
    const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':')
    const signal = AbortSignal.timeout(timeout)
    const send = (headers: Record<string, string> = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers: {
          Accept: 'application/json',
          Authorization: `Basic ${btoa(credentials)}`,
          ...headers,
        },
        body: new URLSearchParams(form),
        redirect: 'manual',
        signal,
      })
    const request = { method: 'POST', url: url + path }
    const sent = dpop && key ? dpop.send(key, request, (DPoP) => send({ DPoP })) : send()
    const { ok, status, body } = await sent
      .then(async (response) => ({
        ok: response.ok,
        status: response.status,
        body: JSON.parse((await response.text()) || '{}'),
      }))
      .catch((cause: unknown) => {
        throw new UnavailableError('The login service cannot be reached.', { cause })
      })
    if (ok) return body as Body
    const { error: code, error_description: description } = body as Record<string, string>
    throw new UnavailableError(description ?? `The login service responded with ${status}.`, {
      status,
      ...(code && { code }),
    })
  }
}

/** What apps read, and the ids by which the login service revokes sessions. */
function withoutChecked(claims: JWTPayload): SessionClaims {
  const { iss, aud, exp, nonce, at_hash, ...rest } = claims
  return rest as JWTPayload & SessionClaims
}
