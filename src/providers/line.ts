import { decodeBase64url } from '../crypto/base64url.ts'
import { configure } from './configure.ts'
import type { OAuth2Config, OIDCProfile } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

/**
 * OAuth 2 even though there is OpenID Connect: the ID token of a web login is signed with the
 * channel secret (HS256) whatever the discovery document says, so the profile comes from userinfo.
 * The address needs a permission of LINE's, then `AUTH_LINE_SCOPE="openid profile email"`.
 *
 * {@link https://developers.line.biz/en/docs/line-login/integrate-line-login/}
 */
export function Line(options: OAuthUserConfig<OIDCProfile> = {}): OAuth2Config<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'line',
      name: 'LINE',
      type: 'oauth',
      issuer: 'https://access.line.me',
      jwks_endpoint: undefined,
      client: { id_token_signed_response_alg: 'HS256' },
      authorization: {
        url: 'https://access.line.me/oauth2/v2.1/authorize',
        params: { scope: 'openid profile' },
      },
      token: 'https://api.line.me/oauth2/v2.1/token',
      userinfo: 'https://api.line.me/oauth2/v2.1/userinfo',
      reconsider: { disable_auto_login: 'true' },
      profile({ sub, name, picture }, { id_token }) {
        // Straight from the token endpoint, which vouches for it (OpenID Connect Core §3.1.3.7).
        const [, claims = ''] = id_token?.split('.') ?? []
        const { email } = JSON.parse(new TextDecoder().decode(decodeBase64url(claims)) || '{}')
        return { id: sub, name, email, image: picture }
      },
      style: { brandColor: '#06c755' },
    },
    options,
  )
}
