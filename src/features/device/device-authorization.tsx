import { dateFormat } from '../../account/date-format.ts'
import { ACR } from '../../config/acr.ts'
import { roleScopes } from '../../config/administrators.ts'
import { adminApi, OPENID_SCOPES } from '../../config/apis.ts'
import type { AppContext } from '../../config/app-env.ts'
import type { Client } from '../../config/clients.ts'
import { SignInError } from '../../errors/sign-in-error.ts'
import type { RegisteredRedirectUri } from '../../oidc/authorization-error.ts'
import type { AuthorizationRequest, RequestAnswer } from '../../oidc/authorization-request.ts'
import { parseAccess } from '../../oidc/parse-authorization-request.ts'
import { formatDateTime } from '../../pages/format.ts'
import { findClient } from '../../registrations/find-client.ts'
import { readSessionCookie } from '../../session/session-cookie.ts'
import { readRole } from '../../users/administrators.ts'
import { decideDeviceRequest, deviceUri, formatUserCode, readDeviceRequest } from './device-code.ts'
import { DeviceNotice } from './pages.tsx'
import type { DeviceRequest } from './stored-request.ts'

/** The parameter of a pending request that comes from a device. Clients cannot send it. */
const USER_CODE = 'user_code'

/** The parameters of a device's request. The object that its code leads to has the others. */
export function deviceParameters(userCode: string): string {
  return new URLSearchParams({ [USER_CODE]: userCode }).toString()
}

/**
 * The request of a device as an authorization request, which the user always has to approve: only
 * they can tell whether the device is theirs. Undefined if the request is not that of a device.
 */
export async function readDeviceAuthorization(
  c: AppContext,
  params: URLSearchParams,
  isApproved: boolean,
): Promise<AuthorizationRequest | undefined> {
  const userCode = params.get(USER_CODE)
  if (userCode === null) return undefined
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
    answer: answerToDevice(client, device, userCode),
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

/** The device gets the decision when it polls again. The user sees what happens there. */
function answerToDevice(client: Client, device: DeviceRequest, userCode: string): RequestAnswer {
  return {
    secretDigest: device.secretDigest,
    async respond(c, decision) {
      const isFirst = await decideDeviceRequest(c.env, userCode, decision)
      if (!isFirst) throw new SignInError('attempt_missing')
      return c.redirect(`/device?result=${decision.kind}`, 303)
    },
    consentPart: (c, messages) => ({
      title: messages.t('device.confirmTitle', { app: client.client_name }),
      notice: (
        <DeviceNotice
          messages={messages}
          code={formatUserCode(userCode)}
          place={device.place}
          date={formatDateTime(device.requestedAt, dateFormat(c, messages))}
        />
      ),
    }),
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
