import { Hono } from 'hono'
import * as z from 'zod/mini'
import type { AppContext, AppEnv } from '../../core/http/app-env.ts'
import { countedNetwork } from '../../core/http/client-ip.ts'
import { requireOwnPage } from '../../core/http/cross-origin.ts'
import { csrfToken } from '../../core/http/csrf.ts'
import { optionalText, validateForm, validateQuery } from '../../core/http/validate.ts'
import {
  interactionClient,
  readInteraction,
  requestPath,
  startRequest,
} from '../../core/interaction/interaction.ts'
import { withTexts } from '../../core/messages/messages.ts'
import { count } from '../../core/metrics/count.ts'
import { authenticateClient } from '../../core/oidc/client-authentication.ts'
import { browserEndpointError, clientEndpointError } from '../../core/oidc/error-response.ts'
import { readClientForm } from '../../core/oidc/form.ts'
import { parseAccess } from '../../core/oidc/parse-authorization-request.ts'
import { requireGrantType } from '../../core/oidc/token.ts'
import { continueAt } from '../../core/pages/continue-page.tsx'
import { messagesFor, respondWithPage } from '../../core/pages/page-response.tsx'
import { isPublicClient, isUnregisteredId } from '../../core/registration-schemas/clients.ts'
import { findClient } from '../../core/registrations/find-client.ts'
import { limitRequests, readRequester } from '../../core/session/limit-requests-by-user.ts'
import {
  countedFor,
  countInGuards,
  forgetInGuards,
  guardCounter,
  limitStrangers,
} from '../../define-feature/count-in-guards.ts'
import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { deviceParameters } from './device-authorization.tsx'
import { DEVICE_CODE, readDeviceRequest, readUserCode, startDeviceRequest } from './device-code.ts'
import { GUESS_DELAYS, USE_LIMITS } from './limits.ts'
import type { METRICS } from './metrics.ts'
import { DeviceResultPage, UserCodePage } from './pages.tsx'
import type { en } from './texts.ts'

const DEVICE_RESULTS = ['approved', 'denied'] as const

const devicePageQuery = z.object({
  user_code: optionalText,
  result: z.optional(z.enum(DEVICE_RESULTS)),
  interaction: optionalText,
})

const userCodeForm = z.object({ user_code: z.string() })

/** `/oidc/device`, which devices call, and `/device`, which their users open. */
export function createRoutes(): Hono<AppEnv> {
  const devices = new Hono<AppEnv>()
    .onError(clientEndpointError)
    .post('/oidc/device', authorizeDevice)
  const users = new Hono<AppEnv>()
    .onError(browserEndpointError)
    .use('/device', requireOwnPage, limitRequests)
    .get('/device', validateQuery(devicePageQuery), (c) =>
      respondWithDevicePage(c, c.req.valid('query')),
    )
    .post('/device', validateForm(userCodeForm), (c) =>
      handleUserCode(c, c.req.valid('form').user_code),
    )
  return new Hono<AppEnv>().route('/', devices).route('/', users)
}

/** {@link https://www.rfc-editor.org/rfc/rfc8628#section-3.1} */
async function authorizeDevice(c: AppContext): Promise<Response> {
  const form = await readClientForm(c)
  rejectUnregisteredClient(form.get('client_id') ?? '')
  const client = await authenticateClient(c, form)
  requireGrantType(client, DEVICE_CODE)
  const requested = { scope: form.get('scope') ?? undefined, resources: form.getAll('resource') }
  const { scope, resources } = await parseAccess(
    c,
    { client, ...requested },
    (text) => new OAuthError('invalid_target', text),
  )
  // Each request is stored, and anyone can send one for a public client.
  if (isPublicClient(client))
    await limitStrangers(c.env, { limits: USE_LIMITS, name: 'device requests' }, countedNetwork(c))
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

/** The page on which users enter the code that their device shows, or the result. */
async function respondWithDevicePage(
  c: AppContext,
  { user_code, result, interaction: id = '' }: z.infer<typeof devicePageQuery>,
): Promise<Response> {
  if (!result) return respondWithUserCodePage(c, { value: user_code })
  const interaction = await readInteraction(c, id)
  if (interaction) await interactionClient(c, interaction)
  const messages = withTexts<typeof en>(await messagesFor(c))
  return respondWithPage(c, <DeviceResultPage messages={messages} result={result} />, {
    title: messages.t(`device.${result}.title`),
    outcome: result === 'approved' ? 'done' : 'failed',
    isRepeatable: true,
  })
}

async function respondWithUserCodePage(
  c: AppContext,
  { value, isWrong = false }: { value: string | undefined; isWrong?: boolean },
): Promise<Response> {
  const messages = withTexts<typeof en>(await messagesFor(c))
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

/** The user has entered a code. They sign in, if they have not, and decide on the next page. */
async function handleUserCode(c: AppContext, entered: string): Promise<Response> {
  const userCode = readUserCode(entered)
  if (!userCode) return respondWithUserCodePage(c, { value: entered, isWrong: true })
  const counters = countedFor('guesses of user codes', await readRequester(c)).map((counted) =>
    guardCounter(counted, GUESS_DELAYS['user codes']),
  )
  const guess = crypto.randomUUID()
  // Counted before it is checked, so that concurrent guesses do not evade the limits.
  if ((await countInGuards(c.env, counters, guess)) > 0) {
    count<typeof METRICS>('vestibule_limited_requests_total', { limit: 'user_code' })
    throw new SignInError('too_many_guesses')
  }
  const device = await readDeviceRequest(c.env, userCode)
  const client = await findClient(c.env, c.get('config'), device?.clientId)
  if (!client) return respondWithUserCodePage(c, { value: entered, isWrong: true })
  await forgetInGuards(c.env, counters, guess)
  const interaction = await startRequest(c, client, { params: deviceParameters(userCode) })
  return continueAt(c, requestPath(interaction))
}
