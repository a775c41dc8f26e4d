import type { AppContext } from '../../core/http/app-env.ts'
import { withTexts } from '../../core/messages/messages.ts'
import type { RegisteredRedirectUri } from '../../core/oidc/authorization-error.ts'
import type { AuthorizationRequest, RequestAnswer } from '../../core/oidc/authorization-request.ts'
import { parseAccess } from '../../core/oidc/parse-authorization-request.ts'
import { dateFormat, formatDateTime } from '../../core/pages/format.ts'
import type { Client } from '../../core/registration-schemas/clients.ts'
import { findClient } from '../../core/registrations/find-client.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { decideDeviceRequest, deviceUri, formatUserCode, readDeviceRequest } from './device-code.ts'
import { DeviceNotice } from './pages.tsx'
import type { DeviceRequest } from './stored-request.ts'
import type { en } from './texts.ts'

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
    c,
    { client, ...requested },
    () => new SignInError('attempt_missing'),
  )
  return {
    ...access,
    client,
    answer: answerToDevice(client, device, userCode),
    // A page of ours, which no client can register.
    destination: {
      client,
      redirectUri: deviceUri(config) as RegisteredRedirectUri,
      responseMode: 'query',
      state: undefined,
    },
    prompt: isApproved ? [] : ['consent'],
    claims: { userinfo: [], id_token: [] },
    nonce: undefined,
    codeChallenge: undefined,
    maxAge: undefined,
    acr: undefined,
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
    async respond(c, decision, interaction) {
      const isFirst = await decideDeviceRequest(c.env, userCode, decision)
      if (!isFirst) throw new SignInError('attempt_missing')
      const params = new URLSearchParams({
        result: decision.kind,
        ...(interaction && { interaction: interaction.id }),
      })
      return c.redirect(`/device?${params}`, 303)
    },
    consentPart: (c, messages) => ({
      title: withTexts<typeof en>(messages).t('device.confirmTitle', { app: client.client_name }),
      notice: (
        <DeviceNotice
          messages={withTexts<typeof en>(messages)}
          code={formatUserCode(userCode)}
          place={device.place}
          date={formatDateTime(device.requestedAt, dateFormat(c, messages))}
        />
      ),
    }),
  }
}
