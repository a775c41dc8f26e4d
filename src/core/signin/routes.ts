import { Hono } from 'hono'
import * as z from 'zod/mini'
import { digest } from '../../foundation/crypto/digest.ts'
import { upstreamErrorDetail } from '../../foundation/errors/failure-detail.ts'
import { SignInError, signInErrorCodes } from '../../foundation/errors/sign-in-error.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import type { CommonProviderOptions } from '../../provider-interface/common-options.ts'
import type { AppProvider } from '../../provider-interface/types.ts'
import type { Config } from '../config/config.ts'
import { ATTEMPT_LIFETIME } from '../config/lifetimes.ts'
import type { AppContext, AppEnv } from '../http/app-env.ts'
import {
  firstPartyCors,
  requireFirstPartyOrigin,
  requireFirstPartyPost,
} from '../http/cross-origin.ts'
import { csrfToken } from '../http/csrf.ts'
import { isNavigation, rejectPrefetch } from '../http/fetch-metadata.ts'
import { addToLog } from '../http/request-log.ts'
import { validateForm, validateQuery } from '../http/validate.ts'
import { readOrStartInteraction } from '../interaction/interaction.ts'
import { defaultReturnUrl } from '../interaction/return-url.ts'
import { useOnce } from '../limits/use-once.ts'
import { explanationResponse } from '../pages/error-response.tsx'
import { limitRequests } from '../session/limit-requests-by-user.ts'
import { sessionForDisplay } from '../session/read-session.ts'
import { enabledProviders } from '../upstream/enabled-providers.ts'
import { identifyUser } from '../upstream/identify-user.ts'
import type { ResolvedProvider } from '../upstream/resolved-provider.ts'
import { takeAttempt } from './attempt.ts'
import { finishSignIn } from './finish-sign-in.ts'
import { continuePendingSession } from './pass-step.ts'
import { proxiedCallback } from './redirect-proxy.ts'
import { reportFailure } from './sign-in-failure.ts'
import { respondWithSignInPage } from './sign-in-page-response.tsx'
import { providerWithoutPage } from './skip-sign-in-page.ts'
import {
  isStartedByUser,
  readSignInRequest,
  requireProvider,
  sameSignInUrl,
  signInInput,
  startSignIn,
} from './start-sign-in.ts'
import { browserKind, readState } from './state.ts'

/**
 * {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2}, with generous size limits. Other
 * parameters are kept.
 */
const callbackInput = z.lazy(() =>
  z.catchall(
    z.object({
      code: textUpTo(4096),
      state: textUpTo(512),
      iss: textUpTo(512),
      error: textUpTo(512),
      error_description: textUpTo(2048),
      error_type: textUpTo(512),
    }),
    z.string(),
  ),
)

function textUpTo(maxLength: number) {
  return z.optional(z.string().check(z.maxLength(maxLength)))
}

const errorQuery = z.object({ error: z.string() })

/** `/api/auth/signin`, `/callback`, `/providers`, `/csrf` and `/error`: users sign in. */
export const signin = new Hono<AppEnv>()
  .use('/signin', limitRequests)
  .use('/signin/:provider', rejectPrefetch, limitRequests)
  .use('/callback/:provider', rejectPrefetch, limitRequests)
  .use('/providers', requireFirstPartyOrigin, firstPartyCors('GET'))
  .use('/csrf', requireFirstPartyOrigin, firstPartyCors('GET'))

  .get('/signin', validateQuery(signInInput), async (c) => {
    const input = await readSignInRequest(c, c.req.valid('query'))
    const continued = await continuePendingSession(c, input)
    if (continued !== undefined) return c.redirect(continued, 303)
    const provider = await providerWithoutPage(c, input)
    if (provider) return c.redirect(await startSignIn(c, provider, input), 303)
    return respondWithSignInPage(c, input)
  })
  .get('/signin/:provider', validateQuery(signInInput), async (c) => {
    const provider = requireProvider(c)
    const input = await readSignInRequest(c, c.req.valid('query'))
    // Another site may link here, but only the user may start the sign-in: they get the page with
    // the button.
    if (!isStartedByUser(c, input)) return c.redirect(sameSignInUrl(input, '/signin'))
    return c.redirect(await startSignIn(c, provider, input))
  })
  .post('/signin/:provider', requireFirstPartyPost, validateForm(signInInput), async (c) => {
    const provider = requireProvider(c)
    const input = await readSignInRequest(c, c.req.valid('form'))
    return c.redirect(await startSignIn(c, provider, input), 303)
  })

  .get('/callback/:provider', validateQuery(callbackInput), async (c) => {
    const provider = requireProvider(c)
    const input = c.req.valid('query')
    const { state, error, error_type: errorType } = input
    if (error) addToLog(c, upstreamErrorDetail({ error, errorType }))
    const callback = toSearchParams(input)
    const attempt = await takeAttempt(c, provider.id, state)
    if (!attempt) return handleLostAttempt(c, provider, callback)
    const continueUrl = await finishSignIn(c, provider, attempt, () =>
      identifyUser(provider, attempt, callback),
    )
    return c.redirect(continueUrl)
  })
  // A provider's form post comes from its own site and therefore without our cookies
  // (SameSite=Lax). The redirect makes the browser repeat it as a GET that includes them.
  .post('/callback/:provider', validateForm(callbackInput), (c) => {
    const { callbackUrl } = requireProvider(c)
    return c.redirect(`${callbackUrl}?${toSearchParams(c.req.valid('form'))}`, 303)
  })

  .get('/providers', (c) => {
    const config = c.get('config')
    const providers = [...enabledProviders(config), ...config.localProviders].map((provider) =>
      toAppProvider(config, provider),
    )
    return c.json(Object.fromEntries(providers.map((provider) => [provider.id, provider])))
  })
  .get('/csrf', async (c) => c.json({ csrfToken: await csrfToken(c) }))
  .get('/error', validateQuery(errorQuery), (c) => {
    const { error } = c.req.valid('query')
    if (!signInErrorCodes(c.get('config').features).includes(error)) {
      throw new SignInError('request_invalid', { parameter: 'error' })
    }
    return explanationResponse(c, error)
  })

function toSearchParams(input: Record<string, string | undefined>): URLSearchParams {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined)
  return new URLSearchParams(entries as [string, string][])
}

/**
 * The browser has no such attempt: it belongs to another deployment, was already finished, or its
 * cookie was lost.
 */
async function handleLostAttempt(
  c: AppContext,
  provider: ResolvedProvider,
  callback: URLSearchParams,
): Promise<Response> {
  const config = c.get('config')
  const state = callback.get('state') ?? ''
  const forwarded = await proxiedCallback(config, provider.id, callback)
  const lost = await readState(config, provider.id, state)
  const correlationId = forwarded?.correlationId ?? lost.correlationId
  addToLog(c, { provider: provider.id })
  if (correlationId) addToLog(c, { attempt: correlationId })
  if (forwarded) return c.redirect(forwarded.url)
  if (await sessionForDisplay(c)) return c.redirect(defaultReturnUrl(config))
  // Phones lose cookies when they switch browsers. The code is not used; the sign-in starts again
  // here.
  if (
    !callback.has('code') ||
    !lost.restartUrl ||
    !(await mayRestart(c, state, lost.browserKind))
  ) {
    const error = new SignInError('attempt_missing')
    reportFailure(c, provider, error)
    throw error
  }
  const interaction = await readOrStartInteraction(c, { callbackUrl: lost.restartUrl })
  return c.redirect(await startSignIn(c, provider, { interaction, isRetry: true }))
}

/**
 * Whether a lost attempt may start again without a click: once, in the same kind of browser, and
 * for a navigation. Otherwise another site could sign users in with a state of its own. Also not
 * while it is not known whether it has restarted before: then users click.
 */
async function mayRestart(
  c: AppContext,
  state: string,
  originalKind: string | undefined,
): Promise<boolean> {
  const isSameKind = browserKind(c.req.header('User-Agent') ?? '') === originalKind
  if (!isSameKind || !isNavigation(c)) return false
  const name = `restart ${await digest(state)}`
  return useOnce(c.env, name, nowInSeconds() + ATTEMPT_LIFETIME).catch(() => false)
}

function toAppProvider(
  { issuer }: Config,
  { id, name, type, ...provider }: CommonProviderOptions & { callbackUrl?: string },
): AppProvider {
  const signinUrl = `${issuer}/api/auth/signin/${id}`
  return {
    id,
    name,
    type,
    signinUrl,
    callbackUrl: provider.callbackUrl ?? `${issuer}/api/auth/callback/${id}`,
  }
}
