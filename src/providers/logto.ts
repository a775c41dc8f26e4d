import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'

export interface LogtoProfile extends OIDCProfile {
  username?: string | null
}

/**
 * `AUTH_LOGTO_ISSUER` is `https://<tenant>.logto.app/oidc`.
 *
 * {@link https://docs.logto.io/developers/custom-id-token}
 */
export const Logto = oidcProvider<LogtoProfile>(() => ({
  id: 'logto',
  name: 'Logto',
  isSelfHosted: true,
  profile({ sub, username, name, email, email_verified, picture }) {
    return {
      id: sub,
      name: name ?? username,
      email,
      emailVerified: email_verified === true,
      image: picture,
      username,
    }
  },
  registration: { url: 'https://cloud.logto.io', idName: 'App ID', secretName: 'App secret' },
  style: { brandColor: '#5d34f2' },
}))
