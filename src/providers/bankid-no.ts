import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'

/**
 * The profile is read from the ID token, which has no email address: the response of the userinfo
 * endpoint is a JWT.
 *
 * {@link https://confluence.bankidnorge.no/confluence/pdoidcl}
 */
export const BankIDNorway = oidcProvider<OIDCProfile>(() => ({
  id: 'bankid-no',
  name: 'BankID Norge',
  issuer: 'https://auth.bankid.no/auth/realms/prod',
  authorization: { params: { scope: 'openid profile' } },
  registration: { url: 'https://www.bankid.no/en/company/' },
  style: { brandColor: '#39134c' },
}))
