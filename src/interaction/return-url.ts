import { getPath } from 'hono/utils/url'
import { decideRedirect } from '../callbacks/redirect.ts'
import type { Client } from '../config/clients.ts'
import type { Config } from '../config/config.ts'
import { SignInError } from '../errors/sign-in-error.ts'
import { findClientByOrigin } from '../registrations/find-client.ts'

/** A URL or an authorization request of this length fits into the cookies of an interaction. */
export const MAX_KEPT_LENGTH = 8000 // characters

/** Characters that browsers remove or treat as a slash before they parse a URL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const DECEPTIVE_CHARACTERS = /[\u0000-\u0020\u007f-\u00a0\\]/

/** The page for users who did not come from an app. */
export function defaultReturnUrl({ issuer }: Config): string {
  return `${issuer}/`
}

/**
 * Checks the URL a user asks to be returned to: a page of this service or of a registered app.
 * The result is what the URL parser produced, never the text that was sent.
 */
export async function safeReturnUrl(
  env: Env,
  config: Config,
  requested: string | undefined,
): Promise<string> {
  if (!requested) return defaultReturnUrl(config)
  const isTooLong = (url: string) => url.length > MAX_KEPT_LENGTH
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
 * Where users are really returned to: the deployment may reject an allowed URL or replace it by
 * another allowed one.
 */
export async function decideReturnUrl(
  env: Env,
  config: Config,
  requested: string | undefined,
): Promise<string> {
  const returnTo = await safeReturnUrl(env, config, requested)
  if (!config.callbacks.redirect) return returnTo
  const client = await clientOfPage(env, config, returnTo)
  const decision = await decideRedirect(config, returnTo, client)
  if (decision === true) return returnTo
  if (decision === false) throw new SignInError('return_url_refused', { parameter: 'callbackUrl' })
  try {
    return await safeReturnUrl(env, config, decision)
  } catch (cause) {
    const detail = { hint: 'callbacks.redirect returned a URL that is not allowed.' }
    throw new SignInError('return_url_refused', { parameter: 'callbackUrl', cause, detail })
  }
}

/** The app that this page belongs to; undefined if it is one of our own. */
export async function clientOfPage(
  env: Env,
  config: Config,
  url: string,
): Promise<Client | undefined> {
  const { origin } = new URL(url)
  return origin === config.issuer ? undefined : findClientByOrigin(env, config, origin)
}

async function isAllowed(env: Env, config: Config, url: URL): Promise<boolean> {
  const { origin, protocol, username, password } = url
  // A blob: URL has the origin of the page that created it.
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return false
  if (origin === config.issuer) return !startsSignIn(url)
  return (await findClientByOrigin(env, config, origin)) !== undefined
}

/**
 * Whether a visit could start or finish a sign-in that nobody asked for. Under `/api/auth`, users
 * return only to the sign-in page.
 */
function startsSignIn(url: URL): boolean {
  // As the router sees it, which decodes escaped characters.
  const path = getPath(new Request(url))
  return path.startsWith('/api/auth/') && path !== '/api/auth/signin'
}
