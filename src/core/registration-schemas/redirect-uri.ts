import * as z from 'zod/mini'
import { isLoopback } from '../../foundation/values/loopback.ts'
import { isPlainUrl, SECURE_ADDRESS } from '../../foundation/values/schemas.ts'

/** A domain in reverse order, such as `com.example.app` (RFC 8252 §7.1). */
const REVERSE_DOMAIN = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+$/

/** Schemes that do not open an app, and what they do instead. */
const REFUSED_SCHEMES: Readonly<Record<string, string>> = {
  javascript: 'runs a script in the browser',
  vbscript: 'runs a script in the browser',
  data: 'shows a page that it contains itself',
  blob: 'shows a page of another site',
  file: 'opens a file',
  intent: 'lets its sender choose the app that opens',
  'android-app': 'lets its sender choose the app that opens',
}

/** Where users return to an app. Whether it may have a scheme of its own depends on its type. */
export const redirectUri = z.string().check(({ value, issues }) => {
  const message = findProblem(value)
  if (message) issues.push({ code: 'custom', input: value, message })
})

/** Whether a URL has a scheme that an app claims for itself (RFC 8252 §7.1), not http or https. */
export function hasPrivateScheme(uri: string): boolean {
  return !/^https?:/i.test(uri)
}

/** Whether only one app can receive what is sent to this URL: its domain vouches for the app. */
export function isClaimedLink(uri: string): boolean {
  return /^https:/i.test(uri) && !isLoopback(uri)
}

/** What pages call the place that a redirect URI leads to: its host, or its own scheme. */
export function describeRedirectUri(uri: string): string {
  const { host, protocol } = new URL(uri)
  return hasPrivateScheme(uri) ? protocol.slice(0, -1) : host
}

function findProblem(uri: string): string | undefined {
  const [isSecure, expected] = SECURE_ADDRESS
  if (isSecure(uri)) return undefined
  const scheme = URL.parse(uri)?.protocol.slice(0, -1) ?? ''
  const refusal = REFUSED_SCHEMES[scheme]
  if (refusal) return `must be the URL of an app: ${scheme}: ${refusal}.`
  if (['', 'http', 'https'].includes(scheme) || !isPlainUrl(uri)) return expected
  if (!REVERSE_DOMAIN.test(scheme)) {
    return `must have a scheme with a dot, your domain in reverse order, such as com.example.app: any app can claim ${scheme}: for itself (RFC 8252 §7.1).`
  }
  const hasPath = uri.startsWith('/', scheme.length + 1)
  return hasPath ? undefined : `must have a slash after the scheme, such as ${scheme}:/callback.`
}
