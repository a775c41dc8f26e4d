import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import { below } from './quirks.ts'
import type { OIDCUserConfig } from './types.ts'

export interface FronteggProfile extends OIDCProfile {
  profilePictureUrl?: string
}

/**
 * `AUTH_FRONTEGG_ISSUER` is `https://<subdomain>.frontegg.com`.
 *
 * {@link https://developers.frontegg.com/guides/management/frontegg-idp/native-hosted}
 */
export function Frontegg(
  options: OIDCUserConfig<FronteggProfile> = {},
): OIDCConfig<FronteggProfile> {
  return configure<FronteggProfile>(
    {
      id: 'frontegg',
      name: 'Frontegg',
      type: 'oidc',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      ...(options.issuer && {
        wellKnown: below(options.issuer, '/oauth/.well-known/openid-configuration'),
      }),
      checks: ['pkce', 'nonce'],
      profile({ sub, name, email, email_verified, profilePictureUrl }) {
        return {
          id: sub,
          name,
          email,
          emailVerified: email_verified === true,
          image: profilePictureUrl,
        }
      },
      registration: { url: 'https://portal.frontegg.com', secretName: 'API key' },
      style: { brandColor: '#36373c' },
    },
    options,
  )
}
