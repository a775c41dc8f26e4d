import type { Config } from '../../core/config/config.ts'
import { type Client, COMMAND_LINE_CLIENT_ID } from '../../core/registration-schemas/clients.ts'
import type { ClientRequest } from '../../core/registrations/feature-members.ts'
import { adminApi } from './admin-api.ts'

/**
 * The client of `npx vestibule-auth login`, with which administrators use the admin API from a
 * command line. It exists without a registration, like the API, and is the only client that may use
 * the API for a user.
 */
function commandLineClient(config: { issuer: string }): Client {
  const { identifier, scopes } = adminApi(config)
  return {
    client_id: COMMAND_LINE_CLIENT_ID,
    client_name: 'Vestibule command line',
    application_type: 'native',
    authenticationMethods: ['none'],
    client_assertion_audience: 'issuer',
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    scope: ['offline_access', ...scopes.map(({ name }) => name)],
    required_scope: ['offline_access', 'admin:read'],
    resources: [identifier],
    redirect_uris: [],
    origins: [],
    post_logout_redirect_uris: [],
    client_secrets_sha256: [],
    first_party: false,
    id_token_claims: 'minimal',
    id_token_signed_response_alg: 'ES256',
    placeholder_email: false,
    introspects: [],
    upstream_scope: [],
  }
}

/** The client, if its id is requested. */
export async function findCommandLineClient(
  _env: Env,
  config: Config,
  { clientId }: ClientRequest,
): Promise<Client | undefined> {
  return clientId === COMMAND_LINE_CLIENT_ID ? commandLineClient(config) : undefined
}
