import { ADMIN_SCOPES } from '../../administration/admin-scopes.ts'
import type { Api } from '../../core/registration-schemas/apis.ts'
import { COMMAND_LINE_CLIENT_ID } from '../../core/registration-schemas/clients.ts'

/** The API of `/admin/api`. It exists without a registration, for machine clients and administrators. */
export function adminApi({ issuer }: { issuer: string }): Api {
  return {
    identifier: `${issuer}/admin/api`,
    name: 'Administration',
    scopes: [...ADMIN_SCOPES],
    access_token_type: 'at+jwt',
    access_token_signing_alg: 'ES256',
    single_audience: false,
    // Besides machine clients, which list it in their resources.
    clients: [COMMAND_LINE_CLIENT_ID],
    client_credentials: true,
  }
}
