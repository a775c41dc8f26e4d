import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OIDCConfig, OIDCProfile, TokenSet } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * LinkedIn does not support nonces, and rejects a code verifier unless it has enabled PKCE for the
 * app.
 *
 * {@link https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2}
 */
export function LinkedIn(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'linkedin',
      name: 'LinkedIn',
      type: 'oidc',
      issuer: 'https://www.linkedin.com/oauth',
      jwks_endpoint: undefined,
      // The only method LinkedIn accepts, although its metadata does not list it.
      client: { token_endpoint_auth_method: 'client_secret_post' },
      token: { normalizeResponse: addTokenType },
      checks: ['state'],
      sendsAuthTime: false,
      promptParams: {},
      style: { brandColor: '#0a66c2', logo: logo('white', LOGO) },
    },
    options,
  )
}

/** Some responses lack `token_type` (RFC 6749 §5.1). */
async function addTokenType(response: Response): Promise<Response> {
  if (!response.ok) return response
  return Response.json({ token_type: 'bearer', ...((await response.json()) as TokenSet) })
}

/** Two letters, our own drawing. */
const LOGO =
  'M3 9h3.8v12H3zM4.9 3a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4zM9.5 9h3.6v1.7a4.3 4.3 0 0 1 7.9 2.6V21h-3.8v-7a2 2 0 0 0-4 0v7H9.5z'
