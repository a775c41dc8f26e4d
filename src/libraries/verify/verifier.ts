import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'
import {
  type ResourceMetadata,
  resourceMetadata,
} from '../../foundation/resource-server/resource-metadata.ts'
import { TokenError } from '../../foundation/resource-server/token-error.ts'
import { type Fetch, TIMEOUT } from './fetch-document.ts'
import { IssuerKeys } from './issuer-keys.ts'
import { rejectUnknown } from './known-options.ts'
import { createMiddleware, type Middleware } from './middleware.ts'
import { readOrigin } from './origin.ts'
import { type DpopOptions, Possession } from './possession.ts'
import { presentedToken, type TokenSource } from './presented-token.ts'
import { ProblemLog } from './problem-log.ts'
import { RejectionLog } from './rejection-log.ts'
import { RevocationFeed } from './revocation-feed.ts'
import { kindOf, type TokenKind } from './token-kind.ts'

/** How different the clocks of the API and the login service may be. */
const CLOCK_TOLERANCE = 5 // seconds

/** What `issuer` must be. An API with another one would reject every token. */
const ISSUER = 'the AUTH_URL of the login service, such as https://login.example.com'

/** How much of a foreign issuer the log has. */
const MAX_LOGGED_LENGTH = 200

/**
 * What an API requires of every token. Requirements are not undefined, which would be none: a setting
 * may be missing.
 */
export interface VerifierOptions {
  /** The URL of the login service, its `AUTH_URL`. */
  issuer: string
  /**
   * Who the token must be for: this API, as in the `resources` of clients. For session tokens, the
   * `client_id` of the frontend.
   */
  audience: string | readonly string[]
  /**
   * `access`, the default: access tokens of OpenID Connect clients and machines. `session`: the
   * token of `/api/auth/session`. A list accepts both. Nothing else is accepted, ID tokens in
   * particular.
   */
  token?: TokenKind | readonly TokenKind[] | undefined
  /** The algorithm of access tokens: `ES256`, unless the API is registered for `RS256`. */
  algorithm?: 'ES256' | 'RS256' | undefined
  /** Scopes that every token must have. */
  scopes?: readonly string[]
  /**
   * What happens while the API cannot find out what was revoked: `accept`, the default, accepts
   * tokens until they expire; `reject` responds with 503.
   */
  revocations?: 'accept' | 'reject'
  /** Adds the URL of the API's metadata to errors (RFC 9728). Further fields are optional. */
  metadata?: Partial<ResourceMetadata> | undefined
  /**
   * How the API accepts tokens that are bound to a key (RFC 9449). Without options, it accepts them
   * with a valid proof, and never as Bearer.
   */
  dpop?: DpopOptions
  /** How often revocations are read, in seconds. By default 10. */
  interval?: number | undefined
  /** Instead of the global `fetch`, such as that of a service binding. */
  fetch?: Fetch | undefined
}

/** Of tokens that are malformed, or that nobody has signed. */
const INVALID = 'The token is invalid.'

const KNOWN: Readonly<Record<keyof VerifierOptions, true>> = {
  issuer: true,
  audience: true,
  token: true,
  algorithm: true,
  scopes: true,
  revocations: true,
  metadata: true,
  dpop: true,
  interval: true,
  fetch: true,
}

/** What one route requires, in addition to the options. */
export interface Requirements {
  scopes?: readonly string[]
  /** The user must have one of these roles. */
  roles?: readonly string[]
  /** One of these values of `acr`, such as `phr` for a passkey. */
  acr?: readonly string[]
  /** The user must have signed in within this many seconds. */
  maxAge?: number
  /** Claims that the token must have with this value, or with a list that contains it. */
  claims?: Readonly<Record<string, string | number | boolean>>
}

const KNOWN_REQUIREMENTS: Readonly<Record<keyof Requirements, true>> = {
  scopes: true,
  roles: true,
  acr: true,
  maxAge: true,
  claims: true,
}

/** The claims of every token. Which of the others exist depends on how it was issued. */
export interface TokenClaims extends JWTPayload {
  iss: string
  sub: string
  aud: string | string[]
  exp: number
  iat: number
  sid?: string
  client_id?: string
  scope?: string
  auth_time?: number
  acr?: string
  amr?: string[]
  /** The key that the token is bound to (RFC 7800). */
  cnf?: { jkt?: string }
  /** In session tokens, and in access tokens for an API that lists roles. */
  roles?: string[]
}

/** A token that was verified. `Claims` are those that the deployment adds. */
export interface VerifiedToken<Claims = unknown> {
  /** The user, `usr_…`. Absent if a client has requested the token for itself. */
  userId: string | undefined
  /** The client that it was issued to. Absent in session tokens. */
  clientId: string | undefined
  scopes: readonly string[]
  /** Empty if the token names none. */
  roles: readonly string[]
  claims: TokenClaims & Claims
}

export interface Verifier<Claims = unknown> extends Middleware<Claims> {
  /**
   * Verifies a token, or that in the `Authorization` header of a request. Throws a
   * {@link TokenError} if it must not be accepted.
   */
  verify(source: TokenSource, requirements?: Requirements): Promise<VerifiedToken<Claims>>
  /** The metadata of the API (RFC 9728), to be published at `metadataPath`. */
  metadata: ResourceMetadata
  metadataPath: string
}

/** What a rejected client has to request, and where (RFC 6750 §3, RFC 9728 §5.1). */
interface Challenge extends Readonly<Record<string, string | undefined>> {
  scope: string | undefined
  resource_metadata: string | undefined
}

/** Verifies the tokens of a login service for one API. */
export function createVerifier<Claims = unknown>(options: VerifierOptions): Verifier<Claims> {
  rejectUnknown(options, KNOWN)
  const issuer = readOrigin('issuer', options.issuer, ISSUER)
  const audiences = [options.audience].flat()
  if (audiences.length === 0 || audiences.some((audience) => !audience || audience === issuer)) {
    throw new TypeError('audience must be this API. Tokens for the login service are not for it.')
  }
  const kinds = [options.token ?? 'access'].flat()
  const algorithms = { access: options.algorithm ?? 'ES256', session: 'ES256' }
  const fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
  const keys = new IssuerKeys(fetch, `${issuer}/.well-known/jwks.json`)
  const interval = options.interval && options.interval * 1000
  const feed = new RevocationFeed({ fetch, issuer, keys, interval })
  const foreignTokens = new ProblemLog()
  const rejections = new RejectionLog({ issuer, audiences, kinds })
  const possession = new Possession(options.dpop, audiences)
  const { metadata, path, url } = resourceMetadata(audiences, issuer, {
    ...options,
    metadata: {
      ...(options.dpop?.required && { dpop_bound_access_tokens_required: true }),
      ...(options.dpop?.algorithms && {
        dpop_signing_alg_values_supported: options.dpop.algorithms,
      }),
      ...options.metadata,
    },
  })

  async function verify(
    source: TokenSource,
    requirements: Requirements = {},
  ): Promise<VerifiedToken<Claims>> {
    rejectUnknown(requirements, KNOWN_REQUIREMENTS)
    const required = [...(options.scopes ?? []), ...(requirements.scopes ?? [])]
    const challenge = {
      scope: required.join(' ') || undefined,
      resource_metadata: options.metadata && url,
    }
    const presented = presentedToken(source, possession.challengeFor(challenge))
    // First, because it also forgets keys that were revoked.
    const deadline = Date.now() + TIMEOUT
    await Promise.all([feed.refresh(deadline), keys.refresh(deadline)])
    const claims = await verifyClaims(presented.token, challenge, deadline)
    if (await feed.isRevoked(claims)) throw invalid('The token was revoked.', challenge)
    if (options.revocations === 'reject' && !feed.isCurrent) {
      const cause = feed.problem
      throw new TokenError('unavailable', 'It is not known which tokens were revoked.', { cause })
    }
    await possession.require(presented, claims, challenge)
    const scopes = claims.scope?.split(' ').filter(Boolean) ?? []
    if (!required.every((scope) => scopes.includes(scope))) {
      throw new TokenError('insufficient_scope', 'The token does not have the required scopes.', {
        parameters: challenge,
      })
    }
    requireAuthentication(claims, requirements, challenge)
    requireRole(claims, requirements)
    requireClaims(claims, requirements)
    const { sub, client_id: clientId, roles = [] } = claims
    return { userId: sub === clientId ? undefined : sub, clientId, scopes, roles, claims }
  }

  async function verifyClaims(
    token: string,
    challenge: Challenge,
    deadline: number,
  ): Promise<TokenClaims & Claims> {
    const findKey = keys.finder(deadline)
    const { payload, protectedHeader } = await jwtVerify<TokenClaims & Claims>(token, findKey, {
      issuer,
      audience: audiences,
      algorithms: kinds.map((kind) => algorithms[kind]),
      requiredClaims: ['sub', 'iat', 'exp'],
      clockTolerance: CLOCK_TOLERANCE,
    }).catch((cause: unknown) => {
      if (!(cause instanceof errors.JOSEError)) throw cause
      const other = foreignIssuer(token, issuer)
      if (other === undefined) {
        const reason = reasonOf(cause)
        if (reason !== INVALID) rejections.log(reason, token, cause)
        throw invalid(reason, challenge, cause)
      }
      foreignTokens.log(`a token was rejected, because its issuer is ${other}, not ${issuer}`)
      throw invalid('The token is not from the login service of this API.', challenge, cause)
    })
    const kind = kindOf(protectedHeader.typ, payload)
    if (!kind || !kinds.includes(kind) || protectedHeader.alg !== algorithms[kind]) {
      const reason = `The token is no ${kinds.join(' or ')} token.`
      rejections.log(reason, token)
      throw invalid(reason, challenge)
    }
    return payload
  }

  return { verify, metadata, metadataPath: path, ...createMiddleware(verify) }
}

/** {@link https://www.rfc-editor.org/rfc/rfc9470#section-3} */
function requireAuthentication(
  { acr, auth_time }: TokenClaims,
  { acr: accepted, maxAge }: Requirements,
  challenge: Challenge,
): void {
  const isAccepted = accepted === undefined || (acr !== undefined && accepted.includes(acr))
  const age = Date.now() / 1000 - (auth_time ?? 0)
  const isRecent = maxAge === undefined || age <= maxAge + CLOCK_TOLERANCE
  if (isAccepted && isRecent) return
  const message = 'The user must sign in again.'
  throw new TokenError('insufficient_user_authentication', message, {
    parameters: {
      acr_values: accepted?.join(' '),
      max_age: maxAge === undefined ? undefined : String(maxAge),
      ...challenge,
    },
  })
}

/** Another token would not help, so that the response has no challenge. */
function requireRole({ roles }: TokenClaims, { roles: accepted }: Requirements): void {
  if (!accepted || accepted.some((role) => roles?.includes(role))) return
  const message = roles
    ? `The user does not have the role ${accepted.join(' or ')}.`
    : 'The token names no roles. The API must list them in its registration at the login service.'
  throw new TokenError('insufficient_role', message)
}

/** The same for other claims. */
function requireClaims(claims: TokenClaims, { claims: required = {} }: Requirements): void {
  for (const [name, value] of Object.entries(required)) {
    const found = Object.hasOwn(claims, name) ? claims[name] : undefined
    // A required value that is undefined, such as a missing setting, is not that of any token.
    if (value === undefined || ![found].flat().includes(value)) {
      throw new TokenError('forbidden', `The token does not have the required value of ${name}.`)
    }
  }
}

function invalid(message: string, challenge: Challenge, cause?: unknown): TokenError {
  return new TokenError('invalid_token', message, { parameters: challenge, cause })
}

function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired.'
  const claim = error instanceof errors.JWTClaimValidationFailed ? error.claim : undefined
  return claim === 'aud' ? 'The token is not for this API.' : INVALID
}

/** What a token that was rejected says about its issuer, if it is another one. */
function foreignIssuer(token: string, issuer: string): string | undefined {
  try {
    const { iss = null } = decodeJwt(token)
    return iss === issuer ? undefined : JSON.stringify(iss).slice(0, MAX_LOGGED_LENGTH)
  } catch {
    return undefined
  }
}
