import * as z from 'zod/mini'
import { randomSecret } from '../../foundation/crypto/random.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { isLinkOf, LINK_PATH } from '../account/account-link.ts'
import type { Config } from '../config/config.ts'
import type { AppContext } from '../http/app-env.ts'
import { isNavigation, isOwnOrTyped, requestSite } from '../http/fetch-metadata.ts'
import { addToLog } from '../http/request-log.ts'
import { optionalText } from '../http/validate.ts'
import {
  type Interaction,
  type InteractionReference,
  interactionClient,
  readOrStartInteraction,
  returnsToOwnPage,
  signInUrl,
} from '../interaction/interaction.ts'
import { type Client, isOwnNativeClient } from '../registration-schemas/clients.ts'
import { requireRecentSession } from '../session/recent-session.ts'
import { authorizationUrl } from '../upstream/authorization-url.ts'
import { findProvider } from '../upstream/enabled-providers.ts'
import type { ResolvedProvider } from '../upstream/resolved-provider.ts'
import type { SignInMethod } from '../upstream/sign-in-methods.ts'
import { translateUpstreamError } from '../upstream/upstream-error.ts'
import { promptedLevel } from '../users/sign-in-levels.ts'
import { beginAttempt } from './attempt.ts'
import { createProxyState } from './redirect-proxy.ts'
import { createState, restartUrl } from './state.ts'

/** The parameters of a request that starts a sign-in. */
export const signInInput = z.object({
  interaction: optionalText,
  callbackUrl: optionalText,
  /** The prompts of OpenID Connect that apply here. Each makes the provider show its page again. */
  prompt: z.optional(z.enum(['login', 'consent', 'select_account'])),
  /** Created by a page of ours: links the account to the signed-in user. */
  link: optionalText,
})

/** A request that starts a sign-in. */
export interface SignInRequest {
  interaction: Interaction
  prompt?: 'login' | 'consent' | 'select_account' | undefined
  link?: string | undefined
  /** The attempt repeats one whose cookie was lost. */
  isRetry?: boolean
}

/** Reads the interaction of a request that starts a sign-in, or starts one. */
export async function readSignInRequest(
  c: AppContext,
  { prompt, link, ...reference }: InteractionReference & Omit<SignInRequest, 'interaction'>,
): Promise<SignInRequest> {
  return { interaction: await readOrStartInteraction(c, reference), prompt, link }
}

/**
 * Whether the user navigated here from our site, a sibling, an app's request or the address bar.
 * Old browsers do not say.
 */
export function isStartedByUser(c: AppContext, { interaction }: SignInRequest): boolean {
  const isCrossSite = requestSite(c) === 'cross-site'
  return isNavigation(c) && (!isCrossSite || interaction.request !== undefined)
}

/** The provider that the path of the request names. */
export function requireProvider(c: AppContext): ResolvedProvider {
  const provider = findProvider(c.get('config'), c.req.param('provider'))
  if (!provider) throw new SignInError('provider_unknown')
  c.set('providerName', provider.name)
  return provider
}

/** The URL of a sign-in page with the same parameters. */
export function sameSignInUrl({ interaction, prompt, link }: SignInRequest, path: string): string {
  return signInUrl(interaction, path, { prompt, link })
}

/** Starts an attempt. Returns the URL at which the user signs in. */
export async function startSignIn(
  c: AppContext,
  provider: ResolvedProvider,
  input: SignInRequest,
): Promise<string> {
  const { prompt, link } = input
  const linkTo = await userWhoLinks(c, input)
  // That page has a new link.
  if (link !== undefined && linkTo === undefined) return LINK_PATH
  const { client, ...content } = await attemptContent(c, provider, { ...input, linkTo })
  const attempt = await beginAttempt(c, {
    ...content,
    state: await attemptState(c, provider, input),
    nonce: provider.sendsNonce ? randomSecret() : '',
  })
  const extraParams = {
    ...((prompt || link) && provider.promptParams),
    ...scopeParam(provider, client),
  }
  try {
    return await authorizationUrl(provider, attempt, extraParams)
  } catch (cause) {
    throw translateUpstreamError(cause)
  }
}

/** The part of an attempt that follows from the request, and the requesting app. */
export async function attemptContent(
  c: AppContext,
  method: SignInMethod,
  { interaction, prompt, linkTo }: SignInRequest & { linkTo?: string | undefined },
) {
  const config = c.get('config')
  const client = await interactionClient(c, interaction)
  logSignIn(c, method, client)
  return {
    client,
    provider: method.id,
    interactionId: interaction.id,
    mayReplaceSession: choosesAccount(config, { prompt, interaction }) && isOwnOrTyped(c),
    prompt,
    level: prompt ? promptedLevel(method) : ('silent' as const),
    linkTo,
    ...(client && isOwnNativeClient(client) && { isPressed: requestSite(c) === 'same-origin' }),
  }
}

/** Adds the provider and the requesting app to the log line of a step of a sign-in. */
export function logSignIn(c: AppContext, { id }: SignInMethod, client: Client | undefined): void {
  addToLog(c, { provider: id, ...(client && { clientId: client.client_id }) })
}

/**
 * Whether a sign-in may replace the session of another user: only if the user asked to choose an
 * account. A user who has to confirm a change to their account must not end up in another one.
 */
export function choosesAccount(
  config: Config,
  { prompt, interaction }: { prompt: string | undefined; interaction: Interaction },
): boolean {
  if (prompt === 'login') return !returnsToOwnPage(config, interaction)
  return prompt === 'select_account'
}

async function attemptState(
  c: AppContext,
  provider: ResolvedProvider,
  { link, isRetry, interaction }: SignInRequest,
): Promise<string> {
  const config = c.get('config')
  const correlationId = c.get('requestId')
  const proxyState =
    provider.redirectProxyUrl && (await createProxyState(config, provider.id, correlationId))
  if (proxyState) return proxyState
  return createState(config, provider.id, {
    correlationId,
    // A lost attempt is repeated only once, and never if it would link an account.
    restartUrl: isRetry || link ? '' : restartUrl(interaction),
    userAgent: c.req.header('User-Agent') ?? '',
  })
}

function scopeParam(provider: ResolvedProvider, client: Client | undefined): { scope?: string } {
  return client?.upstream_scope.length ? { scope: requestedScope(provider, client) } : {}
}

/** The configured scopes and those the requesting app needs in addition. */
export function requestedScope(
  { authorization, scopeSeparator }: ResolvedProvider,
  client: Client | undefined,
): string {
  const configured = (authorization.params['scope'] ?? '').split(scopeSeparator)
  const scopes = new Set([...configured, ...(client?.upstream_scope ?? [])])
  return [...scopes].filter(Boolean).join(scopeSeparator)
}

/**
 * The user who links an account; undefined if none does, or if the link has expired or belongs to
 * another user. Only a page of ours can have created the link: anyone who can link their own
 * account to another user can sign in as that user from then on.
 */
export async function userWhoLinks(
  c: AppContext,
  { link }: Pick<SignInRequest, 'link'>,
): Promise<string | undefined> {
  if (link === undefined) return undefined
  const { user } = await requireRecentSession(c, LINK_PATH)
  if (requestSite(c) !== 'same-origin') throw new SignInError('cross_site')
  return (await isLinkOf(c.get('config'), user.id, link)) ? user.id : undefined
}
