import { customClaims, mergeClaims } from '../callbacks/claims.ts'
import { type ClaimsKind, toCallbackClient } from '../config/callbacks.ts'
import type { GrantTerms } from '../grants/grant.ts'
import { createHandle, type OpenedHandle } from '../grants/handle.ts'
import type { AppContext } from '../http/app-env.ts'
import type { Api } from '../registration-schemas/apis.ts'
import type { AuthenticatedClient } from '../registration-schemas/clients.ts'
import { userScopes } from '../registrations/api-access.ts'
import { findUserApis } from '../registrations/find-api.ts'
import { accessTokenLifetime } from '../tokens/access-token.ts'
import { BOUND, type TokenScheme } from '../tokens/presented-token.ts'
import { signAccessToken, signIdToken } from '../tokens/sign.ts'
import { type AccountSummary, toCallbackAccount } from '../users/upstream-account.ts'
import type { UserRecord } from '../users/user.ts'
import { findBoundTokens } from './bound-tokens.ts'
import { accountClaims, selectClaims, userClaims } from './claims.ts'

/** The tokens to issue for a grant. */
export interface Issuance {
  client: AuthenticatedClient
  /** The refresh token to issue. */
  handle: OpenedHandle
  /** Whether the client has this refresh token already, so that it is not sent again. */
  keepsRefreshToken?: boolean
  terms: GrantTerms
  user: UserRecord
  /** Present if the deployment's claims depend on it. */
  account: AccountSummary | undefined
  /** The scope of the access token, which may be smaller than the grant's. */
  scope: readonly string[]
  /** The APIs that the access token is for; undefined means all that were granted. */
  resources: readonly string[] | undefined
  nonce: string | undefined
}

/** {@link https://openid.net/specs/openid-connect-core-1_0.html#TokenResponse} */
export async function issueTokens(c: AppContext, issuance: Issuance) {
  const { client, handle, user, nonce } = issuance
  const config = c.get('config')
  const { terms, resources, apis, scope } = await limitToRegistrations(c, issuance)
  findBoundTokens(config)?.requireAllowed(client, apis)
  const authentication = {
    userId: user.id,
    sid: terms.sid,
    authenticatedAt: terms.authenticatedAt,
    amr: terms.amr,
    acr: terms.acr,
  }
  // What ends with the grant is listed in the revocation feed for as long as the grant provides.
  const lifetime = Math.min(accessTokenLifetime(config, apis, resources), terms.accessTokenLifetime)
  const isOpenId = scope.includes('openid')
  const [accessTokenClaims, idTokenClaims] = await Promise.all([
    tokenClaims(c, { ...issuance, scope, apis }, 'access_token'),
    isOpenId ? tokenClaims(c, { ...issuance, scope }, 'id_token') : {},
  ])
  const accessToken = await signAccessToken(c.env, config, {
    ...authentication,
    client,
    grantId: handle.grantId,
    scope,
    resources,
    apis,
    lifetime,
    claims: accessTokenClaims,
  })
  const profileScope = client.id_token_claims === 'full' ? scope : []
  const requestedClaims = { names: terms.claims.id_token, client }
  return {
    access_token: accessToken,
    token_type: tokenType(client),
    expires_in: lifetime,
    ...(scope.length > 0 && { scope: scope.join(' ') }),
    ...(isOpenId && {
      id_token: await signIdToken(c.env, config, {
        ...authentication,
        client,
        nonce,
        accessToken,
        claims: mergeClaims(
          selectClaims(
            { ...userClaims(user, client), ...accountClaims(issuance.account) },
            profileScope,
            requestedClaims,
          ),
          idTokenClaims,
        ),
      }),
    }),
    ...(terms.scope.includes('offline_access') &&
      !issuance.keepsRefreshToken && {
        refresh_token: await createHandle(config, 'refresh', handle),
      }),
  }
}

/** How the client has to send the access token. */
export function tokenType({ key }: AuthenticatedClient): TokenScheme {
  return key ? BOUND : 'Bearer'
}

/** The claims that the deployment adds to a token. */
function tokenClaims(
  c: AppContext,
  { client, user, account, scope, apis }: Issuance & { apis?: readonly Api[] },
  kind: ClaimsKind,
): Promise<Record<string, unknown>> {
  return customClaims(c.get('config'), {
    user: { ...user },
    account: account && toCallbackAccount(account),
    client: toCallbackClient(client),
    scope: [...scope],
    kind,
    apis,
  })
}

/** The registrations of the client and of the APIs may have been narrowed since the grant. */
async function limitToRegistrations(c: AppContext, { client, terms, ...requested }: Issuance) {
  const config = c.get('config')
  const granted = await findUserApis(c.env, config, { client, resources: terms.resources })
  const resources = requested.resources ?? granted.resources
  const apis = granted.apis.filter(({ identifier }) => resources.includes(identifier))
  return {
    terms: { ...terms, scope: terms.scope.filter((scope) => client.scope.includes(scope)) },
    resources,
    apis,
    scope: userScopes(client, { apis, scope: requested.scope }),
  }
}
