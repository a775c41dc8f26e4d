import { type Api, apiSchema } from '../config/apis.ts'
import type { ClientSource } from './client-record.ts'
import { type ApiRow, apiRegistration } from './stored-registrations.ts'

/** The fields of `[[vars.APIS]]` with their defaults, without its secrets. */
type ApiRegistration = Omit<Api, 'secrets_sha256'>

/** An API as administrators see it. */
export interface ApiRecord {
  registration: ApiRegistration
  /** How many secrets are valid for introspection. */
  secretCount: number
  source: ClientSource
  /** In seconds since 1970, like the other time. */
  createdAt?: number
  updatedAt?: number
}

/** An API of the settings, or the one of this service. */
export function configuredApiRecord({ secrets_sha256, ...registration }: Api): ApiRecord {
  return { registration, secretCount: secrets_sha256.length, source: 'settings' }
}

/** An API in the database. One with an invalid registration is shown as it is stored. */
export function storedApiRecord(row: ApiRow): ApiRecord {
  const stored = apiRegistration(row)
  const { secrets_sha256, ...registration } =
    apiSchema.safeParse(stored).data ?? (stored as unknown as Api)
  return {
    registration,
    secretCount: secrets_sha256?.length ?? 0,
    source: 'database',
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
