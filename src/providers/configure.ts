import type { OAuth2Config, OIDCConfig } from './oauth-types.ts'
import type { OAuthConfig, OAuthUserConfig } from './types.ts'

/**
 * Overrides a provider's defaults with a deployment's options. Endpoints are merged, not replaced.
 */
export function configure<Profile>(
  defaults: OAuth2Config<Profile>,
  options: OAuthUserConfig<Profile>,
): OAuth2Config<Profile>
export function configure<Profile>(
  defaults: OIDCConfig<Profile>,
  options: OAuthUserConfig<Profile>,
): OIDCConfig<Profile>
export function configure<Profile>(
  defaults: OAuthConfig<Profile>,
  options: OAuthUserConfig<Profile>,
): OAuthConfig<Profile> {
  const { authorization, token, userinfo } = defaults
  return {
    ...defaults,
    ...options,
    ...mergeEndpoint('authorization', authorization, options.authorization),
    ...mergeEndpoint('token', token, options.token),
    ...mergeEndpoint('userinfo', userinfo, options.userinfo),
  } as OAuthConfig<Profile>
}

type Endpoint = string | { url?: string; params?: Record<string, string> } | undefined

function mergeEndpoint<Name extends string>(name: Name, defaults: Endpoint, override: Endpoint) {
  if (override === undefined) return {}
  const base = toEndpoint(defaults)
  const changes = toEndpoint(override)
  return { [name]: { ...base, ...changes, params: { ...base.params, ...changes.params } } }
}

/** An endpoint given as a string is its URL, whose query becomes the parameters. */
export function toEndpoint(endpoint: Endpoint): { url?: string; params?: Record<string, string> } {
  if (typeof endpoint !== 'string') return endpoint ?? {}
  const url = new URL(endpoint)
  const params = Object.fromEntries(url.searchParams)
  url.search = ''
  return { url: url.href, params }
}
