import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'

export interface CognitoProfile extends OIDCProfile {
  'cognito:username'?: string
}

/**
 * `AUTH_COGNITO_ISSUER` is `https://cognito-idp.<region>.amazonaws.com/<user pool id>`. The user
 * pool needs a domain.
 *
 * {@link https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoints.html}
 */
export const Cognito = oidcProvider<CognitoProfile>(() => ({
  id: 'cognito',
  name: 'Cognito',
  isSelfHosted: true,
  promptParams: { prompt: 'login' },
  profile({ sub, name, email, email_verified, picture, 'cognito:username': username }) {
    return {
      id: sub,
      name: name ?? username,
      email,
      emailVerified: email_verified === true || email_verified === 'true',
      image: picture,
      username,
    }
  },
  registration: { url: 'https://console.aws.amazon.com/cognito/' },
  style: { brandColor: '#dd344c' },
}))
