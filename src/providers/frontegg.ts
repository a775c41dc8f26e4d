import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { below } from '../provider-interface/quirks.ts'
import { oidcProvider } from './catalogue-entry.ts'

export interface FronteggProfile extends OIDCProfile {
  profilePictureUrl?: string
}

/**
 * `AUTH_FRONTEGG_ISSUER` is `https://<subdomain>.frontegg.com`.
 *
 * {@link https://developers.frontegg.com/guides/management/frontegg-idp/native-hosted}
 */
export const Frontegg = oidcProvider<FronteggProfile>((options) => ({
  id: 'frontegg',
  name: 'Frontegg',
  isSelfHosted: true,
  ...(options.issuer && {
    wellKnown: below(options.issuer, '/oauth/.well-known/openid-configuration'),
  }),
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
}))
