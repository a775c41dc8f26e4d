import { digest } from '../../foundation/crypto/digest.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import type { Config } from '../config/config.ts'
import type { AppContext } from '../http/app-env.ts'
import { readSealedCookie, setFlowCookie } from '../http/cookies.ts'
import { readPreference } from '../pages/preferences.ts'
import type { Client } from '../registration-schemas/clients.ts'
import { findClient } from '../registrations/find-client.ts'
import { decideReturnPage, defaultReturnUrl, findReturnPage } from './return-url.ts'

/** How long after its start an interaction can be continued. */
export const INTERACTION_LIFETIME = 3600 // seconds

/** The number of interactions that a browser may have at the same time, and their total size. */
const LIMITS = { count: 5, size: 12 * 1024 }

/** The characters of a digest that identify an interaction among those of one browser. */
const ID_LENGTH = 22

/**
 * An authorization request, or a visit with a `callbackUrl`, on its way through sign-in, step-up
 * and consent. It exists only in sealed cookies of one browser, so no other browser can continue
 * it, and an abandoned one needs no storage.
 */
export interface Interaction {
  id: string
  /** The app that the user signs in for; absent for our own pages. */
  clientId?: string | undefined
  /** Where the user continues after signing in, unless there is a request. */
  returnTo: string
  /** The authorization request, until it is answered. */
  request?: PendingRequest | undefined
  /** Why a signed-in user signs in again for one of our pages; absent if its path says that. */
  purpose?: SignInPurpose | undefined
  expiresAt: number
}

/** What a user signs in again for. */
export interface SignInPurpose {
  /** What the page calls the change that the user wants to make, or where they want to go. */
  label: string
  /** Whether the user confirms it on that page afterwards. */
  isChange: boolean
  /** The path of the page for users who do not want to sign in again. */
  cancelPath: string
}

/** An authorization request, and what the user has already done for it. */
export interface PendingRequest {
  /** The supported parameters, which were valid when the interaction started. */
  params: string
  /** The user that the client requires, by `claims` or by an `id_token_hint`, which is not kept. */
  subject?: string | undefined
  /** When the user was sent to sign in. */
  sentToSignInAt?: number | undefined
  /** Whether that was because of `acr`. */
  isForAcr?: boolean | undefined
  /** The session in which the consent page was shown, and when: it met the requirements then. */
  shown?: { session: string; at: number } | undefined
  /** The user's approval on the consent page. */
  approval?: { session: string; at: number } | undefined
  /** The user has signed in by pressing a button on our pages, for a native app that needs it. */
  pressed?: { session: string; at: number } | undefined
}

/** How a request refers to its interaction: by id, or by the URL that a new one returns to. */
export interface InteractionReference {
  interaction?: string | undefined
  callbackUrl?: string | undefined
}

/** Reads the interaction with this id, or starts one that returns to `callbackUrl`. */
export function readOrStartInteraction(
  c: AppContext,
  { interaction: id, callbackUrl }: InteractionReference,
): Promise<Interaction> {
  return id === undefined ? startVisit(c, callbackUrl) : requireInteraction(c, id)
}

/**
 * Reads the interaction of this browser with this id. If it is missing or has expired, the user
 * gets the same error as for an attempt: this sign-in took too long, or was started in another
 * browser.
 */
export async function requireInteraction(c: AppContext, id: string): Promise<Interaction> {
  const interaction = await readInteraction(c, id)
  if (!interaction) throw new SignInError('attempt_missing')
  return interaction
}

/**
 * The interaction of an attempt. If the browser has dropped it for newer ones, the user continues
 * on our own page: the attempt is bound to the browser, too.
 */
export async function attemptInteraction(
  c: AppContext,
  { interactionId = '' }: { interactionId?: string | undefined },
): Promise<Interaction> {
  return (await readInteraction(c, interactionId)) ?? startVisit(c, undefined)
}

/** The interaction of this browser with this id, unless it has expired. */
export async function readInteraction(c: AppContext, id: string): Promise<Interaction | undefined> {
  if (!/^[\w-]+$/.test(id)) return undefined
  const opened = await readSealedCookie(c, `interaction.${id}`)
  if (opened === undefined) return undefined
  // We sealed it, so its content can be trusted.
  const interaction: Interaction = JSON.parse(opened)
  // All interactions are sealed for the same purpose, so the content must match the cookie's name.
  return interaction.id === id && interaction.expiresAt > nowInSeconds() ? interaction : undefined
}

/**
 * Starts an interaction that ends on a page of this service or of an app. The purpose is that of one
 * of our pages, never from a URL.
 */
export async function startVisit(
  c: AppContext,
  callbackUrl: string | undefined,
  purpose?: SignInPurpose,
): Promise<Interaction> {
  const { url, client } = await decideReturnPage(c, await findReturnPage(c, callbackUrl))
  return startInteraction(c, { returnTo: url, clientId: client?.client_id, purpose })
}

/** Starts the interaction of an authorization request that cannot be answered yet. */
export function startRequest(
  c: AppContext,
  client: Client,
  request: PendingRequest,
): Promise<Interaction> {
  // The app's own page, on which users who come back after the answer can start again.
  const returnTo = client.origins[0] ?? defaultReturnUrl(c.get('config'))
  return startInteraction(c, { returnTo, clientId: client.client_id, request })
}

/** A request that is repeated, for example when its page is reloaded, keeps its id. */
async function startInteraction(
  c: AppContext,
  content: Omit<Interaction, 'id' | 'expiresAt'>,
): Promise<Interaction> {
  const { returnTo, request } = content
  const id = (await digest(request?.params ?? returnTo)).slice(0, ID_LENGTH)
  const expiresAt = nowInSeconds() + INTERACTION_LIFETIME
  const interaction = { id, ...content, expiresAt }
  await saveInteraction(c, interaction)
  return interaction
}

/** Stores an interaction in the browser. */
async function saveInteraction(c: AppContext, interaction: Interaction): Promise<void> {
  const { id, expiresAt } = interaction
  await setFlowCookie(c, {
    kind: 'interaction',
    id,
    value: JSON.stringify(interaction),
    maxAge: Math.max(expiresAt - nowInSeconds(), 0),
    limits: LIMITS,
  })
}

/** Stores the request of an interaction after a change. */
export async function updateRequest(
  c: AppContext,
  interaction: Interaction,
  request: PendingRequest,
): Promise<Interaction> {
  const updated = { ...interaction, request }
  await saveInteraction(c, updated)
  return updated
}

/** The request is answered. From now on, the interaction leads to the app's own page. */
export async function finishRequest(c: AppContext, interaction: Interaction): Promise<void> {
  await saveInteraction(c, { ...interaction, request: undefined })
}

/**
 * The app that the user signs in for, as it is registered now. The page of the response shows it. A
 * sign-in for a change to the account shows the app that the user came from.
 */
export async function interactionClient(
  c: AppContext,
  interaction: Interaction,
): Promise<Client | undefined> {
  const client = await findClient(c.env, c.get('config'), interaction.clientId)
  c.set('client', client)
  if (!client && returnsToAccount(c.get('config'), interaction)) await showReturnClient(c)
  return client
}

/** Whether the user returns to the account page, or to one on which it is changed. */
function returnsToAccount(config: Config, { request, returnTo }: Interaction): boolean {
  const { origin, pathname } = new URL(returnTo)
  return !request && origin === config.issuer && /^\/account(?:\/|$)/.test(pathname)
}

/** The pages of this response show the app from which the user came to the account pages. */
export async function showReturnClient(
  c: AppContext,
  visitId = readPreference(c, 'account-visit') ?? '',
): Promise<void> {
  const visit = await readInteraction(c, visitId)
  c.set('accountVisit', visit?.id)
  c.set('returnClient', await findClient(c.env, c.get('config'), visit?.clientId))
}

/**
 * Where the user continues after signing in. The app of the page that they return to may have been
 * removed meanwhile.
 */
export async function continueUrl(c: AppContext, interaction: Interaction): Promise<string> {
  if (interaction.request) return c.get('config').issuer + requestPath(interaction)
  return (await findReturnPage(c, interaction.returnTo)).url
}

/** Where the authorization request of an interaction is continued. */
export function requestPath({ id }: Interaction): string {
  return `/oidc/authorize/${id}`
}

/**
 * Where the app gets the response without the user: `access_denied` if they cancelled, otherwise
 * what `prompt=none` would return.
 */
export function cancelPath(interaction: Interaction, reason: 'denied' | 'failed'): string {
  return `${requestPath(interaction)}?cancel=${reason}`
}

/** Whether the user returns to a page of this service other than the default one. */
export function returnsToOwnPage(config: Config, { request, returnTo }: Interaction): boolean {
  return (
    !request && new URL(returnTo).origin === config.issuer && returnTo !== defaultReturnUrl(config)
  )
}

/** The URL of a sign-in page of an interaction, such as `/signin/tiktok`. */
export function signInUrl(
  { id }: Interaction,
  path: string,
  params: Record<string, string | undefined> = {},
): string {
  const query = new URLSearchParams({ interaction: id })
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value)
  return `/api/auth${path}?${query}`
}
