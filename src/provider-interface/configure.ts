import type {
  OAuth2Config,
  OAuthProviderButtonStyles,
  OIDCConfig,
  UrlParams,
} from './oauth-types.ts'
import type { OAuthConfig, OAuthEndpointType, OAuthUserConfig, OIDCUserConfig } from './types.ts'

/** A built-in provider with a deployment's options. */
export function configure<Profile>(
  defaults: OAuth2Config<Profile>,
  options: OAuthUserConfig<Profile>,
): OAuth2Config<Profile>
export function configure<Profile>(
  defaults: OIDCConfig<Profile>,
  options: OIDCUserConfig<Profile>,
): OIDCConfig<Profile>
export function configure<Profile>(
  defaults: OAuthConfig<Profile>,
  options: OAuthUserConfig<Profile>,
): OAuthConfig<Profile> {
  for (const part of [defaults, defaults.token, defaults.userinfo]) {
    for (const value of Object.values(part ?? {})) {
      if (typeof value === 'function') builtIn(value)
    }
  }
  return override(defaults, options)
}

/** A registered symbol: commands have another instance of this module than the deployment's code. */
const BUILT_IN = Symbol.for('vestibule-auth.built-in')

/** Marks a function as part of this service. */
export function builtIn<Callback extends object>(callback: Callback): Callback {
  return Object.assign(callback, { [BUILT_IN]: true })
}

/**
 * Whether a function is part of a built-in provider. If it fails, the provider's response is to
 * blame; if a function of the deployment fails, it has a bug.
 */
export function isBuiltIn(callback: object): boolean {
  return BUILT_IN in callback
}

/** Overrides a provider's configuration. Endpoints, `client` and `style` are merged. */
export function override<Profile>(
  config: OAuthConfig<Profile>,
  options: OAuthUserConfig<Profile>,
): OAuthConfig<Profile> {
  const { authorization, token, userinfo } = config
  return {
    ...withoutUndefined(config),
    // A required field, whose presence distinguishes our configurations from those of Auth.js.
    ...('jwks_endpoint' in config && { jwks_endpoint: config.jwks_endpoint }),
    ...withoutUndefined(options),
    ...mergeEndpoint('authorization', authorization, options.authorization),
    ...mergeEndpoint('token', token, options.token),
    ...mergeEndpoint('userinfo', userinfo, options.userinfo),
    ...(options.client && { client: { ...config.client, ...options.client } }),
    ...(options.style && { style: mergeStyle(config.style, options.style) }),
  } as OAuthConfig<Profile>
}

/** A new background, `brandColor` or `bg`, replaces the former one and the text chosen for it. */
function mergeStyle(
  { brandColor, bg, text, ...style }: OAuthProviderButtonStyles = {},
  changes: OAuthProviderButtonStyles,
): OAuthProviderButtonStyles {
  const hasBackground = changes.brandColor ?? changes.bg
  const colors = withoutUndefined({ brandColor, bg, text })
  return { ...style, ...(!hasBackground && colors), ...withoutUndefined(changes) }
}

/** An option that is `undefined` is not given, and leaves the default. */
function withoutUndefined<Options extends object>(options: Options): Options {
  const absent = Object.entries(options).filter(([, value]) => value === undefined)
  const result = { ...options }
  for (const [name] of absent) Reflect.deleteProperty(result, name)
  return result
}

type Endpoint = string | { url?: string; params?: UrlParams } | undefined

function mergeEndpoint(name: OAuthEndpointType, defaults: Endpoint, override: Endpoint) {
  if (override === undefined) return {}
  const base = toEndpoint(defaults, name)
  const changes = withoutUndefined(toEndpoint(override, name))
  return { [name]: { ...base, ...changes, params: { ...base.params, ...changes.params } } }
}

/**
 * An endpoint as an object. The query of its URL becomes the parameters, except that of the token
 * endpoint, whose parameters are in the body (RFC 6749 §3.2). Text that is not a URL is kept, so
 * that it can be reported together with all other problems.
 */
export function toEndpoint(
  endpoint: Endpoint,
  name: OAuthEndpointType,
): { url?: string; params?: UrlParams } {
  const handler = typeof endpoint === 'string' ? { url: endpoint } : (endpoint ?? {})
  const url = URL.parse(handler.url ?? '')
  if (name === 'token' || !url?.search) return handler
  const params = { ...Object.fromEntries(url.searchParams), ...handler.params }
  url.search = ''
  return { ...handler, url: url.href, params }
}
