import { HTTPException } from 'hono/http-exception'
import {
  type Recovery,
  SignInError,
  type UserChoice,
} from '../../foundation/errors/sign-in-error.ts'
import { isLoopback } from '../../foundation/values/loopback.ts'
import { formatProblem } from '../../foundation/values/problem.ts'
import {
  CallbackError,
  callbackErrorCode,
  describeCallbackError,
} from '../callbacks/callback-error.ts'
import { ClientMetadataError } from '../client-metadata/client-metadata-error.ts'
import type { Config } from '../config/config.ts'
import { ConfigurationError } from '../config/configuration-error.ts'
import { findLocalProvider } from '../config/local-providers.ts'
import { describeMissingParts } from '../config/required-parts.ts'
import type { AppContext } from '../http/app-env.ts'
import { addToLog } from '../http/request-log.ts'
import type { Messages } from '../messages/messages.ts'
import { isMissingMigration, UnavailableError } from '../storage/unavailable-error.ts'
import { confirmedAccountPath } from './account-path.ts'
import { ErrorPage } from './error-page.tsx'
import { errorTexts } from './error-texts.ts'
import type { PagePart } from './page-part.ts'
import { messagesFor, respondWithPage, toShownUser, wantsPage } from './page-response.tsx'

/** When a client or user may try again after a temporary failure. */
const RETRY_AFTER: Record<number, string> = { 503: '10', 429: '60' } // seconds

/**
 * Informs the user about an error, with a page or with JSON. The page contains the part as well.
 */
export async function errorResponse(
  error: Error,
  c: AppContext,
  part?: PagePart,
): Promise<Response> {
  const signInError = toUserFacingError(c, error)
  const { code, detail, recovery } = signInError
  const status = statusOf(error) ?? signInError.status
  const providerName = c.get('providerName')
  addToLog<string>(c, {
    ...(recovery && { event: 'signin_failed' }),
    ...detail,
    code,
    ...(providerName !== undefined && { providerName }),
  })
  // Nothing has failed: users sign in once more, and continue.
  if (code === 'sign_in_again' && wantsPage(c)) {
    return c.redirect(confirmationPath(c, signInError.continueAt), 303)
  }
  if (code === 'access_denied' && recovery && wantsPage(c)) {
    return c.redirect(recovery.cancelledUrl, 303)
  }
  setRetryAfter(c, status)
  const problems = problemsToShow(c, error)
  const contact = error instanceof ConfigurationError ? error.contact : undefined
  const shown = { ...signInError, status }
  return respondToUser(c, shown, { problems, isRepeatable: isRepeatable(c), contact, part })
}

/** A handler that knows the exact time has set it already. */
export function setRetryAfter(c: AppContext, status: number): void {
  const seconds = RETRY_AFTER[status]
  if (seconds && !c.res.headers.has('Retry-After')) c.header('Retry-After', seconds)
}

/** The page that explains an error code. The request itself has succeeded. */
export async function explanationResponse(c: AppContext, code: string): Promise<Response> {
  return respondToUser(c, { code, status: 200 }, { isExplanation: true })
}

/**
 * Whether the browser can send the request again: not a form, nor a callback whose code is used up.
 */
function isRepeatable(c: AppContext): boolean {
  return c.req.method === 'GET' && !c.req.path.startsWith('/api/auth/callback/')
}

interface ErrorForUser {
  code: string
  status: number
  recovery?: Recovery | undefined
  avoidsAutofill?: boolean
  parameter?: string | undefined
  users?: UserChoice | undefined
}

interface ErrorPageOptions {
  problems?: readonly string[]
  isRepeatable?: boolean
  /** Whether the page only explains an error, so that its URL can be opened in another language. */
  isExplanation?: boolean
  /** Where users of a misconfigured deployment get help. */
  contact?: string | undefined
  /** What a provider adds to the page. */
  part?: PagePart | undefined
}

async function respondToUser(
  c: AppContext,
  { code, status, recovery, avoidsAutofill, parameter, users }: ErrorForUser,
  {
    problems = [],
    isRepeatable = false,
    isExplanation = false,
    contact,
    part,
  }: ErrorPageOptions = {},
): Promise<Response> {
  const config: Config | undefined = c.get('config')
  const reference = c.get('requestId')
  const messages = await messagesFor(c)
  const { title, text } = errorTexts(messages, code, c.get('providerName'))
  if (!wantsPage(c)) {
    return c.json(
      {
        error: code,
        error_description: text,
        reference,
        ...(parameter && { parameter }),
        ...(problems.length > 0 && { problems }),
      },
      status as 400,
    )
  }
  const shownUsers = users && toShownUsers(c, messages, { users, providerId: recovery?.provider })
  return respondWithPage(
    c,
    <>
      <ErrorPage
        code={code}
        text={text}
        messages={messages}
        reference={reference}
        problems={problems}
        parameter={parameter}
        recovery={recovery}
        avoidsAutofill={avoidsAutofill}
        isRepeatable={isRepeatable}
        signInPath={code === 'not_found' ? returningSignInPath(c) : undefined}
        users={shownUsers}
        contact={config?.contact ?? contact}
      />
      {part?.content}
    </>,
    {
      title,
      status,
      // A page that is not found, and a choice between users, are no failure.
      outcome: users || code === 'not_found' ? undefined : 'failed',
      images: [shownUsers?.current.image, shownUsers?.other?.image],
      script: part?.script,
      isRepeatable: isExplanation,
    },
  )
}

/**
 * The sign-in page that returns to the requested URL. The console exists only for administrators,
 * and looks like an unknown URL to others, so every unknown URL has this link. Undefined for URLs
 * that nobody may return to: those under `/api/auth`, and a path that would be read as a host.
 */
function returningSignInPath(c: AppContext): string | undefined {
  const { pathname, search } = new URL(c.req.url)
  if (c.req.method !== 'GET' || /^\/(?:\/|api\/auth\/)/.test(pathname)) return undefined
  return `/api/auth/signin?${new URLSearchParams({ callbackUrl: pathname + search })}`
}

/** Local methods have names in the language of the page. */
function toShownUsers(
  c: AppContext,
  messages: Messages,
  { users: { current, other }, providerId }: { users: UserChoice; providerId: string | undefined },
) {
  const config = c.get('config')
  const localName = findLocalProvider(config, providerId)?.method.labels?.(messages).account
  return {
    current: toShownUser(config, current),
    other: other && {
      ...toShownUser(config, other),
      provider: localName ?? other.provider,
    },
  }
}

/**
 * Where a user confirms who they are. A page of the account is then opened again. A form has to be
 * sent again: from the page that its route names, otherwise from `/account`.
 */
function confirmationPath(c: AppContext, continueAt: string | undefined): string {
  const { pathname, search } = new URL(c.req.url)
  const isPage = c.req.method === 'GET' && pathname.startsWith('/account/')
  const callbackUrl = isPage ? pathname + search : (continueAt ?? confirmedAccountPath('confirmed'))
  return `/api/auth/signin?${new URLSearchParams({ callbackUrl, prompt: 'login' })}`
}

/** Errors of the deployment and our own bugs: the details are only logged. */
function toUserFacingError(c: AppContext, error: Error): SignInError {
  if (error instanceof SignInError) return error
  // Hono throws it for a body that it cannot parse.
  if (error instanceof HTTPException) return new SignInError('request_invalid', { cause: error })
  if (error instanceof UnavailableError) {
    logUnavailable(c, error)
    return new SignInError('unavailable', { cause: error })
  }
  if (error instanceof ClientMetadataError) {
    addToLog(c, { cause: error.message })
    return new SignInError('client_unreadable', { parameter: 'client_id' })
  }
  if (error instanceof ConfigurationError) {
    addToLog(c, { cause: error.problems.map(formatProblem) })
    return new SignInError('configuration')
  }
  if (error instanceof CallbackError) {
    logCallbackError(c, error)
    return new SignInError(callbackErrorCode(error))
  }
  if (isMissingMigration(error)) {
    return toUserFacingError(c, new UnavailableError('The database is outdated.', { cause: error }))
  }
  addToLog(c, { cause: error.stack ?? String(error) })
  reportBug(c, error)
  return new SignInError('internal')
}

/**
 * Reports a bug to the runtime as well: source maps are applied to the stacks of exceptions that
 * are not caught, but not to the text of a log line.
 */
export function reportBug(c: AppContext, error: Error): void {
  c.executionCtx.waitUntil(Promise.reject(error))
}

export function logCallbackError(c: AppContext, error: CallbackError): void {
  addToLog(c, { event: 'callback_failed', cause: describeCallbackError(error) })
}

export function logUnavailable(c: AppContext, { message, cause, hint }: UnavailableError): void {
  addToLog(c, { cause: `${message} ${cause}`, ...(hint && { hint }) })
}

/** A deployment that is not complete yet is unavailable. */
function statusOf(error: Error): number | undefined {
  return error instanceof ConfigurationError && describeMissingParts(error).length > 0
    ? 503
    : undefined
}

/**
 * All problems are shown to a developer on the same machine only. Others see what is missing in a
 * deployment that cannot have users yet.
 */
function problemsToShow(c: AppContext, error: Error): readonly string[] {
  if (error instanceof ConfigurationError) {
    return isLoopback(c.req.url) ? error.problems.map(formatProblem) : describeMissingParts(error)
  }
  const hint = error instanceof SignInError ? error.detail.hint : undefined
  return hint && isLoopback(c.req.url) ? [hint] : []
}
