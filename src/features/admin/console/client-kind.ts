import type { ClientKindName } from '../../../administration/client-kinds.ts'

/** The kind of an app that is registered. */
export function kindOf(registration: Record<string, unknown>): ClientKindName {
  const { application_type, token_endpoint_auth_method, grant_types } = registration
  const grants = Array.isArray(grant_types) ? grant_types : []
  if (grants.includes('client_credentials') && !grants.includes('authorization_code')) {
    return 'machine'
  }
  if (application_type === 'native') return 'native'
  return token_endpoint_auth_method === 'none' ? 'browser' : 'web'
}
