import { configure } from '../provider-interface/configure.ts'
import type { OAuth2Config, OIDCConfig } from '../provider-interface/oauth-types.ts'
import type { OAuthUserConfig, OIDCUserConfig } from '../provider-interface/types.ts'

/** A provider of the catalogue, without what follows from its type. */
type Entry<Config> = Omit<Config, 'type' | 'jwks_endpoint'>

/**
 * The function that a deployment calls for an OAuth 2 provider of the catalogue. The deployment's
 * options override the entry.
 */
export function oauthProvider<Profile>(
  describe: (options: OAuthUserConfig<Profile>) => Entry<OAuth2Config<Profile>>,
) {
  return (options: OAuthUserConfig<Profile> = {}): OAuth2Config<Profile> =>
    configure<Profile>({ ...describe(options), type: 'oauth', jwks_endpoint: undefined }, options)
}

/** As {@link oauthProvider}, for OpenID Connect. A nonce is checked unless the entry says otherwise. */
export function oidcProvider<Profile>(
  describe: (options: OIDCUserConfig<Profile>) => Entry<OIDCConfig<Profile>>,
) {
  return (options: OIDCUserConfig<Profile> = {}): OIDCConfig<Profile> =>
    configure<Profile>(
      { checks: ['pkce', 'nonce'], ...describe(options), type: 'oidc', jwks_endpoint: undefined },
      options,
    )
}
