import { configure } from './configure.ts'
import type { OAuth2Config } from './oauth-types.ts'
import { below, fullName } from './quirks.ts'
import type { OAuthUserConfig } from './types.ts'

export interface BoxyHqSamlProfile {
  id: string
  email?: string
  firstName?: string
  lastName?: string
}

/**
 * `AUTH_BOXYHQ_SAML_ISSUER` is the URL of Ory Polis, formerly SAML Jackson of BoxyHQ. With the
 * credentials `dummy`, `authorization.params` must contain `tenant` and `product`.
 *
 * {@link https://boxyhq.com/docs/jackson/deploy}
 */
export function SAMLJackson(
  options: OAuthUserConfig<BoxyHqSamlProfile> = {},
): OAuth2Config<BoxyHqSamlProfile> {
  return configure<BoxyHqSamlProfile>(
    {
      id: 'boxyhq-saml',
      name: 'BoxyHQ SAML',
      type: 'oauth',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      authorization: {
        url: below(options.issuer, '/api/oauth/authorize'),
        params: { provider: 'saml' },
      },
      token: below(options.issuer, '/api/oauth/token'),
      userinfo: below(options.issuer, '/api/oauth/userinfo'),
      profile({ id, email, firstName, lastName }) {
        return { id, name: fullName(firstName, lastName), email }
      },
      style: { brandColor: '#25c2a0' },
    },
    options,
  )
}
