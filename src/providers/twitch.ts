import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/** {@link https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/} */
export function Twitch(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'twitch',
      name: 'Twitch',
      type: 'oidc',
      issuer: 'https://id.twitch.tv/oauth2',
      jwks_endpoint: undefined,
      // Claims of the ID token must be requested by name.
      authorization: {
        params: {
          scope: 'openid user:read:email',
          claims:
            '{"id_token":{"email":null,"email_verified":null,"picture":null,"preferred_username":null}}',
        },
      },
      token: { normalizeResponse: joinScopes },
      checks: ['state', 'nonce'],
      sendsAuthTime: false,
      promptParams: { force_verify: 'true' },
      registration: { url: 'https://dev.twitch.tv/console/apps' },
      style: { brandColor: '#9146ff', logo: logo('white', LOGO) },
    },
    options,
  )
}

/** Twitch sends `scope` as a list; RFC 6749 §5.1 requires a string. */
async function joinScopes(response: Response): Promise<Response> {
  if (!response.ok) return response
  const { scope, ...tokens } = (await response.json()) as { scope?: string | string[] }
  return Response.json({ ...tokens, scope: [scope ?? []].flat().join(' ') })
}

const LOGO =
  'M11.57 4.71h1.72v5.15h-1.72zm4.72 0H18v5.15h-1.71zM6 0 1.71 4.29V19.7h5.15V24l4.28-4.29h3.43L22.3 12V0zm14.57 11.14-3.43 3.43h-3.43l-3 3v-3H6.86V1.71h13.71Z'
