import { type Client, clientSchema, type Registration } from '../config/clients.ts'
import { type ClientRow, clientRegistration } from './stored-registrations.ts'

/** Clients of the settings cannot be changed at runtime. */
export type ClientSource = 'settings' | 'database'

/** The fields of `[[vars.CLIENTS]]` with their defaults, without its secrets. */
type ClientRegistration = Omit<Registration, 'client_secrets_sha256'>

/** A client as administrators see it. */
export interface ClientRecord {
  registration: ClientRegistration
  /** How many secrets are valid. */
  secretCount: number
  source: ClientSource
  /** In seconds since 1970, like the other times. */
  disabledAt?: number
  createdAt?: number
  updatedAt?: number
}

/** A client of the settings. */
export function configuredClientRecord(client: Client): ClientRecord {
  const {
    authenticationMethods,
    origins: _,
    registeredAt: __,
    scope,
    required_scope,
    client_secrets_sha256,
    ...fields
  } = client
  const [method, ...furtherMethods] = authenticationMethods
  return {
    registration: {
      ...fields,
      scope: scope.join(' '),
      ...(required_scope.length > 0 && { required_scope: required_scope.join(' ') }),
      ...(furtherMethods.length === 0 && { token_endpoint_auth_method: method }),
    },
    secretCount: client_secrets_sha256.length,
    source: 'settings',
  }
}

/** A client in the database. One with an invalid registration is shown as it is stored. */
export function storedClientRecord(row: ClientRow): ClientRecord {
  const stored = clientRegistration(row)
  const registration = clientSchema.safeParse(stored).data ?? (stored as unknown as Registration)
  const { client_secrets_sha256, ...fields } = registration
  return {
    registration: fields,
    secretCount: client_secrets_sha256?.length ?? 0,
    source: 'database',
    ...(row.disabled_at !== null && { disabledAt: row.disabled_at }),
    ...(row.created_at > 0 && { createdAt: row.created_at }),
    updatedAt: row.updated_at,
  }
}
