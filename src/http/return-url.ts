import { decideRedirect } from '../callbacks/redirect.ts'
import { nowInSeconds } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { openUnexpired, sealUntil } from '../crypto/expiring-seal.ts'
import { SignInError } from '../errors.ts'
import { findClientByOrigin } from '../registrations/find-client.ts'
import type { AppContext } from './app-env.ts'
import { readSealedCookie } from './cookies.ts'
import { csrfToken } from './csrf.ts'
import { routedPath, sealedRequestInPath, sealedRequestPath } from './sealed-request-path.ts'

/**
 * What fits into the cookie of every attempt. A cookie of 4000 characters holds 2972 bytes of
 * content; at most 850 of them are not the return address, of which up to 550 are the state for a
 * redirect proxy.
 */
export const MAX_RETURN_URL_LENGTH = 2000

/** How long after the authorization request a sign-in can start. */
const SEALED_REQUEST_LIFETIME = 3600 // seconds

/** Characters that browsers remove or treat as a slash before they parse a URL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const DECEPTIVE_CHARACTERS = /[\u0000-\u0020\u007f-\u00a0\\]/

/** The page for users who did not come from an app. */
export function defaultReturnUrl({ issuer }: Config): string {
  return `${issuer}/`
}

/**
 * Checks the address a user asks to be returned to: a page of this service or of a registered app.
 * The result is what the URL parser produced, never the text that was sent.
 */
export async function safeReturnUrl(
  env: Env,
  config: Config,
  requested: string | undefined,
): Promise<string> {
  if (!requested) return defaultReturnUrl(config)
  const isTooLong = (url: string) => url.length > MAX_RETURN_URL_LENGTH
  if (isTooLong(requested)) {
    throw new SignInError('request_invalid', { parameter: 'callbackUrl' })
  }
  const url = DECEPTIVE_CHARACTERS.test(requested) ? null : URL.parse(requested, config.issuer)
  if (!url || !(await isAllowed(env, config, url)))
    throw new SignInError('return_url_refused', { parameter: 'callbackUrl' })
  // Parsing may percent-encode characters, which makes the URL longer.
  if (isTooLong(url.href)) throw new SignInError('request_invalid', { parameter: 'callbackUrl' })
  return url.href
}

/**
 * Where users are really returned to: the deployment may reject an allowed address or replace it by
 * another allowed one. An authorization request is not passed to it, because the client's
 * registration decides about its redirect URI.
 */
export async function finalReturnUrl(env: Env, config: Config, returnTo: string): Promise<string> {
  if (!config.callbacks.redirect || isAuthorizationRequest(config, returnTo)) return returnTo
  const { origin } = new URL(returnTo)
  const client =
    origin === config.issuer ? undefined : await findClientByOrigin(env, config, origin)
  const decision = await decideRedirect(config, returnTo, client)
  if (decision === true) return returnTo
  if (decision === false) throw new SignInError('return_url_refused', { parameter: 'callbackUrl' })
  try {
    return await safeReturnUrl(env, config, decision)
  } catch (cause) {
    const detail = { hint: 'callbacks.redirect returned an address that is not allowed.' }
    throw new SignInError('return_url_refused', { parameter: 'callbackUrl', cause, detail })
  }
}

/** How our links lead to a sign-in that returns to an address. */
export interface ReturnLink {
  /** What precedes `/signin`. */
  base: string
  params: Record<string, string>
}

/**
 * An authorization request is sealed, so that nobody can read or alter it, and only this browser can continue with it. It is a part of
 * the path; any other address is a parameter.
 */
export async function returnLink(c: AppContext, returnTo: string): Promise<ReturnLink> {
  const config = c.get('config')
  if (!isAuthorizationRequest(config, returnTo)) {
    return { base: '/api/auth', params: { callbackUrl: returnTo } }
  }
  const { pathname, search } = new URL(returnTo)
  const sealed = await sealUntil(config.seal, nowInSeconds() + SEALED_REQUEST_LIFETIME, {
    purpose: 'request',
    context: await csrfToken(c),
    text: `${pathname}${search}`,
  })
  return { base: sealedRequestPath(sealed), params: {} }
}

/** The address of a page such as `/signin/tiktok`, with the parameters of this link, and more. */
export function linkAddress(
  { base, params }: ReturnLink,
  path: string,
  more: Record<string, string> = {},
): string {
  const query = new URLSearchParams({ ...params, ...more })
  return query.size > 0 ? `${base}${path}?${query}` : base + path
}

/** Whether a return address is an authorization request to this service. */
export function isAuthorizationRequest({ issuer }: Config, returnTo: string): boolean {
  const { origin, pathname } = new URL(returnTo)
  return origin === issuer && pathname === '/oidc/authorize'
}

/** Whether a return address is a page of this service, such as one on which users change their account. */
export function returnsToOwnPage(config: Config, returnTo: string): boolean {
  return (
    new URL(returnTo).origin === config.issuer &&
    returnTo !== defaultReturnUrl(config) &&
    !isAuthorizationRequest(config, returnTo)
  )
}

/** The return address of a request: the authorization request in its path, or the parameter. */
export async function readReturnUrl(
  c: AppContext,
  { callbackUrl }: { callbackUrl?: string | undefined },
): Promise<string> {
  const config = c.get('config')
  const sealed = sealedRequestInPath(c)
  if (sealed === undefined) return safeReturnUrl(c.env, config, callbackUrl)
  const browserToken = await readSealedCookie(c, 'csrf')
  const address =
    browserToken &&
    (await openUnexpired(config.seal, sealed, { purpose: 'request', context: browserToken }))
  if (!address) throw new SignInError('attempt_missing')
  return safeReturnUrl(c.env, config, address)
}

async function isAllowed(env: Env, config: Config, url: URL): Promise<boolean> {
  const { origin, protocol, username, password } = url
  // A blob: URL has the origin of the page that created it.
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return false
  if (origin === config.issuer) return isPage(url)
  return (await findClientByOrigin(env, config, origin)) !== undefined
}

/** Whether an address of this service is that of a page: at another one, a sign-in could start as if the user had chosen it here. */
function isPage(url: URL): boolean {
  const path = routedPath(new Request(url))
  return path === '/api/auth/signin' || !path.startsWith('/api/auth/')
}
