import type { Config } from '../../core/config/config.ts'
import type { OpenedHandle } from '../../core/grants/handle.ts'
import type { AppContext } from '../../core/http/app-env.ts'
import { type GuardObject, guardObject } from '../../core/limits/guard-object.ts'
import type { RequestDecision } from '../../core/oidc/authorization-request.ts'
import { clientLimits, redeemHandle, requestedApis } from '../../core/oidc/token.ts'
import type { AuthenticatedClient, Client } from '../../core/registration-schemas/clients.ts'
import { describeDevice } from '../../core/session/device.ts'
import { requireStorage } from '../../core/storage/unavailable-error.ts'
import { readKeyring } from '../../core/tokens/keyring.ts'
import { digest } from '../../foundation/crypto/digest.ts'
import { openWithExpiry, sealUntil } from '../../foundation/crypto/expiring-seal.ts'
import { randomSecret } from '../../foundation/crypto/random.ts'
import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import type { DeviceGuard } from './device-guard.ts'
import { type DeviceRequest, POLL_INTERVAL } from './stored-request.ts'
import { ALPHABET, USER_CODE } from './user-code.ts'

export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'

/** What device codes are sealed for. */
export const SEAL = 'device'

/** Time to find another device and to sign in there. */
const DEVICE_CODE_LIFETIME = 600 // seconds

/** The largest multiple of the number of letters that a byte can represent. */
const FAIR_LIMIT = 256 - (256 % ALPHABET.length)

/** Where users enter the code of a device. Its grants have it as their redirect URI. */
export function deviceUri({ issuer }: Config): string {
  return `${issuer}/device`
}

/** Eight random letters. Each is equally likely. */
function createUserCode(): string {
  let code = ''
  while (code.length < 8) {
    const [byte = FAIR_LIMIT] = crypto.getRandomValues(new Uint8Array(1))
    if (byte < FAIR_LIMIT) code += ALPHABET[byte % ALPHABET.length]
  }
  return code
}

/** The code as devices and pages show it. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

/** What a user entered, without spaces and hyphens; undefined if it is no code. */
export function readUserCode(text: string): string | undefined {
  const code = text
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}\p{Cf}]/gu, '')
    .toUpperCase()
  return USER_CODE.test(code) ? code : undefined
}

/** Stores the request of a device, and returns the response to it (RFC 8628 §3.2). */
export async function startDeviceRequest(
  c: AppContext,
  client: Client,
  access: Pick<DeviceRequest, 'scope' | 'resources'>,
) {
  const config = c.get('config')
  const secret = randomSecret()
  const requestedAt = nowInSeconds()
  const expiresAt = requestedAt + DEVICE_CODE_LIFETIME
  const request: DeviceRequest = {
    ...access,
    clientId: client.client_id,
    secretDigest: await digest(secret),
    place: describeDevice(c).place,
    requestedAt,
    expiresAt,
  }
  let userCode: string
  do userCode = createUserCode()
  while (!(await callDevice(c.env, userCode, (object) => object.startDeviceRequest(request))))
  const uri = deviceUri(config)
  const shownCode = formatUserCode(userCode)
  return {
    device_code: await sealUntil<typeof SEAL>(config.seal, expiresAt, {
      ...deviceCodeUse(client),
      text: `${userCode} ${secret}`,
    }),
    user_code: shownCode,
    verification_uri: uri,
    verification_uri_complete: `${uri}?user_code=${shownCode}`,
    expires_in: DEVICE_CODE_LIFETIME,
    interval: POLL_INTERVAL,
  }
}

/** The device code of one client does not open for another one. */
function deviceCodeUse({ client_id }: Client) {
  return { purpose: SEAL, context: client_id } as const
}

/** The request of the device with this code, if no user has decided about it. */
export function readDeviceRequest(env: Env, userCode: string): Promise<DeviceRequest | undefined> {
  return callDevice(env, userCode, (object) => object.readDeviceRequest())
}

/** Returns false if a user has already decided about the request, or it has expired. */
export function decideDeviceRequest(
  env: Env,
  userCode: string,
  decision: RequestDecision,
): Promise<boolean> {
  return callDevice(env, userCode, (object) => object.decideDeviceRequest(decision))
}

/** {@link https://www.rfc-editor.org/rfc/rfc8628#section-3.4} */
export async function redeemDeviceCode(
  c: AppContext,
  client: AuthenticatedClient,
  form: URLSearchParams,
) {
  const config = c.get('config')
  const resources = requestedApis(config, form)
  // Before the code is spent, as for the code of an authorization response.
  const [limits] = await Promise.all([
    clientLimits(c, client, resources ?? []),
    readKeyring(c.env, config),
  ])
  const handle = await pollDeviceRequest(c, client, form.get('device_code'))
  const redirectUri = deviceUri(config)
  return redeemHandle(c, client, { handle, redirectUri, challenge: undefined, resources, limits })
}

/**
 * The handle of the grant that a user has opened for this device. Until then, throws the errors of
 * RFC 8628 §3.5.
 */
async function pollDeviceRequest(
  c: AppContext,
  client: Client,
  deviceCode: string | null,
): Promise<OpenedHandle> {
  if (!deviceCode) throw new OAuthError('invalid_request', 'device_code is missing.')
  const opened = await openWithExpiry<typeof SEAL>(
    c.get('config').seal,
    deviceCode,
    deviceCodeUse(client),
  )
  const [userCode, secret] = opened?.text.split(' ') ?? []
  if (!userCode || !secret) {
    const text = 'The device code is invalid, or was issued to another client.'
    throw new OAuthError('invalid_grant', text)
  }
  if (opened?.isExpired) throw expiredToken()
  const secretDigest = await digest(secret)
  const result = await callDevice(c.env, userCode, (object) =>
    object.pollDeviceRequest(secretDigest),
  )
  switch (result.kind) {
    case 'approved':
      return { userId: result.userId, grantId: result.grantId, secret, secretDigest, generation: 0 }
    case 'pending':
      throw deviceError('authorization_pending', 'The user has not decided yet.')
    case 'slow_down':
      throw deviceError('slow_down', 'Wait five seconds longer between two requests.')
    case 'denied':
      throw new OAuthError('access_denied', 'The user denied the request.')
    case 'expired':
      throw expiredToken()
  }
}

/** The errors of RFC 8628 §3.5. */
export const ERRORS = ['authorization_pending', 'slow_down', 'expired_token'] as const

type DeviceError = (typeof ERRORS)[number]

function deviceError(code: DeviceError, text: string): OAuthError<DeviceError> {
  return new OAuthError<DeviceError>(code, text, { isExpected: code === 'authorization_pending' })
}

function expiredToken(): OAuthError<DeviceError> {
  return deviceError('expired_token', 'The device code has expired.')
}

/** Calls the object that keeps the request of the device with this code. */
function callDevice<Result>(
  env: Env,
  userCode: string,
  call: (object: DurableObjectStub<GuardObject & DeviceGuard>) => Result,
): Promise<Awaited<Result>> {
  const object = guardObject(env, `device ${userCode}`)
  return requireStorage(() => call(object as DurableObjectStub<GuardObject & DeviceGuard>))
}
