import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * The profile is read from the ID token, which has no email address: the response of the userinfo
 * endpoint is a JWT.
 *
 * {@link https://confluence.bankidnorge.no/confluence/pdoidcl}
 */
export function BankIDNorway(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'bankid-no',
      name: 'BankID Norge',
      type: 'oidc',
      jwks_endpoint: undefined,
      issuer: 'https://auth.bankid.no/auth/realms/prod',
      authorization: { params: { scope: 'openid profile' } },
      checks: ['pkce', 'nonce'],
      registration: { url: 'https://www.bankid.no/en/company/' },
      style: { brandColor: '#39134c' },
    },
    options,
  )
}
