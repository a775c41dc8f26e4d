import type { Client } from '../config/clients.ts'
import { digest } from '../crypto/random.ts'
import { OAuthError } from '../errors.ts'
import { ACCESS_LIFETIME, type GrantTerms } from '../grants/grant.ts'
import type { Redeemed, Rotated } from '../grants/grants.ts'
import { makeHandle, type OpenedHandle, openHandle } from '../grants/handle.ts'
import type { AppContext } from '../http/app-env.ts'
import { note } from '../http/request-log.ts'
import { readKeyring } from '../tokens/keyring.ts'
import { mintAccessToken, mintIdToken } from '../tokens/sign.ts'
import { claimsOf, type UserRecord } from '../users/user.ts'
import { userObject } from '../users/user-object.ts'
import { claimsFor } from './claims.ts'
import { authenticateClient } from './client-authentication.ts'
import { decide } from './decide.ts'
import { readForm } from './form.ts'
import { exchangeToken, TOKEN_EXCHANGE } from './token-exchange.ts'

/** {@link https://www.rfc-editor.org/rfc/rfc6749#section-3.2} */
export async function token(c: AppContext): Promise<Response> {
  const form = await readForm(c)
  const client = await authenticateClient(c, form)
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return c.json(await redeemCode(c, client, form))
    case 'refresh_token':
      return c.json(await refresh(c, client, form))
    case TOKEN_EXCHANGE:
      return c.json(await exchangeToken(c, client, form))
    case null:
      throw new OAuthError('invalid_request', 'grant_type is missing.')
    default:
      throw new OAuthError('unsupported_grant_type', 'This grant_type is not supported.')
  }
}

async function redeemCode(c: AppContext, client: Client, form: URLSearchParams) {
  const code = form.get('code')
  const verifier = form.get('code_verifier')
  if (!code) throw new OAuthError('invalid_request', 'code is missing.')
  if (verifier !== null && !/^[\w.~-]{43,128}$/.test(verifier)) {
    throw new OAuthError('invalid_request', 'code_verifier is malformed.')
  }
  const handle = await open(c, 'code', code)
  const challenge = verifier === null ? undefined : await digest(verifier)
  const resources = [...new Set(form.getAll('resource'))]
  const result = await decide(async () =>
    userObject(c.env, handle.userId).redeemCode({
      grantId: handle.grantId,
      key: handle.key,
      clientId: client.client_id,
      redirectUri: form.get('redirect_uri') ?? undefined,
      challenge,
      resources,
      limits: { scope: client.scope, resources: client.resources },
    }),
  )
  const { terms, user } = accepted(c, client, handle, result)
  return issue(c, {
    client,
    handle,
    terms,
    user,
    resources,
    scope: terms.scope,
    generation: 1,
    nonce: terms.nonce,
  })
}

async function refresh(c: AppContext, client: Client, form: URLSearchParams) {
  const shown = form.get('refresh_token')
  if (!shown) throw new OAuthError('invalid_request', 'refresh_token is missing.')
  if (!client.scope.includes('offline_access')) throw new OAuthError('invalid_grant', GRANT_REFUSED)
  const handle = await open(c, 'refresh', shown)
  const resources = [...new Set(form.getAll('resource'))]
  const scope = [...new Set(form.get('scope')?.split(' ').filter(Boolean))]
  const result = await decide(async () =>
    userObject(c.env, handle.userId).rotateRefreshToken({
      grantId: handle.grantId,
      key: handle.key,
      generation: handle.generation,
      clientId: client.client_id,
      resources,
      scope,
      limits: { scope: client.scope, resources: client.resources },
    }),
  )
  const { terms, user, generation = 1 } = accepted(c, client, handle, result)
  const narrowed = scope.length > 0 ? scope : terms.scope
  return issue(c, {
    client,
    handle,
    terms,
    user,
    resources,
    scope: narrowed,
    generation,
    nonce: undefined,
  })
}

interface Issuing {
  client: Client
  handle: OpenedHandle & { secret: string }
  terms: GrantTerms
  user: UserRecord
  resources: readonly string[]
  scope: readonly string[]
  generation: number
  nonce: string | undefined
}

/** {@link https://openid.net/specs/openid-connect-core-1_0.html#TokenResponse} */
async function issue(c: AppContext, issuing: Issuing) {
  const { client, handle, terms, user, scope, generation, nonce } = issuing
  const config = c.get('config')
  const resources = issuing.resources.length > 0 ? issuing.resources : terms.resources
  const minting = { client, grantId: handle.grantId, terms, user, scope, resources }
  const accessToken = await mintAccessToken(c.env, config, minting)
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: ACCESS_LIFETIME,
    scope: scope.join(' '),
    ...(scope.includes('openid') && {
      id_token: await mintIdToken(c.env, config, minting, {
        nonce,
        accessToken,
        claims: claimsFor(claimsOf(user), client.id_token_claims === 'full' ? scope : [], {
          names: terms.claims.id_token,
          client,
        }),
      }),
    }),
    ...(terms.scope.includes('offline_access') && {
      refresh_token: await makeHandle(config, 'refresh', { ...handle, generation }),
    }),
  }
}

/** Garbage ends here, before any storage is asked; and so does everything while there is no key to sign with. */
async function open(c: AppContext, kind: 'code' | 'refresh', shown: string) {
  await decide(() => readKeyring(c.env, c.get('config')))
  const handle = await openHandle(c.get('config'), kind, shown)
  if (!handle) throw new OAuthError('invalid_grant', GRANT_REFUSED)
  return handle
}

/** One text for every reason, so that nobody learns from it. */
const GRANT_REFUSED = 'The grant is invalid, expired, used or of another client.'

function accepted(
  c: AppContext,
  client: Client,
  { userId }: OpenedHandle,
  result: (Redeemed | Rotated) & { user?: UserRecord | undefined },
): { terms: GrantTerms; user: UserRecord; generation?: number } {
  if (!('refused' in result) && result.user) {
    return { ...result, user: result.user, terms: asRegistered(client, result.terms) }
  }
  const reason = 'refused' in result ? result.refused : 'unknown'
  if (reason === 'replayed') note(c, { event: 'grant_replayed', userId })
  if (reason === 'target') throw new OAuthError('invalid_target', 'That resource was not granted.')
  if (reason === 'scope') throw new OAuthError('invalid_scope', 'That scope was not granted.')
  throw new OAuthError('invalid_grant', GRANT_REFUSED)
}

/** The terms as far as the client may still have them: its registration may have been narrowed since. */
function asRegistered(client: Client, terms: GrantTerms): GrantTerms {
  return {
    ...terms,
    scope: terms.scope.filter((one) => client.scope.includes(one)),
    resources: terms.resources.filter((one) => client.resources.includes(one)),
  }
}
