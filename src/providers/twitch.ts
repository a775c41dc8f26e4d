import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

/** {@link https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/} */
export function Twitch(options: OAuthUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'twitch',
      name: 'Twitch',
      type: 'oidc',
      issuer: 'https://id.twitch.tv/oauth2',
      jwks_endpoint: undefined,
      // What the ID token is to hold has to be asked for by name.
      authorization: {
        params: {
          scope: 'openid user:read:email',
          claims:
            '{"id_token":{"email":null,"email_verified":null,"picture":null,"preferred_username":null}}',
        },
      },
      token: { conform: joinScopes },
      checks: ['state', 'nonce'],
      reconsider: { force_verify: 'true' },
      style: { brandColor: '#9146ff' },
    },
    options,
  )
}

/** Scopes come as a list, where RFC 6749 §5.1 has a string. */
async function joinScopes(response: Response): Promise<Response> {
  if (!response.ok) return response
  const { scope, ...tokens } = await response.json<{ scope?: string | string[] }>()
  return Response.json({ ...tokens, scope: [scope ?? []].flat().join(' ') })
}
