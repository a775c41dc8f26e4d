import * as oauth from 'oauth4webapi'
import { isObject } from '../foundation/values/json.ts'
import { override, toEndpoint } from './configure.ts'
import { OPTION_NAMES } from './provider-schema.ts'
import { completeTokens, dropIdToken } from './quirks.ts'
import type { OAuthConfig } from './types.ts'

// biome-ignore lint/suspicious/noExplicitAny: each provider has its own profile type.
type AnyConfig = OAuthConfig<any>

/** Auth.js finds relative logos there. */
const LOGOS = 'https://authjs.dev/img/providers'

/** What Auth.js requests if a configuration has no scope. */
const DEFAULT_SCOPE = 'openid profile email'

/** The symbols of Auth.js. It does not register them, so their descriptions identify them. */
const CUSTOM_FETCH = 'custom-fetch'
const CONFORM = 'conform-internal'

/** What `conform-internal` stands for. */
const CONFORMING: Readonly<Record<string, Partial<AnyConfig>>> = {
  apple: { profileParameter: 'user' },
  'azure-ad': { hasTenantIssuers: true },
  'microsoft-entra-id': { hasTenantIssuers: true },
}

/**
 * Translates what configurations for Auth.js contain and ours do not: the deployment's `options`
 * beside a provider's defaults, symbols, `conform`, keys, and parameters that are not text.
 */
export function fromAuthJs(config: AnyConfig): AnyConfig {
  if (config.type !== 'oauth' && config.type !== 'oidc') return config
  const { options = {}, ...defaults } = config
  // Ours have this field, even if it is undefined; no configuration for Auth.js does.
  const isOurs = 'jwks_endpoint' in config
  const merged = isOurs ? { ...config } : mergeOptions(defaults as AnyConfig, { ...options })
  const { authorization, token, userinfo } = merged
  if (isObject(authorization)) merged.authorization = fromEndpoint(authorization)
  if (isObject(token)) merged.token = fromEndpoint(token)
  if (isObject(userinfo)) merged.userinfo = fromEndpoint(userinfo)
  useClientPrivateKey(merged)
  useSymbols(merged)
  return merged
}

/**
 * A provider of Auth.js returns its defaults, and the options it was called with. Options that it
 * alone has, such as `enterprise` of GitHub, are already part of its defaults. Then come the
 * defaults of Auth.js for all providers.
 */
function mergeOptions(defaults: AnyConfig, options: Record<PropertyKey, unknown>): AnyConfig {
  const known = Object.entries(options).filter(([name]) => OPTION_NAMES.has(name))
  const merged = override(defaults, Object.fromEntries(known))
  const { params } = toEndpoint(merged.authorization, 'authorization')
  const token = withParamsInUrl(toEndpoint(merged.token, 'token'))
  // Auth.js does not use it.
  if (merged.issuer && !merged.token && !merged.userinfo)
    Reflect.deleteProperty(merged, 'wellKnown')
  merged.token = token
  return {
    ...override(merged, {
      client: { token_endpoint_auth_method: 'client_secret_basic', ...merged.client },
      token: {
        normalizeResponse: merged.type === 'oauth' ? toBearerToken : completeTokens,
        ...token,
      },
      ...(merged.type === 'oauth' &&
        params?.['scope'] === undefined && { authorization: { params: { scope: DEFAULT_SCOPE } } }),
      ...(merged.style?.logo?.startsWith('/') && { style: { logo: LOGOS + merged.style.logo } }),
    }),
    ...symbolsOf(options),
    ...symbolsOf(defaults),
  }
}

async function toBearerToken(response: Response): Promise<Response> {
  return dropIdToken(await completeTokens(response))
}

/** Auth.js sends the parameters of the token endpoint in its URL, and not in the body. */
function withParamsInUrl(endpoint: ReturnType<typeof toEndpoint>): typeof endpoint {
  const { params, ...rest } = endpoint
  const url = URL.parse(rest.url ?? '')
  if (!params || !url) return endpoint
  for (const [name, value] of Object.entries(toTexts(params))) {
    url.searchParams.set(name, String(value))
  }
  return { ...rest, url: url.href }
}

function symbolsOf(object: object): object {
  const symbols = Object.getOwnPropertySymbols(object)
  return Object.fromEntries(symbols.map((symbol) => [symbol, Reflect.get(object, symbol)]))
}

function fromEndpoint({ conform, params, ...endpoint }: Record<string, unknown>): object {
  return {
    ...endpoint,
    ...(conform !== undefined && { normalizeResponse: conform }),
    ...(isObject(params) && { params: toTexts(params) }),
  }
}

function toTexts(params: Record<string, unknown>): Record<string, unknown> {
  const present = Object.entries(params).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present.map(([name, value]) => [name, toText(value)]))
}

/** The parameter `claims` is an object (OpenID Connect Core §5.5). Other values are reported. */
function toText(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return isObject(value) ? JSON.stringify(value) : value
}

function useClientPrivateKey(config: AnyConfig): void {
  if (typeof config.token !== 'object' || config.token.clientPrivateKey === undefined) return
  const { clientPrivateKey, ...token } = config.token
  const { token_endpoint_auth_method: _, ...client } = config.client ?? {}
  Object.assign(config, { token, client, clientAuth: () => oauth.PrivateKeyJwt(clientPrivateKey) })
}

function useSymbols(config: AnyConfig): void {
  for (const symbol of Object.getOwnPropertySymbols(config)) {
    const value: unknown = Reflect.get(config, symbol)
    if (symbol.description === CUSTOM_FETCH && typeof value === 'function') {
      config.fetch = value as typeof fetch
    } else if (symbol.description === CONFORM) {
      Object.assign(config, CONFORMING[config.id])
    } else continue
    Reflect.deleteProperty(config, symbol)
  }
}
