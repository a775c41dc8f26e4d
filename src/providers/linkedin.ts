import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { completeTokens } from '../provider-interface/quirks.ts'
import { oidcProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

/**
 * LinkedIn does not support nonces, and rejects a code verifier unless it has enabled PKCE for the
 * app.
 *
 * {@link https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2}
 */
export const LinkedIn = oidcProvider<OIDCProfile>(() => ({
  id: 'linkedin',
  name: 'LinkedIn',
  issuer: 'https://www.linkedin.com/oauth',
  // The only method LinkedIn accepts, although its metadata does not list it.
  client: { token_endpoint_auth_method: 'client_secret_post' },
  token: { normalizeResponse: completeTokens },
  checks: ['state'],
  sendsAuthTime: false,
  promptParams: {},
  registration: { url: 'https://www.linkedin.com/developers/apps' },
  style: { brandColor: '#0a66c2', logo: logo('white', LOGO) },
}))

/** Two letters, our own drawing. */
const LOGO =
  'M3 9h3.8v12H3zM4.9 3a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4zM9.5 9h3.6v1.7a4.3 4.3 0 0 1 7.9 2.6V21h-3.8v-7a2 2 0 0 0-4 0v7H9.5z'
