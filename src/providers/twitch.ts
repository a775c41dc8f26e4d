import { configure } from './configure.ts'
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
      style: { brandColor: '#9146ff' },
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
