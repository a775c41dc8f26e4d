import { decodeJwt } from 'jose'
import { configure } from './configure.ts'
import { logo } from './logo.ts'
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
      registration: {
        url: 'https://developers.line.biz/console/',
        idName: 'Channel ID',
        secretName: 'Channel secret',
      },
      style: { brandColor: '#06c755', logo: logo('black', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M194 99a7 6 0 01-2 12H176v12h18a6 6 0 110 12H167l-3-4V81q-1-5 5-6h28a5 6 0 01-5 12H176V99m-21 32-4 4q-5 0-7-2l-25-34v30a6 6 0 01-12 0V78l4-3q2-1 6 1l25 34V88q0-14 6-13 5-1 7 5M98 127q1 8-10 8l-3-5V80q1-5 6-5t6 3M80 135H47l-4-4V80q1-5 6-5t6 4v43H73a6 6 0 010 13m167-33c-1-53-54-96-120-96S1 48 0 103c0 48 43 89 99 96q11 2 12 6 2 7 0 11l-1 10c-3 5 1 11 10 7s70-41 94-70a96 90 0 0026-57'
