import { ACR } from '../config/acr.ts'
import { roleScopes } from '../config/administrators.ts'
import { adminApi, OPENID_SCOPES } from '../config/apis.ts'
import type { AppContext } from '../config/app-env.ts'
import { SignInError } from '../errors/sign-in-error.ts'
import type { PendingRequest } from '../interaction/interaction.ts'
import { findClient } from '../registrations/find-client.ts'
import { readSessionCookie } from '../session/session-cookie.ts'
import { readRole } from '../users/administrators.ts'
import type { RegisteredRedirectUri } from './authorization-error.ts'
import {
  type AuthorizationRequest,
  parseAccess,
  parseAuthorizationRequest,
} from './authorization-request.ts'
import { deviceUri, readDeviceRequest } from './device-code.ts'

/** The parameter of a pending request that comes from a device. Clients cannot send it. */
const USER_CODE = 'user_code'

/** The parameters of a device's request. The object that its code leads to has the others. */
export function deviceParameters(userCode: string): string {
  return new URLSearchParams({ [USER_CODE]: userCode }).toString()
}

/**
 * Validates a pending request again, because the client may have been changed meanwhile. If the user
 * has just approved it, they met its requirements before that.
 */
export async function parsePendingRequest(
  c: AppContext,
  pending: PendingRequest,
  isApproved: boolean,
): Promise<AuthorizationRequest> {
  const params = new URLSearchParams(pending.params)
  const userCode = params.get(USER_CODE)
  if (userCode !== null) return parseDeviceRequest(c, userCode, isApproved)
  if (isApproved) for (const name of ['prompt', 'max_age']) params.delete(name)
  return parseAuthorizationRequest(c, params)
}

/**
 * The request of a device as an authorization request, which the user always has to approve: only
 * they can tell whether the device is theirs.
 */
async function parseDeviceRequest(
  c: AppContext,
  userCode: string,
  isApproved: boolean,
): Promise<AuthorizationRequest> {
  const config = c.get('config')
  const device = await readDeviceRequest(c.env, userCode)
  const client = await findClient(c.env, config, device?.clientId)
  // It may have been requested by a deleted client with the same id.
  if (!device || !client || device.requestedAt < (client.registeredAt ?? 0)) {
    throw new SignInError('attempt_missing')
  }
  const requested = { scope: device.scope.join(' '), resources: device.resources }
  const access = await parseAccess(
    { env: c.env, config, client },
    requested,
    () => new SignInError('attempt_missing'),
  )
  const isForAdministration = access.resources.includes(adminApi(config).identifier)
  return {
    ...access,
    scope: isForAdministration ? await allowedByRole(c, access.scope) : access.scope,
    client,
    device: { ...device, userCode },
    // A page of ours, which no client can register.
    destination: {
      redirectUri: deviceUri(config) as RegisteredRedirectUri,
      responseMode: 'query',
      state: undefined,
    },
    // An administrator who is asked to confirm by someone else has to sign in for that, too.
    prompt: isApproved ? [] : ['consent', ...(isForAdministration ? ['login'] : [])],
    claims: { userinfo: [], id_token: [] },
    nonce: undefined,
    codeChallenge: undefined,
    maxAge: undefined,
    acr: isForAdministration ? { values: [ACR.phishingResistant], isEssential: false } : undefined,
    idTokenHint: undefined,
    subject: undefined,
    provider: undefined,
    uiLocales: undefined,
  }
}

/**
 * Those of the scopes that the role of the signed-in user allows now: users who are not
 * administrators are not offered those of the admin API. If they get another role later, they have
 * to allow more.
 */
async function allowedByRole(c: AppContext, scope: readonly string[]): Promise<string[]> {
  const cookie = await readSessionCookie(c)
  const role = cookie && (await readRole(c.env, c.get('config'), cookie.userId))
  const names: readonly string[] = [...OPENID_SCOPES, ...(role ? roleScopes(role) : [])]
  return scope.filter((name) => names.includes(name))
}
