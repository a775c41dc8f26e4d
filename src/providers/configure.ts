import type { OAuth2Config, OIDCConfig } from './oauth-types.ts'
import type { OAuthConfig, OAuthUserConfig } from './types.ts'

/** A provider's defaults with a deployment's options on top. Endpoints are merged one level deep. */
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
    ...endpoint('authorization', authorization, options.authorization),
    ...endpoint('token', token, options.token),
    ...endpoint('userinfo', userinfo, options.userinfo),
  } as OAuthConfig<Profile>
}

type Endpoint = string | { url?: string; params?: Record<string, string> } | undefined

function endpoint<Name extends string>(name: Name, mine: Endpoint, yours: Endpoint) {
  if (yours === undefined) return {}
  const one = toHandler(mine)
  const other = toHandler(yours)
  return { [name]: { ...one, ...other, params: { ...one.params, ...other.params } } }
}

/** A string is an address, and may carry parameters as any address does. */
export function toHandler(endpoint: Endpoint): { url?: string; params?: Record<string, string> } {
  if (typeof endpoint !== 'string') return endpoint ?? {}
  const url = new URL(endpoint)
  const params = Object.fromEntries(url.searchParams)
  url.search = ''
  return { url: url.href, params }
}
