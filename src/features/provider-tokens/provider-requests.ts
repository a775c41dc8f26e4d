import * as oauth from 'oauth4webapi'
import { authorizationServer } from '../../core/upstream/authorization-server.ts'
import type { ResolvedProvider } from '../../core/upstream/resolved-provider.ts'
import {
  accountIdFromTokens,
  issuingServer,
  requestOptions,
  requestTokens,
  verifyIdToken,
  withEachSecret,
  withExpiry,
} from '../../core/upstream/token-endpoint.ts'
import { invalidResponse } from '../../core/upstream/upstream-error.ts'
import type { TokenSet } from '../../provider-interface/oauth-types.ts'

/** Whose tokens are refreshed, as the sign-in determined it. */
interface TokenOwner {
  /** As token responses have it. */
  accountId: string
  /** The `sub` of the ID token, if there was one. */
  subject: string | undefined
}

/**
 * Exchanges a refresh token. The provider may invalidate it, so the response must be stored. Tokens
 * of another user than the owner are rejected (OpenID Connect Core §12.2).
 */
export async function refreshTokens(
  provider: ResolvedProvider,
  refreshToken: string,
  owner: TokenOwner,
): Promise<TokenSet> {
  const server = await authorizationServer(provider)
  const response = await requestTokens(provider, server, (clientAuth, options) =>
    oauth.refreshTokenGrantRequest(server, provider.client, clientAuth, refreshToken, options),
  )
  // Also checks the issuer, audience and expiry of an ID token.
  const issuer = await issuingServer(provider, server, response)
  const tokens = await oauth.processRefreshTokenResponse(issuer, provider.client, response)
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  if (claims && provider.type === 'oidc') {
    await verifyIdToken(provider, issuer, { response, tokens })
    if (claims.sub !== (owner.subject ?? owner.accountId)) {
      throw invalidResponse('The refreshed ID token has another subject.')
    }
  }
  const accountId = await accountIdFromTokens(provider, tokens)
  if (accountId !== undefined && accountId !== owner.accountId) {
    throw invalidResponse('The refreshed tokens belong to another account.')
  }
  return withExpiry(tokens)
}

/** Revokes a token (RFC 7009), if the provider has a revocation endpoint. */
export async function revokeToken(provider: ResolvedProvider, token: string): Promise<void> {
  const server = await authorizationServer(provider)
  if (!server.revocation_endpoint) return
  const options = requestOptions(provider)
  const response = await withEachSecret(provider, server, (clientAuth) =>
    oauth.revocationRequest(server, provider.client, clientAuth, token, options),
  )
  await oauth.processRevocationResponse(response)
}
