import { decodeJwt, decodeProtectedHeader, errors } from 'jose'
import * as oauth from 'oauth4webapi'
import type { AppContext } from '../../core/http/app-env.ts'
import type { Client } from '../../core/registration-schemas/clients.ts'
import { authorizationServer } from '../../core/upstream/authorization-server.ts'
import { type IdentifiedUser, readUser } from '../../core/upstream/identify-user.ts'
import type { ResolvedProvider } from '../../core/upstream/resolved-provider.ts'
import { issuingServer, verifySignature } from '../../core/upstream/token-endpoint.ts'
import { translateUpstreamError } from '../../core/upstream/upstream-error.ts'
import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { isOurNonce, isSameNonce } from './challenge.ts'
import { readAppIds, requiresNonce } from './settings.ts'
import { toOAuthError } from './sign-in.ts'

/** The SDK has just received it. */
const MAX_AGE = 300 // seconds

/** Tolerance for differences between the provider's clock and ours. */
const CLOCK_SKEW = 60 // seconds

/** What an app presents. */
interface PresentedToken {
  idToken: string
  nonce: string | undefined
}

/** A user whom an ID token identifies. */
interface VerifiedIdToken {
  identified: IdentifiedUser
  /** The part of the token that can be used once, or the nonce, which only this token has. */
  usedOnce: string
}

/**
 * Verifies an ID token that the provider's SDK has returned to an app, with the rules for one that
 * a token endpoint returns, and those for what it is for and how old it is.
 */
export async function verifyIdToken(
  c: AppContext,
  client: Client,
  provider: ResolvedProvider,
  { idToken, nonce }: PresentedToken,
): Promise<VerifiedIdToken> {
  const { aud, azp, nonce: claimedNonce } = decode(idToken)
  const audience = requireApp(readAppIds(c.get('config'), provider.id), provider, { aud, azp })
  await requireNonce(c, client, provider, { nonce, claimedNonce })
  const claims = await verify(provider, idToken, { audience, claimedNonce })
  const { iat } = claims
  const now = nowInSeconds()
  if (iat < now - MAX_AGE || iat > now + CLOCK_SKEW) throw rejected('is not from the last minutes')
  const tokens = { id_token: idToken }
  const { user, profile } = await readUser(provider, tokens, claims)
  return {
    identified: {
      accountId: user.id,
      tokens,
      authenticatedAt: claims.auth_time,
      user,
      profile,
    },
    // A signature can be encoded in several ways, so it does not identify the token.
    usedOnce: nonce ?? idToken.slice(0, idToken.lastIndexOf('.')),
  }
}

/** An ID token has no type of its own: most providers set `JWT`, others nothing. */
const ID_TOKEN_TYPES = ['JWT', 'APPLICATION/JWT']

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/

type Claims = Partial<Record<'aud' | 'azp' | 'nonce', unknown>>

/** The claims of a token that is not verified yet. */
function decode(idToken: string): Claims {
  if (!JWT.test(idToken)) throw rejected('is not a JWT')
  const [{ typ = 'JWT' }, claims] = decodeParts(idToken)
  // RFC 8725 §3.11: other tokens of the provider may have the same claims.
  if (!ID_TOKEN_TYPES.includes(String(typ).toUpperCase())) throw rejected('is not an ID token')
  return claims
}

function decodeParts(idToken: string) {
  try {
    return [decodeProtectedHeader(idToken), decodeJwt<Claims>(idToken)] as const
  } catch (error) {
    // What is wrong with a header is reported as a TypeError.
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw rejected('is not a JWT')
    throw error
  }
}

/**
 * Returns the audience. The token must be for an app that the settings list: `azp`, if it has one,
 * otherwise `aud`. On Android, `aud` is the client of this service, and `azp` the app.
 */
function requireApp(
  appIds: readonly string[],
  { clientId }: ResolvedProvider,
  { aud, azp }: Claims,
): string {
  const audiences = [aud].flat()
  const known = [clientId, ...appIds]
  const isKnown = (id: unknown) => typeof id === 'string' && known.includes(id)
  const [audience] = audiences
  const app = azp ?? audience
  const isForApp = typeof app === 'string' && appIds.includes(app)
  if (!isForApp || audiences.length !== 1 || !isKnown(audience)) {
    throw rejected('is not for an app in the settings of the provider')
  }
  return String(audience)
}

async function requireNonce(
  c: AppContext,
  client: Client,
  { id }: ResolvedProvider,
  { nonce, claimedNonce }: { nonce: string | undefined; claimedNonce: unknown },
): Promise<void> {
  if (nonce === undefined && claimedNonce === undefined) {
    if (!requiresNonce(c.get('config'), id)) return
    throw rejected('has no nonce: request one at /oidc/challenge, and pass it to the SDK')
  }
  const isExpected =
    nonce !== undefined &&
    (await isOurNonce(c, client, nonce)) &&
    (await isSameNonce(claimedNonce, nonce))
  if (!isExpected) throw rejected('has another nonce, or the nonce has expired')
}

/** Verifies the issuer, the audience, the times and the signature. */
async function verify(
  provider: ResolvedProvider,
  idToken: string,
  { audience, claimedNonce }: { audience: string; claimedNonce: unknown },
): Promise<oauth.IDToken> {
  // As in a token response, which has an access token too.
  const response = Response.json({ access_token: '-', token_type: 'bearer', id_token: idToken })
  try {
    const server = await authorizationServer(provider)
    const issuer = await issuingServer(provider, server, response)
    const expected = { ...provider.client, client_id: audience }
    const result = await oauth.processAuthorizationCodeResponse(issuer, expected, response, {
      requireIdToken: true,
      expectedNonce: typeof claimedNonce === 'string' ? claimedNonce : oauth.expectNoNonce,
    })
    await verifySignature(provider, issuer, response)
    const claims = oauth.getValidatedIdTokenClaims(result)
    if (!claims) throw rejected('has no claims')
    return claims
  } catch (cause) {
    if (cause instanceof OAuthError) throw cause
    const error = translateUpstreamError(cause)
    if (error.code !== 'provider_invalid') throw toOAuthError(error)
    throw rejected('is not a valid ID token of the provider', cause)
  }
}

function rejected(reason: string, cause?: unknown): OAuthError {
  return new OAuthError('invalid_grant', `subject_token ${reason}.`, { cause })
}
