import type { TokenSet } from '../provider-interface/oauth-types.ts'
import { oauthProvider } from './catalogue-entry.ts'
import { svg } from './logo.ts'

interface InstagramAccount {
  user_id?: string
  username?: string
  name?: string
  profile_picture_url?: string
}

/** Either the account itself, or a list of one account as documented. */
export interface InstagramProfile extends InstagramAccount {
  data?: readonly InstagramAccount[]
}

/**
 * Only professional accounts can sign in, and Instagram sends no email address.
 *
 * {@link https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login}
 */
export const Instagram = oauthProvider<InstagramProfile>(() => ({
  id: 'instagram',
  name: 'Instagram',
  checks: ['state'],
  authorization: {
    url: 'https://www.instagram.com/oauth/authorize',
    params: { scope: 'instagram_business_basic' },
  },
  token: { url: 'https://api.instagram.com/oauth/access_token', normalizeResponse: addTokenType },
  userinfo: {
    url: 'https://graph.instagram.com/v23.0/me',
    params: { fields: 'user_id,username,name,profile_picture_url' },
  },
  promptParams: { force_reauth: 'true' },
  profile(profile) {
    const { user_id = '', username, name, profile_picture_url } = profile.data?.[0] ?? profile
    return { id: user_id, name: name ?? username, image: profile_picture_url, username }
  },
  registration: {
    url: 'https://developers.facebook.com/apps',
    idName: 'Instagram app ID',
    secretName: 'Instagram app secret',
  },
  style: { brandColor: '#c13584', logo: svg(LOGO) },
}))

/** The response lacks `token_type` (RFC 6749 §5.1) and may be a list of one. */
async function addTokenType(response: Response): Promise<Response> {
  if (!response.ok) return response
  const body = (await response.json()) as TokenSet & { data?: readonly TokenSet[] }
  return Response.json({ token_type: 'bearer', ...(body.data?.[0] ?? body) })
}

/** A camera, our own drawing. */
const LOGO =
  "<g fill='none' stroke='white' stroke-width='2'><rect x='3' y='3' width='18' height='18' rx='5'/><circle cx='12' cy='12' r='4.2'/></g><circle cx='17.2' cy='6.8' r='1.2' fill='white'/>"
