import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

/** {@link https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/} */
export const Twitch = oidcProvider<OIDCProfile>(() => ({
  id: 'twitch',
  name: 'Twitch',
  issuer: 'https://id.twitch.tv/oauth2',
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
}))

/** Twitch sends `scope` as a list; RFC 6749 §5.1 requires a string. */
async function joinScopes(response: Response): Promise<Response> {
  if (!response.ok) return response
  const { scope, ...tokens } = (await response.json()) as { scope?: string | string[] }
  return Response.json({ ...tokens, scope: [scope ?? []].flat().join(' ') })
}

const LOGO =
  'M11.571 4.714h1.715v5.143H11.57zm4.715 0H18v5.143h-1.714zM6 0L1.714 4.286v15.428h5.143V24l4.286-4.286h3.428L22.286 12V0zm14.571 11.143l-3.428 3.428h-3.429l-3 3v-3H6.857V1.714h13.714Z'
