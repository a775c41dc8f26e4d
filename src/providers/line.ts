import { decodeJwt } from 'jose'
import { configure } from './configure.ts'
import type { OAuth2Config, OIDCProfile } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

/**
 * Configured as OAuth 2: LINE signs the ID token of a web login with the channel secret (HS256),
 * whatever its discovery document says, so the profile is read from the userinfo endpoint. LINE
 * must approve the email permission before `AUTH_LINE_SCOPE="openid profile email"` works.
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
      promptParams: { disable_auto_login: 'true' },
      profile({ sub, name, picture }, { id_token }) {
        // The ID token came directly from the token endpoint over TLS (OpenID Connect Core
        // §3.1.3.7).
        const email = id_token ? decodeJwt<{ email?: string }>(id_token).email : undefined
        return { id: sub, name, email, image: picture }
      },
      style: { brandColor: '#06c755' },
    },
    options,
  )
}
