import { seconds } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { SignInError } from '../errors.ts'

/** Longer than any page's address, shorter than what fits into an attempt's cookie. */
export const LONGEST_RETURN_URL = 2600

/** What browsers strip or read as a slash before they parse, and nobody writes in good faith. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const TRICKS = /[\u0000-\u0020\u007f-\u00a0\\]/

/** Where people go who came from nowhere. */
export function defaultReturnUrl({ issuer }: Config): string {
  return `${issuer}/`
}

/**
 * Where a person may be sent back to: this service, or a page of a registered app. The result is what
 * the parser made of it, never the text that came in.
 */
export function safeReturnUrl(config: Config, wanted: string | undefined): string {
  if (!wanted) return defaultReturnUrl(config)
  if (wanted.length > LONGEST_RETURN_URL)
    throw new SignInError('request_invalid', { parameter: 'callbackUrl' })
  const url = !TRICKS.test(wanted) && URL.parse(wanted, config.issuer)
  if (!url || !isKnown(config, url)) throw new SignInError('return_url_refused')
  // Letters that an address cannot have are written in three.
  if (url.href.length > LONGEST_RETURN_URL)
    throw new SignInError('request_invalid', { parameter: 'callbackUrl' })
  return url.href
}

/** As long as a sign-in page may stand open. */
const ONE_HOUR = 3600 // seconds

/** How a return address travels in our links. An app's request is sealed: it is nobody else's to read or alter. */
export async function returnQuery(
  { issuer, seal }: Config,
  returnTo: string,
): Promise<Record<string, string>> {
  const { origin, pathname, search } = new URL(returnTo)
  if (origin !== issuer || pathname !== '/oidc/authorize') return { callbackUrl: returnTo }
  return { request: await seal.seal('request', '', `${seconds() + ONE_HOUR} ${pathname}${search}`) }
}

/** Where to go back to, by a link of ours or of an app. */
export async function readReturnQuery(
  config: Config,
  { callbackUrl, request }: { callbackUrl?: string | undefined; request?: string | undefined },
): Promise<string> {
  if (request === undefined) return safeReturnUrl(config, callbackUrl)
  const [until, address] = (await config.seal.open('request', '', request))?.split(' ') ?? []
  if (!address || Number(until) <= seconds()) throw new SignInError('attempt_missing')
  return safeReturnUrl(config, address)
}

function isKnown(
  { issuer, clients }: Config,
  { origin, protocol, username, password }: URL,
): boolean {
  // A blob: address has the origin of the page that made it.
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return false
  return origin === issuer || clients.some(({ origins }) => origins.includes(origin))
}
