import type { Fetch } from '../verify/fetch-document.ts'
import { rejectUnknown } from '../verify/known-options.ts'
import { readOrigin } from '../verify/origin.ts'
import type { Dpop } from './dpop.ts'

/** As many characters as 32 random bytes have in hexadecimal or base64, or more. */
const MIN_SECRET_LENGTH = 32

export interface ServerOptions {
  /** The login service: its `AUTH_URL`. */
  url: string
  clientId: string
  clientSecret: string
  /**
   * Seals the cookies: at least 32 random characters. With a list, the first one seals and all of
   * them open, so that a secret can be replaced without signing anyone out.
   */
  secret: string | readonly string[]
  /** The public origin of this app, which is never taken from a request. */
  origin: string
  /** The path of `handler`, `/auth` by default. `<origin><path>/callback` must be registered. */
  path?: string | undefined
  /** What is requested in addition to `openid` and `offline_access`. `profile` by default. */
  scope?: string | undefined
  /** The APIs that `getToken` returns tokens for, from the client's `resources`. */
  audiences?: readonly string[] | undefined
  /**
   * Binds access tokens to a key (RFC 9449), for clients that are registered with
   * `dpop_bound_access_tokens`: the export `dpop`. Call APIs with `fetchWithToken`.
   */
  dpop?: Dpop | undefined
  /** A page of this app for sign-ins that failed, which gets `?error=access_denied`. */
  errorPath?: string | undefined
  /** Instead of the global `fetch`, such as that of a service binding. */
  fetch?: Fetch | undefined
}

const KNOWN: Readonly<Record<keyof ServerOptions, true>> = {
  url: true,
  clientId: true,
  clientSecret: true,
  secret: true,
  origin: true,
  path: true,
  scope: true,
  audiences: true,
  dpop: true,
  errorPath: true,
  fetch: true,
}

/** The options, validated, with their defaults. */
export interface Settings {
  url: string
  clientId: string
  clientSecret: string
  secrets: readonly [string, ...string[]]
  origin: string
  path: string
  scope: string
  audiences: readonly string[]
  dpop: Dpop | undefined
  errorPath: string | undefined
  fetch: Fetch
}

/** @throws TypeError if an option is missing or would make sessions insecure. */
export function readOptions(options: ServerOptions): Settings {
  rejectUnknown(options, KNOWN)
  const { clientId, clientSecret, path = '/auth', scope = 'profile' } = options
  if (!clientId) throw new TypeError('clientId is missing: pass the client_id of this app.')
  if (!clientSecret) throw new TypeError('clientSecret is missing.')
  if (!/^(\/[\w.-]+)+$/.test(path)) throw new TypeError(`path must be like /auth. It is ${path}.`)
  const [secret = '', ...olderSecrets] = [options.secret].flat()
  for (const each of [secret, ...olderSecrets]) {
    if (!each || each.length < MIN_SECRET_LENGTH) {
      throw new TypeError('secret must have at least 32 characters: openssl rand -base64 32')
    }
  }
  return {
    url: readOrigin('url', options.url),
    clientId,
    clientSecret,
    secrets: [secret, ...olderSecrets],
    origin: readOrigin('origin', options.origin),
    path,
    scope: [...new Set(`openid offline_access ${scope}`.split(' ').filter(Boolean))].join(' '),
    audiences: options.audiences ?? [],
    dpop: options.dpop,
    errorPath: options.errorPath,
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
  }
}
