import { decodeJwt } from 'jose'
import { oauthProvider } from './catalogue-entry.ts'

export interface EveOnlineProfile {
  /** Such as `CHARACTER:EVE:123123`. */
  sub?: string
  name?: string
  /** Changes when the character gets another owner. */
  owner?: string
}

/**
 * An account is a character and its owner, because characters are sold to other players. EVE
 * Online sends no email address.
 *
 * {@link https://developers.eveonline.com/docs/services/sso/}
 */
export const EVEOnline = oauthProvider<EveOnlineProfile>(() => ({
  id: 'eveonline',
  name: 'EVE Online',
  checks: ['state'],
  client: { token_endpoint_auth_method: 'client_secret_basic' },
  authorization: {
    url: 'https://login.eveonline.com/v2/oauth/authorize',
    params: { scope: 'publicData' },
  },
  token: 'https://login.eveonline.com/v2/oauth/token',
  userinfo: {
    // The access token is a JWT with the profile. It came directly from the token endpoint.
    request: ({ tokens }) => decodeJwt<EveOnlineProfile>(tokens.access_token ?? ''),
  },
  revocation: 'https://login.eveonline.com/v2/oauth/revoke',
  profile({ sub = '', name, owner = '' }) {
    const character = /^CHARACTER:EVE:(\d+)$/.exec(sub)?.[1]
    return {
      id: character && owner ? `${character}:${owner}` : '',
      name,
      image: `https://images.evetech.net/characters/${character}/portrait?size=128`,
    }
  },
  registration: { url: 'https://developers.eveonline.com/applications', secretName: 'Secret Key' },
  style: { brandColor: '#000000' },
}))
