import { oauthProvider } from './catalogue-entry.ts'
import { svg } from './logo.ts'

export interface CoinbaseProfile {
  data?: {
    id?: string
    name?: string
    username?: string | null
    email?: string
    avatar_url?: string
  }
}

/**
 * Coinbase registers apps of approved partners only.
 *
 * {@link https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/overview}
 */
export const Coinbase = oauthProvider<CoinbaseProfile>(() => ({
  id: 'coinbase',
  name: 'Coinbase',
  authorization: {
    url: 'https://login.coinbase.com/oauth2/auth',
    params: { scope: 'wallet:user:read wallet:user:email' },
  },
  token: 'https://login.coinbase.com/oauth2/token',
  userinfo: 'https://api.coinbase.com/v2/user',
  revocation: 'https://login.coinbase.com/oauth2/revoke',
  profile({ data: { id = '', name, username, email, avatar_url } = {} }) {
    return { id, name, email, image: avatar_url, username }
  },
  registration: { url: 'https://portal.cdp.coinbase.com' },
  style: { brandColor: '#0052ff', logo: svg(LOGO) },
}))

/** A ring with a gap, our own drawing. */
const LOGO =
  "<path fill='none' stroke='white' stroke-width='5' d='M18.4 14.3a6.8 6.8 0 1 1 0-4.6'/>"
