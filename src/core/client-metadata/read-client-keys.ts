import type { Config } from '../config/config.ts'
import type { Client } from '../registration-schemas/clients.ts'
import type { Jwks } from '../registration-schemas/public-keys.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { ClientMetadataError } from './client-metadata-error.ts'
import { clientMetadataObject } from './client-metadata-object.ts'

/** Changes must take effect within a minute. */
const MAX_AGE = 60_000 // milliseconds

/** The keys that each client had at its `jwks_uri`, and when this isolate read them. */
const keyCopies = new WeakMap<Client, { keys: Jwks; readAt: number }>()

/**
 * The keys of a client at its `jwks_uri`. With `missingKey`, they are read again if the copy is
 * older than a minute. Throws a ClientMetadataError if they cannot be read.
 */
export async function readClientKeys(
  env: Env,
  { issuer, isDevelopment }: Config,
  { client, missingKey }: { client: Client; missingKey: boolean },
): Promise<Jwks> {
  const copy = keyCopies.get(client)
  const age = Date.now() - (copy?.readAt ?? 0)
  if (copy && age >= 0 && age < MAX_AGE && !missingKey) return copy.keys
  const readAt = Date.now()
  const { client_id, jwks_uri = '' } = client
  const reader = { issuer, isDevelopment }
  const result = await requireStorage(() =>
    clientMetadataObject(env, client_id).readKeys(jwks_uri, reader, missingKey),
  )
  const keys = result ?? { reason: 'unreachable', detail: `${jwks_uri} was not read.` }
  if ('reason' in keys) throw new ClientMetadataError(keys)
  keyCopies.set(client, { keys, readAt })
  return keys
}
