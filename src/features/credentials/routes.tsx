import { Hono } from 'hono'
import * as z from 'zod/mini'
import type { AppContext, AppEnv } from '../../core/http/app-env.ts'
import { requireOwnPage } from '../../core/http/cross-origin.ts'
import { rejectPrefetch } from '../../core/http/fetch-metadata.ts'
import { addToLog } from '../../core/http/request-log.ts'
import { validateForm, validateQuery } from '../../core/http/validate.ts'
import { interactionClient } from '../../core/interaction/interaction.ts'
import { withTexts } from '../../core/messages/messages.ts'
import { count } from '../../core/metrics/count.ts'
import { continueAt } from '../../core/pages/continue-page.tsx'
import { messagesFor, respondWithPage, wantsPage } from '../../core/pages/page-response.tsx'
import { limitRequests } from '../../core/session/limit-requests-by-user.ts'
import { finishSignIn } from '../../core/signin/finish-sign-in.ts'
import { reportFailure } from '../../core/signin/sign-in-failure.ts'
import {
  readSignInRequest,
  type SignInRequest,
  sameSignInUrl,
  signInInput,
} from '../../core/signin/start-sign-in.ts'
import { toSignInMethod } from '../../core/upstream/sign-in-methods.ts'
import { formatDuration } from '../../define-feature/format-duration.ts'
import {
  createLocalSignIn,
  otherMethodsUrl,
  pathBeforeLinking,
  signInFields,
} from '../../define-feature/local-sign-in.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { replaceControlCharacters } from '../../foundation/values/control-characters.ts'
import type { CredentialsConfig } from '../../provider-interface/local-types.ts'
import type { User } from '../../provider-interface/oauth-types.ts'
import { authorize } from './authorize.ts'
import { GuessCounters } from './guess-delays.ts'
import type { METRICS } from './metrics.ts'
import { CredentialsForm, fieldName, identifyingFields, MAX_VALUE_LENGTH } from './pages.tsx'
import type { en } from './texts.ts'

/** A form, and the request that it sends. Nothing is stored in between. */
export function createCredentialsRoutes(provider: CredentialsConfig): Hono<AppEnv> {
  const signInPath = `/api/auth/signin/${provider.id}`
  const callbackPath = `/api/auth/callback/${provider.id}`
  const value = z.string().check(z.maxLength(MAX_VALUE_LENGTH))
  // A database may ignore control characters, so that one name would have many spellings. Names that
  // are copied may have some around them.
  const identifier = value.check(z.overwrite((text) => replaceControlCharacters(text, '')))
  const identifying = identifyingFields(provider.credentials)
  const fields = Object.keys(provider.credentials).map((field): [string, typeof value] => [
    fieldName(field),
    identifying.includes(field) ? identifier : value,
  ])
  const credentialsInput = z.object({ ...signInInput.shape, ...Object.fromEntries(fields) })
  return new Hono<AppEnv>()
    .use(signInPath, rejectPrefetch, limitRequests)
    .use(callbackPath, limitRequests)
    .get(signInPath, validateQuery(signInInput), async (c) => {
      const input = c.req.valid('query')
      const path = await pathBeforeLinking(c, input)
      if (path) return c.redirect(path)
      return showForm(c, provider, await readSignInRequest(c, input))
    })
    .post(callbackPath, requireOwnPage, validateForm(credentialsInput), async (c) => {
      const { interaction, callbackUrl, prompt, link, ...values } = c.req.valid('form')
      const credentials = Object.fromEntries(
        Object.keys(provider.credentials).map((field) => [
          field,
          String(Reflect.get(values, fieldName(field))),
        ]),
      )
      const input = await readSignInRequest(c, { interaction, callbackUrl, prompt, link })
      return signIn(c, provider, input, credentials)
    })
}

/** Why the form is shown again. */
interface Rejection {
  code: 'credentials_rejected' | 'too_many_guesses'
  status: number
  error: string
}

async function showForm(
  c: AppContext,
  provider: CredentialsConfig,
  input: SignInRequest,
  { status = 200, error }: Partial<Rejection> = {},
): Promise<Response> {
  const { id, name, credentials } = provider
  const messages = await messagesFor(c)
  const client = await interactionClient(c, input.interaction)
  const isLinking = input.link !== undefined
  const signInTitle = client
    ? messages.t('signIn.titleFor', { app: client.client_name })
    : messages.t('signIn.signInWith', { provider: name })
  return respondWithPage(
    c,
    <CredentialsForm
      messages={messages}
      action={`/api/auth/callback/${id}`}
      name={name}
      inputs={credentials}
      fields={await signInFields(c, input)}
      error={error}
      otherMethodsUrl={otherMethodsUrl(c, input)}
      isOnlyContent
      isLinking={isLinking}
    />,
    {
      title: isLinking ? messages.t('account.link', { provider: name }) : signInTitle,
      status,
      client,
      repeatAt: sameSignInUrl(input, `/signin/${id}`),
    },
  )
}

/** The same response for a wrong password and a user who does not exist. */
async function signIn(
  c: AppContext,
  provider: CredentialsConfig,
  input: SignInRequest,
  credentials: Record<string, string>,
): Promise<Response> {
  const method = toSignInMethod(provider)
  // Before a guess is counted: an invalid return URL or link is not one.
  const attempt = await createLocalSignIn(c, method, input)
  const identifiers = identifyingFields(provider.credentials).map(
    (field) => credentials[field] ?? '',
  )
  const counters = await GuessCounters.of(c, provider.id, identifiers)
  const wait = await counters.count(c)
  const messages = withTexts<typeof en>(await messagesFor(c))
  if (wait > 0) {
    count<typeof METRICS>('vestibule_limited_requests_total', { limit: 'password' })
    c.header('Retry-After', String(wait))
    const duration = formatDuration(wait, messages.language)
    const error = messages.t('credentials.wait', { duration })
    return reject(c, provider, input, { code: 'too_many_guesses', status: 429, error })
  }
  const user = await authorize(c, provider, credentials)
  if (!user) {
    const error = messages.t('credentials.wrong')
    return reject(c, provider, input, { code: 'credentials_rejected', status: 401, error })
  }
  await counters.forget(c)
  const continueUrl = await finishSignIn(c, method, attempt, async () => identifiedUser(user))
  await counters.remember(c)
  return continueAt(c, continueUrl)
}

async function reject(
  c: AppContext,
  provider: CredentialsConfig,
  input: SignInRequest,
  rejection: Rejection,
): Promise<Response> {
  const { code } = rejection
  const error = new SignInError(code)
  reportFailure(c, toSignInMethod(provider), error)
  if (!wantsPage(c)) throw error
  addToLog(c, { event: 'signin_failed', code })
  return showForm(c, provider, input, rejection)
}

function identifiedUser(user: User) {
  return {
    accountId: user.id,
    tokens: {},
    user,
    profile: { ...user },
    authenticatedAt: nowInSeconds(),
    amr: ['pwd'],
  }
}
