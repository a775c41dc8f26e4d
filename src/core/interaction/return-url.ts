import { getPath } from 'hono/utils/url'
import type { FailureDetail } from '../../foundation/errors/failure-detail.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { describeUri, listRegistered } from '../../foundation/values/describe-sent.ts'
import { decideRedirect } from '../callbacks/run-callbacks.ts'
import type { Config } from '../config/config.ts'
import type { AppContext } from '../http/app-env.ts'
import type { Client } from '../registration-schemas/clients.ts'
import { findClientByOrigin, listForDeveloper } from '../registrations/find-client.ts'

/** A URL or an authorization request of this length fits into the cookies of an interaction. */
export const MAX_KEPT_LENGTH = 8000 // characters

/** Characters that browsers remove or treat as a slash before they parse a URL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const DECEPTIVE_CHARACTERS = /[\u0000-\u0020\u007f-\u00a0\\]/

/** The page for users who did not come from an app. */
export function defaultReturnUrl({ issuer }: Config): string {
  return `${issuer}/`
}

/** A page that users can be returned to. */
export interface ReturnPage {
  url: string
  /** The app that it belongs to; undefined if it is one of our own. */
  client: Client | undefined
}

/**
 * Checks the URL a user asks to be returned to: a page of this service or of a registered app.
 * The result is what the URL parser produced, never the text that was sent.
 */
export async function findReturnPage(
  c: AppContext,
  requested: string | undefined,
): Promise<ReturnPage> {
  const config = c.get('config')
  if (!requested) return { url: defaultReturnUrl(config), client: undefined }
  const isTooLong = (url: string) => url.length > MAX_KEPT_LENGTH
  if (isTooLong(requested)) {
    throw new SignInError('request_invalid', { parameter: 'callbackUrl' })
  }
  const url = DECEPTIVE_CHARACTERS.test(requested) ? null : URL.parse(requested, config.issuer)
  if (!url || !hasAllowedForm(url)) {
    throw refused({ detail: { hint: 'callbackUrl is not a URL that browsers can be sent to.' } })
  }
  const isOwn = url.origin === config.issuer
  const client = isOwn ? undefined : await findClientByOrigin(c.env, config, url.origin)
  if (isOwn ? startsSignIn(url) : !client) {
    throw refused({ detail: { hint: await explainRefusal(c, url) } })
  }
  // Parsing may percent-encode characters, which makes the URL longer.
  if (isTooLong(url.href)) throw new SignInError('request_invalid', { parameter: 'callbackUrl' })
  return { url: url.href, client }
}

/**
 * Where users are really returned to: the deployment may reject an allowed page or replace it by
 * another allowed one.
 */
export async function decideReturnPage(c: AppContext, page: ReturnPage): Promise<ReturnPage> {
  const config = c.get('config')
  if (!config.callbacks.redirect) return page
  const decision = await decideRedirect(config, page.url, page.client)
  if (decision === true) return page
  if (decision === false) throw refused()
  try {
    return await findReturnPage(c, decision)
  } catch (cause) {
    const detail = { hint: 'callbacks.redirect returned a URL that is not allowed.' }
    throw refused({ cause, detail })
  }
}

function refused(reason: { cause?: unknown; detail?: FailureDetail } = {}): SignInError {
  return new SignInError('return_url_refused', { parameter: 'callbackUrl', ...reason })
}

async function explainRefusal(c: AppContext, url: URL): Promise<string> {
  const sent = `callbackUrl is ${describeUri(url.href)}.`
  const { issuer } = c.get('config')
  if (url.origin === issuer) return `${sent} Of this service, only pages for users are allowed.`
  const known = await listForDeveloper(c.env, c.get('config'))
  return known ? `${sent} Redirect URIs are registered at: ${listRegistered(known.origins)}.` : sent
}

/** A blob: URL has the origin of the page that created it. */
function hasAllowedForm({ protocol, username, password }: URL): boolean {
  return /^https?:$/.test(protocol) && username === '' && password === ''
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
