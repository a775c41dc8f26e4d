import type { JWTPayload } from 'jose'
import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import type { Config } from '../config/config.ts'
import type { AppContext } from '../http/app-env.ts'
import { type Client, isPublicClient } from '../registration-schemas/clients.ts'
import { findApi } from '../registrations/find-api.ts'
import { findClient } from '../registrations/find-client.ts'
import { BOUND } from '../tokens/presented-token.ts'
import { verifyMachineToken } from '../tokens/verify.ts'
import { callUserObject } from '../users/user-object.ts'
import { isIssuedTo, readValidGrant } from './bearer.ts'
import { authenticateClient } from './client-authentication.ts'
import type { IntrospectedClaims } from './feature-members.ts'
import { readClientForm } from './form.ts'
import { grantReader, limitByGrant, type PresentedGrant } from './presented-grant.ts'
import { isEndedByStep } from './steps-of-grant.ts'

/**
 * {@link https://www.rfc-editor.org/rfc/rfc7662}: for the client that a token was issued to, and
 * clients that are the credential of the API it is for.
 */
export async function introspect(c: AppContext): Promise<Response> {
  const form = await readClientForm(c)
  const presented = form.get('token') ?? ''
  const readGrant = grantReader(c, presented)
  const caller = await authenticateCaller(c, form, readGrant)
  const grant = await readGrant()
  const refreshToken = await describeRefreshToken(c, caller, grant)
  if (refreshToken) return c.json({ active: true, ...refreshToken })
  const claims =
    (await userTokenClaims(c, caller, grant)) ?? (await machineTokenClaims(c, caller, presented))
  if (!claims) return c.json({ active: false })
  const { iss, sub, aud, exp, iat, jti, client_id, scope, auth_time, acr, amr } = claims
  const { cnf, roles } = claims
  return c.json({
    active: true,
    token_type: cnf === undefined ? 'Bearer' : BOUND,
    iss,
    sub,
    aud,
    exp,
    iat,
    jti,
    client_id,
    scope,
    // RFC 9449 §6.2; absent if it is not bound to a key.
    cnf,
    // RFC 9470 §6.2; absent for a machine.
    auth_time,
    acr,
    amr,
    roles,
  })
}

async function authenticateCaller(
  c: AppContext,
  form: URLSearchParams,
  readGrant: () => Promise<PresentedGrant>,
): Promise<Client> {
  const client = await authenticateClient(c, form, () => limitByGrant(c, readGrant))
  if (isPublicClient(client)) {
    throw new OAuthError('unauthorized_client', 'Public clients cannot introspect tokens.')
  }
  return client
}

function mayIntrospect(
  caller: Client,
  { clientId, audience }: { clientId: string; audience: readonly string[] },
): boolean {
  return clientId === caller.client_id || audience.some((api) => caller.introspects.includes(api))
}

/**
 * A refresh token that its client could use now. It is not used: servers find out in this way
 * whether their user is still signed in.
 */
async function describeRefreshToken(
  c: AppContext,
  caller: Client,
  { refreshToken: handle }: PresentedGrant,
) {
  const config = c.get('config')
  if (!handle || !caller.scope.includes('offline_access')) return undefined
  const { userId, grantId, secretDigest, generation } = handle
  const { client_id, registeredAt } = caller
  const found = await callUserObject(c.env, userId, (object) =>
    object.readRefreshToken({
      ...{ grantId, secretDigest, generation },
      clientId: client_id,
      limits: { registeredAt },
    }),
  )
  if (!found || (await isEndedByStep(c, found))) return undefined
  const { terms, user, expiresAt } = found
  const scope = terms.scope.join(' ')
  const current = currentClaims(config, { kind: 'introspection', user, client: caller })
  return { iss: config.issuer, sub: userId, exp: expiresAt, client_id, scope, ...current }
}

/** The claims of a user's token, if its client is enabled and its grant is valid. */
async function userTokenClaims(
  c: AppContext,
  caller: Client,
  { accessToken: token }: PresentedGrant,
): Promise<JWTPayload | undefined> {
  const config = c.get('config')
  if (!token || !mayIntrospect(caller, token)) return undefined
  if (await isForUnusableApi(c, token.audience)) return undefined
  const client = await findClient(c.env, config, token.clientId)
  if (!client || !isIssuedTo(client, token)) return undefined
  const grant = await readValidGrant(c, token)
  if (!grant) return undefined
  const { claims } = token
  const { user } = grant
  return {
    ...claims,
    ...currentClaims(config, { kind: 'introspection', user, client, issued: claims }),
  }
}

/** Whether it is no longer known what one of the APIs of a token requires. */
async function isForUnusableApi(c: AppContext, audience: readonly string[]): Promise<boolean> {
  const config = c.get('config')
  const apis = audience.filter((identifier) => identifier !== config.issuer)
  const found = await Promise.all(apis.map((identifier) => findApi(c.env, config, identifier)))
  return found.some(({ kind }) => kind === 'unusable')
}

/** What features say about a user now, which may have changed since the token was issued. */
function currentClaims({ features }: Config, token: IntrospectedClaims): JWTPayload {
  return Object.assign({}, ...features.map((feature) => feature.claims?.(token)))
}

/** The claims of a machine's token, with the scopes that it may still have. */
async function machineTokenClaims(
  c: AppContext,
  caller: Client,
  presented: string,
): Promise<JWTPayload | undefined> {
  const token = await verifyMachineToken(c.env, c.get('config'), presented)
  if (!token || !mayIntrospect(caller, token)) return undefined
  return { ...token.claims, scope: token.scope.join(' ') }
}
