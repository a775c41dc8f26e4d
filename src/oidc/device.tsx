import type { AppContext } from '../config/app-env.ts'
import { DEVICE_CODE } from '../config/clients.ts'
import { isUnregisteredId } from '../config/unregistered-clients.ts'
import { OAuthError } from '../errors/oauth-error.ts'
import { SignInError } from '../errors/sign-in-error.ts'
import { clientIp } from '../http/client-ip.ts'
import { csrfToken } from '../http/csrf.ts'
import { requestPath, startRequest } from '../interaction/interaction.ts'
import {
  type Counter,
  countInGuards,
  forgetInGuards,
  guessCounter,
  limitUses,
  requestCounter,
} from '../limits/count-in-guards.ts'
import type { GuessDelays, UseLimit } from '../limits/guard-object.ts'
import { count } from '../metrics/count.ts'
import { continueAt } from '../pages/continue-response.tsx'
import { messagesFor, respondWithPage } from '../pages/page-response.tsx'
import { findClient } from '../registrations/find-client.ts'
import { readSessionCookie } from '../session/session-cookie.ts'
import { parseAccess } from './authorization-request.ts'
import { authenticateClient } from './client-authentication.ts'
import { readDeviceRequest, readUserCode, startDeviceRequest } from './device-code.ts'
import { DeviceResultPage, UserCodePage } from './device-page.tsx'
import { readClientForm } from './form.ts'
import { deviceParameters } from './pending-request.ts'
import { requireGrantType } from './token.ts'

/** {@link https://www.rfc-editor.org/rfc/rfc8628#section-3.1} */
export async function authorizeDevice(c: AppContext): Promise<Response> {
  const form = await readClientForm(c)
  rejectUnregisteredClient(form.get('client_id') ?? '')
  const client = await authenticateClient(c, form)
  requireGrantType(client, DEVICE_CODE)
  const requested = { scope: form.get('scope') ?? undefined, resources: form.getAll('resource') }
  const { scope, resources } = await parseAccess(
    { env: c.env, config: c.get('config'), client },
    requested,
    (text) => new OAuthError('invalid_target', text),
  )
  // Each request is stored, and anyone can send one for a public client.
  await limitUses(c.env, 'device requests', {
    ip: clientIp(c),
    perIp: IP_REQUESTS,
    total: ALL_REQUESTS,
  })
  return c.json(await startDeviceRequest(c, client, { scope, resources }))
}

/**
 * A client that nobody has registered is recognized by its redirect URI, which this flow does not
 * use: anyone could start a sign-in in the name of a well-known one, and send the code to users.
 */
function rejectUnregisteredClient(clientId: string): void {
  if (!isUnregisteredId(clientId)) return
  const text = 'Clients that the operator has not registered cannot use the device flow.'
  throw new OAuthError('unauthorized_client', text)
}

/** From one IP address, which the devices of many users may share. */
const IP_REQUESTS: readonly UseLimit[] = [{ max: 60, period: 600 }]

/** From all IP addresses, so that storage does not grow faster than this. */
const ALL_REQUESTS: readonly UseLimit[] = [{ max: 2000, period: 600 }]

/** The page on which users enter the code that their device shows, or the result. */
export async function respondWithDevicePage(
  c: AppContext,
  { user_code, result }: { user_code?: string | undefined; result?: DeviceResult | undefined },
): Promise<Response> {
  if (!result) return respondWithUserCodePage(c, { value: user_code })
  const messages = await messagesFor(c)
  return respondWithPage(c, <DeviceResultPage messages={messages} result={result} />, {
    title: messages.t(`device.${result}.title`),
    isRepeatable: true,
  })
}

export const DEVICE_RESULTS = ['approved', 'denied'] as const

export type DeviceResult = (typeof DEVICE_RESULTS)[number]

async function respondWithUserCodePage(
  c: AppContext,
  { value, isWrong = false }: { value: string | undefined; isWrong?: boolean },
): Promise<Response> {
  const messages = await messagesFor(c)
  return respondWithPage(
    c,
    <UserCodePage
      messages={messages}
      value={value}
      isWrong={isWrong}
      csrfToken={await csrfToken(c)}
    />,
    { title: messages.t('device.title'), status: isWrong ? 400 : 200, repeatAt: '/device' },
  )
}

const HOUR = 3600 // seconds

/** Of a user, or from one IP address, which many users may share: each mistypes a code a few times. */
const GUESSES: GuessDelays = { free: 20, maxDelay: HOUR / 4, memory: HOUR }

/**
 * Of everyone who is not signed in. There are 20^8 codes: while a thousand devices wait, all guesses together
 * find one of them with a probability of 40 in a million per ten minutes.
 */
const ALL_GUESSES: readonly UseLimit[] = [{ max: 1000, period: HOUR / 6 }]

/** The user has entered a code. They sign in, if they have not, and decide on the next page. */
export async function handleUserCode(c: AppContext, entered: string): Promise<Response> {
  const userCode = readUserCode(entered)
  if (!userCode) return respondWithUserCodePage(c, { value: entered, isWrong: true })
  const counters = await guessCounters(c)
  const guess = crypto.randomUUID()
  // Counted before it is checked, so that concurrent guesses do not evade the limits.
  if ((await countInGuards(c.env, counters, guess)) > 0) {
    count('vestibule_limited_requests_total', { limit: 'user_code' })
    throw new SignInError('too_many_guesses')
  }
  const device = await readDeviceRequest(c.env, userCode)
  const client = await findClient(c.env, c.get('config'), device?.clientId)
  if (!client) return respondWithUserCodePage(c, { value: entered, isWrong: true })
  await forgetInGuards(c.env, counters, guess)
  const interaction = await startRequest(c, client, { params: deviceParameters(userCode) })
  return continueAt(c, requestPath(interaction))
}

/**
 * Signed-in users have a limit of their own, which nobody else can use up. The one that all others
 * share is the last.
 */
async function guessCounters(c: AppContext): Promise<Counter[]> {
  const ip = clientIp(c)
  const cookie = await readSessionCookie(c)
  return [
    ...(ip === undefined ? [] : [guessCounter(`guesses of user codes from ${ip}`, GUESSES)]),
    cookie
      ? guessCounter(`guesses of user codes by ${cookie.userId}`, GUESSES)
      : requestCounter('guesses of user codes', ALL_GUESSES),
  ]
}
