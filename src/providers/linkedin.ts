import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile, TokenSet } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

/**
 * Knows no nonce, and refuses a code verifier from apps that were not let in to PKCE.
 *
 * {@link https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2}
 */
export function LinkedIn(options: OAuthUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'linkedin',
      name: 'LinkedIn',
      type: 'oidc',
      issuer: 'https://www.linkedin.com/oauth',
      jwks_endpoint: undefined,
      endpointOrigins: ['https://api.linkedin.com'],
      // The only way it takes the secret, though it does not announce it.
      client: { token_endpoint_auth_method: 'client_secret_post' },
      token: { conform: nameTokenType },
      checks: ['state'],
      reconsider: {},
      style: { brandColor: '#0a66c2' },
    },
    options,
  )
}

/** Some answers lack `token_type` (RFC 6749 §5.1). */
async function nameTokenType(response: Response): Promise<Response> {
  if (!response.ok) return response
  return Response.json({ token_type: 'bearer', ...(await response.json<TokenSet>()) })
}
