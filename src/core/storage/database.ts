/** The version of the schema that the migrations create. Each migration sets it. */
export const SCHEMA_VERSION = 5

/** The tables that the migrations create. */
export const TABLES = [
  'users',
  'accounts',
  'clients',
  'apis',
  'unregistered_clients',
  'webhooks',
  'webhook_deliveries',
  'administrators',
  'audit',
  'audit_marks',
  'audit_export',
  'counters',
  'object_location',
  'schema_version',
] as const

/**
 * The D1 database. Each table is read and written by one folder: `users`, `registrations`, `audit`,
 * `storage`, or that of a feature.
 */
export function database(env: Env): D1Database {
  return env.DIRECTORY
}
