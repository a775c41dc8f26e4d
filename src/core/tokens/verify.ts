import {
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose'
import type { Config } from '../config/config.ts'
import { type Client, USER_ID_PREFIX } from '../registration-schemas/clients.ts'
import { apiScopes, mayUseAsMachine } from '../registrations/api-access.ts'
import { findApi } from '../registrations/find-api.ts'
import { findClient } from '../registrations/find-client.ts'
import { COPY_LIFETIME } from '../registrations/snapshot.ts'
import { isClientKnownAsRevoked, isClientRevoked } from '../revocations/client-revocations.ts'
import { UnavailableError } from '../storage/unavailable-error.ts'
import { RECENT, readKeyring } from './keyring.ts'
import { ALGORITHMS } from './keyring-object.ts'

/** Longer than any token we sign; anything longer is not worth parsing. */
const MAX_TOKEN_LENGTH = 8192

/** What all our access tokens contain. */
interface AccessTokenClaims {
  clientId: string
  scope: readonly string[]
  audience: readonly string[]
  claims: JWTPayload
}

/** An access token of a user, verified. */
export interface AccessToken extends AccessTokenClaims {
  userId: string
  grantId: string
}

/**
 * Verifies an access token of a user that has not expired. Whether its grant is still valid is for
 * the user's object to say. `maxKeyAge` is how old the copy of the keys may be, in milliseconds.
 */
export async function verifyAccessToken(
  env: Env,
  config: Config,
  token: string,
  maxKeyAge?: number,
): Promise<AccessToken | undefined> {
  const verified = await verifyAccessTokenClaims(env, config, token, maxKeyAge)
  if (!verified) return undefined
  const { sub = '', jti } = verified.claims
  if (!sub.startsWith(USER_ID_PREFIX)) return undefined
  const [grantId = ''] = String(jti).split('.')
  return { ...verified, userId: sub, grantId }
}

/**
 * Verifies an access token that a client has requested for itself, and that the client is still
 * enabled, has the credential that it used, and may use the API. Scopes that it may no longer have
 * are omitted.
 */
export async function verifyMachineToken(
  env: Env,
  config: Config,
  token: string,
  maxKeyAge?: number,
): Promise<AccessTokenClaims | undefined> {
  const verified = await verifyAccessTokenClaims(env, config, token, maxKeyAge)
  if (!verified || verified.claims.sub !== verified.clientId) return undefined
  const [identifier = ''] = verified.audience
  const client = await findClient(env, config, verified.clientId)
  const found = await findApi(env, config, identifier)
  const api = found.kind === 'found' ? found.api : undefined
  if (!client || !api || !mayUseAsMachine(client, api)) return undefined
  if (await isTokenRevoked(env, config, verified)) return undefined
  // It was issued to a deleted client that had the same id.
  if ((verified.claims.iat ?? 0) < (client.registeredAt ?? 0)) return undefined
  return { ...verified, scope: apiScopes(client, { apis: [api], scope: verified.scope }) }
}

/**
 * Whether a token is revoked because of its client, or of the credential that the client used: now,
 * or fifteen seconds ago at most, which needs no call of an object for most requests. While this
 * cannot be read, only tokens are accepted that were issued after the last change of the client,
 * which cannot be revoked.
 */
export async function isTokenRevoked(
  env: Env,
  config: Config,
  { clientId, claims }: Pick<AccessTokenClaims, 'clientId' | 'claims'>,
  when: 'now' | 'recently' = 'now',
): Promise<boolean> {
  try {
    return when === 'now'
      ? await isClientRevoked(env, clientId, claims)
      : await isClientKnownAsRevoked(env, config, { clientId, claims })
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    const client = await findClient(env, config, clientId)
    if (!client || mayBeRevoked(client, claims.iat ?? 0)) throw error
    const cause = String(error.cause)
    console.error(JSON.stringify({ event: 'revocations_unavailable', cause }))
    return false
  }
}

/**
 * Whether a token that was issued to a client at this time, in seconds since 1970, may be revoked
 * because of the client: a registration is changed after each revocation. Clients of the settings
 * change only with a deployment, which revokes nothing.
 */
function mayBeRevoked({ updatedAt = 0 }: Client, issuedAt: number): boolean {
  return issuedAt <= updatedAt + COPY_LIFETIME
}

async function verifyAccessTokenClaims(
  env: Env,
  config: Config,
  token: string,
  maxKeyAge?: number,
): Promise<AccessTokenClaims | undefined> {
  const verified = await verifyOwnToken(env, config, {
    token,
    options: { requiredClaims: ['exp'] },
    maxKeyAge,
  })
  if (!verified) return undefined
  const { protectedHeader, payload } = verified
  const isAccessToken = protectedHeader.typ === 'at+jwt' || payload['token_use'] === 'access'
  if (!isAccessToken) return undefined
  return {
    clientId: String(payload['client_id']),
    scope: String(payload['scope'] ?? '').split(' '),
    audience: [payload.aud ?? []].flat(),
    claims: payload,
  }
}

/** An ID token of ours that a client presents as a hint. */
export interface IdTokenHint {
  subject: string
  clientId: string
  sid: string
}

/** Verifies an ID token of ours, which may have expired (OpenID Connect Core §3.1.2.2). */
export async function verifyIdTokenHint(
  env: Env,
  config: Config,
  token: string,
): Promise<IdTokenHint | undefined> {
  const verified = await verifyOwnToken(env, config, {
    token,
    options: { clockTolerance: Number.MAX_SAFE_INTEGER, typ: 'JWT' },
  })
  // Session, access and userinfo tokens say what they are; ID tokens do not.
  if (!verified || verified.payload['token_use'] !== undefined) return undefined
  const { sub, aud, sid } = verified.payload
  return { subject: String(sub), clientId: String(aud), sid: String(sid) }
}

async function verifyOwnToken(
  env: Env,
  config: Config,
  {
    token,
    options,
    maxKeyAge,
  }: { token: string; options: JWTVerifyOptions; maxKeyAge?: number | undefined },
): Promise<JWTVerifyResult | undefined> {
  if (token.length > MAX_TOKEN_LENGTH) return undefined
  try {
    return await jwtVerify(token, verificationKey(env, config, maxKeyAge), {
      issuer: config.issuer,
      algorithms: [...ALGORITHMS],
      ...options,
    })
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

/** Selects the key that a token names. */
function verificationKey(env: Env, config: Config, maxKeyAge?: number): JWTVerifyGetKey {
  return async (header, token) => {
    const { verificationKey } = await readKeyring(env, config, maxKeyAge)
    try {
      return await verificationKey(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
    }
    // New keys sign at once after a revocation, perhaps before this isolate has read them.
    const recent = await readKeyring(env, config, RECENT)
    return recent.verificationKey(header, token)
  }
}
