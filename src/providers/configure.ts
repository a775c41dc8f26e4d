import type { OAuth2Config, OIDCConfig } from './oauth-types.ts'
import type { OAuthConfig, OAuthUserConfig, OIDCUserConfig } from './types.ts'

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
  for (const part of [defaults, toEndpoint(defaults.token), toEndpoint(defaults.userinfo)]) {
    for (const value of Object.values(part)) {
      if (typeof value === 'function') builtIn(value)
    }
  }
  return override(defaults, options)
}

const builtInFunctions = new WeakSet<object>()

/** Marks a function as part of this service. */
export function builtIn<Callback extends object>(callback: Callback): Callback {
  builtInFunctions.add(callback)
  return callback
}

/**
 * Whether a function is part of a built-in provider. If it fails, the provider's response is to
 * blame; if a function of the deployment fails, it has a bug.
 */
export function isBuiltIn(callback: object): boolean {
  return builtInFunctions.has(callback)
}

/** Overrides a provider's configuration. Endpoints are merged, not replaced. */
export function override<Profile>(
  config: OAuthConfig<Profile>,
  options: OAuthUserConfig<Profile>,
): OAuthConfig<Profile> {
  const { authorization, token, userinfo } = config
  return {
    ...withoutUndefined(config),
    ...withoutUndefined(options),
    ...mergeEndpoint('authorization', authorization, options.authorization),
    ...mergeEndpoint('token', token, options.token),
    ...mergeEndpoint('userinfo', userinfo, options.userinfo),
  } as OAuthConfig<Profile>
}

/** An option that is `undefined` is not given, and leaves the default. */
function withoutUndefined<Options extends object>(options: Options): Options {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Options
}

type Endpoint = string | { url?: string; params?: Record<string, string> } | undefined

function mergeEndpoint<Name extends string>(name: Name, defaults: Endpoint, override: Endpoint) {
  if (override === undefined) return {}
  const base = toEndpoint(defaults)
  const changes = toEndpoint(override)
  return { [name]: { ...base, ...changes, params: { ...base.params, ...changes.params } } }
}

/**
 * An endpoint given as a string is its URL, whose query becomes the parameters. Text that is not a
 * URL is kept, so that it can be reported together with all other problems.
 */
export function toEndpoint(endpoint: Endpoint): { url?: string; params?: Record<string, string> } {
  if (typeof endpoint !== 'string') return endpoint ?? {}
  const url = URL.parse(endpoint)
  if (!url) return { url: endpoint }
  const params = Object.fromEntries(url.searchParams)
  url.search = ''
  return { url: url.href, params }
}
