import { base64url, type JWTPayload, SignJWT } from 'jose'
import { sha256 } from '../../foundation/crypto/digest.ts'
import { randomId, randomSecret } from '../../foundation/crypto/random.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import type { Config } from '../config/config.ts'
import { ID_TOKEN_LIFETIME, LOGOUT_TOKEN_LIFETIME } from '../config/lifetimes.ts'
import type { Api } from '../registration-schemas/apis.ts'
import type { AuthenticatedClient, Client } from '../registration-schemas/clients.ts'
import { clientSessionId } from '../revocations/revocation.ts'
import { LIST_LIFETIME } from '../revocations/revocation-list.ts'
import { accessTokenAudience, accessTokenHeader, accessTokenLifetime } from './access-token.ts'
import { type AuthenticationMethods, acrOf } from './acr.ts'
import { RECENT, readKeyring } from './keyring.ts'
import type { Algorithm } from './keyring-object.ts'

/** Who is signed in, since when, how, and in which session. */
interface Authentication {
  userId: string
  sid: string
  /** Absent if it is not known since when and how. */
  authenticatedAt: number | undefined
  amr?: AuthenticationMethods
  /** The value of `acr`, if a step has added methods. */
  acr?: string | undefined
}

/**
 * {@link https://www.rfc-editor.org/rfc/rfc9068#section-2.2.1}, the same in all tokens of a user.
 */
function authenticationClaims({ authenticatedAt, amr, acr }: Authentication) {
  if (authenticatedAt === undefined) return {}
  return {
    auth_time: authenticatedAt,
    acr: acrOf({ amr, acr }),
    ...(amr && { amr }),
  }
}

/**
 * The session as a JWT that any API can verify with our JWKS. `aud` is the app it was requested
 * for, or this service; `token_use` distinguishes it from every other token we sign.
 */
export async function signSessionToken(
  env: Env,
  config: Config,
  session: Authentication & { audience: string | undefined; claims: JWTPayload },
): Promise<string> {
  return issue(env, config, {
    alg: 'ES256',
    typ: 'JWT',
    lifetime: config.lifetimes.sessionToken,
    claims: {
      ...session.claims,
      sub: session.userId,
      aud: session.audience ?? config.issuer,
      ...authenticationClaims(session),
      sid: session.sid,
      token_use: 'session',
    },
  })
}

/** What an access token contains. */
interface AccessTokenContent extends Authentication {
  client: AuthenticatedClient
  grantId: string
  scope: readonly string[]
  resources: readonly string[]
  /** Those of the resources that are registered. */
  apis: readonly Api[]
  lifetime: number // seconds
  /** The claims that the deployment adds. */
  claims: JWTPayload
}

/** {@link https://www.rfc-editor.org/rfc/rfc9068#section-2} */
export async function signAccessToken(
  env: Env,
  config: Config,
  content: AccessTokenContent,
): Promise<string> {
  const { client, grantId, scope, resources, sid } = content
  const header = accessTokenHeader(content.apis, resources)
  const part = await clientSessionId({ clientId: client.client_id, sid })
  return issue(env, config, {
    ...header,
    lifetime: content.lifetime,
    claims: {
      ...content.claims,
      sub: content.userId,
      aud: accessTokenAudience(config, content.apis, content),
      client_id: client.client_id,
      jti: [grantId, randomId('tok'), part, client.credentialId ?? []].flat().join('.'),
      ...confirmation(client),
      scope: scope.join(' '),
      ...authenticationClaims(content),
      sid,
      // Without the type `at+jwt`, this distinguishes it from an ID token.
      ...(header.typ === 'JWT' && { token_use: 'access' }),
    },
  })
}

/**
 * {@link https://www.rfc-editor.org/rfc/rfc9068#section-2.2}: an access token that a client has
 * requested for itself. Its `sub` is the client, which is never the id of a user.
 */
export async function signMachineToken(
  env: Env,
  config: Config,
  { client, api, scope }: { client: AuthenticatedClient; api: Api; scope: readonly string[] },
): Promise<string> {
  const header = accessTokenHeader([api], [api.identifier])
  return issue(env, config, {
    ...header,
    lifetime: accessTokenLifetime(config, [api], [api.identifier]),
    claims: {
      sub: client.client_id,
      aud: api.identifier,
      client_id: client.client_id,
      jti: [client.credentialId ?? [], randomId('tok')].flat().join('.'),
      ...confirmation(client),
      scope: scope.join(' '),
      ...(header.typ === 'JWT' && { token_use: 'access' }),
    },
  })
}

/** {@link https://www.rfc-editor.org/rfc/rfc9449#section-6.1} */
function confirmation({ key }: AuthenticatedClient) {
  return key && { cnf: { jkt: key.thumbprint } }
}

/** What an ID token contains. */
interface IdTokenContent extends Authentication {
  client: Client
  nonce: string | undefined
  accessToken: string
  claims: JWTPayload
}

/** {@link https://openid.net/specs/openid-connect-core-1_0.html#IDToken} */
export async function signIdToken(
  env: Env,
  config: Config,
  content: IdTokenContent,
): Promise<string> {
  const { client, nonce } = content
  return issue(env, config, {
    alg: client.id_token_signed_response_alg,
    typ: 'JWT',
    lifetime: ID_TOKEN_LIFETIME,
    claims: {
      ...content.claims,
      sub: content.userId,
      aud: client.client_id,
      ...authenticationClaims(content),
      sid: content.sid,
      at_hash: await accessTokenHash(content.accessToken),
      ...(nonce !== undefined && { nonce }),
    },
  })
}

/**
 * {@link https://openid.net/specs/openid-connect-core-1_0.html#CodeIDToken}: both our algorithms
 * use SHA-256.
 */
async function accessTokenHash(accessToken: string): Promise<string> {
  return base64url.encode((await sha256(accessToken)).subarray(0, 16))
}

/** {@link https://openid.net/specs/openid-connect-core-1_0.html#UserInfoResponse} */
export async function signUserinfo(
  env: Env,
  config: Config,
  content: { alg: Algorithm; clientId: string; claims: JWTPayload },
): Promise<string> {
  return sign(env, config, {
    alg: content.alg,
    typ: 'JWT',
    claims: {
      ...content.claims,
      iss: config.issuer,
      aud: content.clientId,
      token_use: 'userinfo',
    },
  })
}

/** {@link https://openid.net/specs/openid-connect-backchannel-1_0.html#LogoutToken} */
export async function signLogoutToken(
  env: Env,
  config: Config,
  content: { client: Client; userId: string; sid: string },
): Promise<string> {
  return issue(env, config, {
    alg: content.client.id_token_signed_response_alg,
    typ: 'logout+jwt',
    lifetime: LOGOUT_TOKEN_LIFETIME,
    claims: {
      sub: content.userId,
      sid: content.sid,
      aud: content.client.client_id,
      jti: randomSecret(),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    },
  })
}

/**
 * A list of revocations. It is signed with a key that was active a few seconds ago: from a key that
 * they do not know, verifiers learn that the former ones were revoked.
 */
export async function signRevocations(
  env: Env,
  config: Config,
  { claims, issuedAt }: { claims: JWTPayload; issuedAt: number },
): Promise<string> {
  return sign(env, config, {
    alg: 'ES256',
    typ: 'revocations+jwt',
    claims: {
      iss: config.issuer,
      iat: issuedAt,
      exp: issuedAt + LIST_LIFETIME,
      ...claims,
    },
    maxKeyAge: RECENT,
  })
}

/** Signs a token that is valid from now on. No other claims replace its issuer and its times. */
async function issue(
  env: Env,
  config: Config,
  { lifetime, claims, ...header }: Token & { lifetime: number },
): Promise<string> {
  const iat = nowInSeconds()
  const times = { iat, exp: iat + lifetime }
  return sign(env, config, { ...header, claims: { ...claims, iss: config.issuer, ...times } })
}

interface Token {
  alg: Algorithm
  typ: string
  claims: JWTPayload
  /** How old the copy of the keyring may be, in milliseconds. */
  maxKeyAge?: number
}

async function sign(
  env: Env,
  config: Config,
  { alg, typ, claims, maxKeyAge }: Token,
): Promise<string> {
  const { kid, key } = (await readKeyring(env, config, maxKeyAge)).signingKey(alg)
  return new SignJWT(claims).setProtectedHeader({ alg, typ, kid }).sign(key)
}
