import { seconds } from '../clock.ts'
import type { Client } from '../config/clients.ts'
import type { Config } from '../config/config.ts'
import { encodeBase64url } from '../crypto/base64url.ts'
import { randomSecret, sha256 } from '../crypto/random.ts'
import { ACCESS_LIFETIME, type GrantTerms } from '../grants/grant.ts'
import type { Session } from '../users/session.ts'
import { claimsOf, type UserRecord } from '../users/user.ts'
import { type Algorithm, signJwt } from './jwk.ts'
import { readKeyring } from './keyring.ts'

/** As long as an API may go on believing in a session that has ended. */
const SESSION_TOKEN_LIFETIME = 300 // seconds

/**
 * The person as a JWT that any API verifies through our JWKS. `aud` is the app it was made for, or this
 * service; `token_use` tells it from every other token we will ever sign.
 */
export async function mintSessionToken(
  env: Env,
  config: Config,
  session: Session,
  audience: string | undefined,
): Promise<string> {
  const { kid, key } = (await readKeyring(env, config)).signingKey('ES256')
  const now = seconds()
  return signJwt(
    { alg: 'ES256', typ: 'JWT', kid },
    {
      iss: config.issuer,
      sub: session.user.id,
      aud: audience ?? config.issuer,
      iat: now,
      exp: now + SESSION_TOKEN_LIFETIME,
      auth_time: session.authenticatedAt,
      sid: session.sid,
      token_use: 'session',
      ...claimsOf(session.user),
    },
    key,
  )
}

/** Long enough for a client to look at it; it is not a session. */
const ID_TOKEN_LIFETIME = 3600 // seconds

/** What the tokens of a grant are made of. */
export interface Minting {
  client: Client
  grantId: string
  terms: GrantTerms
  user: UserRecord
  scope: readonly string[]
  resources: readonly string[]
}

/** {@link https://www.rfc-editor.org/rfc/rfc9068#section-2} */
export async function mintAccessToken(env: Env, config: Config, minting: Minting): Promise<string> {
  const { client, grantId, terms, user, scope, resources } = minting
  const { kid, key } = (await readKeyring(env, config)).signingKey('ES256')
  const now = seconds()
  const audience = [
    ...resources,
    ...(scope.includes('openid') || resources.length === 0 ? [config.issuer] : []),
  ]
  const typ = client.access_token_type
  return signJwt(
    { alg: 'ES256', typ, kid },
    {
      iss: config.issuer,
      sub: user.id,
      aud: audience.length === 1 ? audience[0] : audience,
      client_id: client.client_id,
      iat: now,
      exp: now + ACCESS_LIFETIME,
      jti: `${grantId}.${randomSecret().slice(0, 22)}`,
      scope: scope.join(' '),
      auth_time: terms.authenticatedAt,
      sid: terms.sid,
      // Where the type does not tell it from an ID token, this does.
      ...(typ === 'JWT' && { token_use: 'access' }),
    },
    key,
  )
}

/** {@link https://openid.net/specs/openid-connect-core-1_0.html#IDToken} */
export async function mintIdToken(
  env: Env,
  config: Config,
  minting: Minting,
  more: { nonce?: string | undefined; accessToken: string; claims: Record<string, unknown> },
): Promise<string> {
  const { client, terms, user } = minting
  const alg = client.id_token_signed_response_alg
  const { kid, key } = (await readKeyring(env, config)).signingKey(alg)
  const now = seconds()
  return signJwt(
    { alg, typ: 'JWT', kid },
    {
      ...more.claims,
      iss: config.issuer,
      sub: user.id,
      aud: client.client_id,
      iat: now,
      exp: now + ID_TOKEN_LIFETIME,
      auth_time: terms.authenticatedAt,
      sid: terms.sid,
      acr: ACR,
      at_hash: await halfHash(more.accessToken),
      ...(more.nonce !== undefined && { nonce: more.nonce }),
    },
    key,
  )
}

/** How people are authenticated here: by somebody else, whom we believe. */
export const ACR = 'federated'

/** {@link https://openid.net/specs/openid-connect-core-1_0.html#CodeIDToken}: both algorithms hash with SHA-256. */
async function halfHash(token: string): Promise<string> {
  return encodeBase64url(new Uint8Array(await sha256(token), 0, 16))
}

/** Signs whatever a client wants signed, for it. */
export async function mintForClient(
  env: Env,
  config: Config,
  alg: Algorithm,
  claims: Record<string, unknown>,
  typ = 'JWT',
): Promise<string> {
  const { kid, key } = (await readKeyring(env, config)).signingKey(alg)
  return signJwt({ alg, typ, kid }, { iss: config.issuer, ...claims }, key)
}

/** A logout token is used at once, or not at all. */
const LOGOUT_TOKEN_LIFETIME = 120 // seconds

/** {@link https://openid.net/specs/openid-connect-backchannel-1_0.html#LogoutToken} */
export function mintLogoutToken(
  env: Env,
  config: Config,
  client: Client,
  about: { sub: string; sid: string },
): Promise<string> {
  const now = seconds()
  const claims = {
    aud: client.client_id,
    iat: now,
    exp: now + LOGOUT_TOKEN_LIFETIME,
    jti: randomSecret(),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    ...about,
  }
  return mintForClient(env, config, client.id_token_signed_response_alg, claims, 'logout+jwt')
}
