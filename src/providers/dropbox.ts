import { withQuery } from '../provider-interface/quirks.ts'
import { oauthProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

export interface DropboxProfile {
  account_id: string
  name?: { display_name?: string }
  email?: string
  email_verified?: boolean
  profile_photo_url?: string
}

/** {@link https://www.dropbox.com/developers/documentation/http/documentation} */
export const Dropbox = oauthProvider<DropboxProfile>(() => ({
  id: 'dropbox',
  name: 'Dropbox',
  authorization: {
    url: 'https://www.dropbox.com/oauth2/authorize',
    params: { scope: 'account_info.read' },
  },
  token: 'https://api.dropboxapi.com/oauth2/token',
  userinfo: {
    url: 'https://api.dropboxapi.com/2/users/get_current_account',
    // A remote procedure call: the absent arguments must be sent as null.
    async request({ url, params, tokens, fetch }) {
      const response = await fetch(withQuery(url, params).href, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${tokens.access_token}`,
          'Content-Type': 'application/json',
        },
        body: 'null',
      })
      if (!response.ok) throw new Error('The account request failed.', { cause: response })
      return response.json()
    },
  },
  promptParams: { force_reauthentication: 'true' },
  profile({ account_id, name, email, email_verified, profile_photo_url }) {
    return {
      id: account_id,
      name: name?.display_name,
      email,
      emailVerified: email_verified === true,
      image: profile_photo_url,
    }
  },
  registration: {
    url: 'https://www.dropbox.com/developers/apps',
    idName: 'App key',
    secretName: 'App secret',
  },
  style: { brandColor: '#0061fe', logo: logo('white', LOGO) },
}))

const LOGO =
  'M6 1.807L0 5.629l6 3.822 6.001-3.822L6 1.807zM18 1.807l-6 3.822 6 3.822 6-3.822-6-3.822zM0 13.274l6 3.822 6.001-3.822L6 9.452l-6 3.822zM18 9.452l-6 3.822 6 3.822 6-3.822-6-3.822zM6 18.371l6.001 3.822 6-3.822-6-3.822L6 18.371z'
