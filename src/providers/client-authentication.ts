import * as oauth from 'oauth4webapi'
import type { ResolvedProvider } from './resolve.ts'

/** How this provider wants to see our secret: as configured, else in the body, else as it says it can. */
export async function clientAuthentication(
  provider: ResolvedProvider,
  server: oauth.AuthorizationServer,
  clientSecret: string,
): Promise<oauth.ClientAuth> {
  const { client, clientIdParameter } = provider
  const supported = server.token_endpoint_auth_methods_supported
  const fallback =
    !supported || supported.includes('client_secret_post')
      ? 'client_secret_post'
      : 'client_secret_basic'
  const method = client['token_endpoint_auth_method'] ?? fallback
  if (method === 'none') return oauth.None()
  const secret = await provider.secret(clientSecret, provider.clientId)
  if (method === 'client_secret_basic') return oauth.ClientSecretBasic(secret)
  return (_server, { client_id }, body) => {
    body.set(clientIdParameter, client_id)
    body.set('client_secret', secret)
  }
}
