import { type Client, clientSchema, toClient } from '../config/clients.ts'
import type { Config } from '../config/config.ts'
import type { Jwks } from '../config/public-keys.ts'
import { hostsOf, isDocumentId, isDynamicId } from '../config/unregistered-clients.ts'
import type { Requester } from '../limits/network.ts'
import { BoundedMap } from '../storage/bounded-map.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { ClientMetadataError } from './client-metadata-error.ts'
import { clientMetadataObject, type KnownClient } from './client-metadata-object.ts'

/** Changes must take effect within a minute. */
const MAX_AGE = 60_000 // milliseconds

const MAX_COPIES = 1000

interface Copy {
  client: Client
  /** When it was read, in milliseconds since 1970. */
  readAt: number
  /** Whether it is as its document described it then. */
  isCurrent: boolean
}

/** The clients that this isolate has read, by id. */
const copies = new WeakMap<Config, Map<string, Copy>>()

/**
 * Which metadata documents are read if the copy has expired: none, those that were read before, or
 * any.
 */
export type DocumentReading = 'copy' | 'known' | 'any'

/** Which unregistered client is needed, and for whom, because new documents are limited. */
export interface UnregisteredClientRequest {
  clientId: string
  reading: DocumentReading
  requester?: Requester
}

/**
 * The unregistered client with this id. Throws a ClientMetadataError if its metadata document must
 * be read, but cannot be used.
 */
export async function findUnregisteredClient(
  env: Env,
  config: Config,
  { clientId, reading, requester }: UnregisteredClientRequest,
): Promise<Client | undefined> {
  const isDocument = isDocumentId(clientId, config)
  if (!isDocument && !isDynamicId(clientId, config)) return undefined
  const known = copies.get(config) ?? new BoundedMap<string, Copy>(MAX_COPIES)
  copies.set(config, known)
  const copy = known.get(clientId)
  const age = Date.now() - (copy?.readAt ?? 0)
  if (copy && age >= 0 && age < MAX_AGE && (copy.isCurrent || reading === 'copy'))
    return copy.client
  const readAt = Date.now()
  const { issuer, isDevelopment } = config
  const object = clientMetadataObject(env, clientId)
  const result = await requireStorage(() =>
    reading === 'copy' || !isDocument
      ? object.readCopy()
      : object.readDocument(
          clientId,
          { issuer, isDevelopment },
          reading === 'any' ? { requester } : undefined,
        ),
  )
  if (result && 'reason' in result) throw new ClientMetadataError(result)
  if (!result) return undefined
  const client = toUnregisteredClient(config, clientId, result)
  known.set(clientId, { client, readAt, isCurrent: reading !== 'copy' })
  return client
}

/** A client that registers itself could otherwise hide its host among others. */
const MAX_SHOWN_HOSTS = 3

/**
 * It is never first-party, reads no session, needs PKCE, and gets no tokens for itself. Which APIs
 * it may use is for their registrations to say.
 */
function toUnregisteredClient(
  { isDevelopment, unregisteredClients: { client_assertion_audience } }: Config,
  clientId: string,
  { metadata, changedAt, keys, secretDigest }: KnownClient,
): Client {
  const { client_name, redirect_uris, application_type, usesRefreshTokens } = metadata
  const { jwks = keys, jwks_uri, authenticationMethod } = metadata
  const { id_token_signed_response_alg, userinfo_signed_response_alg } = metadata
  const hosts = hostsOf(clientId, redirect_uris)
  const registration = clientSchema.parse({
    client_id: 'unregistered',
    redirect_uris,
    application_type,
    grant_types: usesRefreshTokens
      ? ['authorization_code', 'refresh_token']
      : ['authorization_code'],
    token_endpoint_auth_method: authenticationMethod,
    id_token_signed_response_alg,
    userinfo_signed_response_alg,
    client_assertion_audience,
    client_secrets_sha256: secretDigest ? [secretDigest] : [],
    require_pkce: true,
  })
  return {
    ...toClient(registration, isDevelopment),
    client_id: clientId,
    client_name: hosts.length > MAX_SHOWN_HOSTS ? clientId : hosts.join(', '),
    chosenName: client_name,
    jwks,
    jwks_uri,
    origins: [],
    unregistered: URL.canParse(clientId) ? 'document' : 'registration',
    changedAt,
  }
}

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
  const { client_id, jwks_uri = '', unregistered } = client
  const reader = { issuer, isDevelopment }
  const isRegistered = !unregistered
  const result = await requireStorage(() =>
    clientMetadataObject(env, client_id).readKeys(jwks_uri, reader, { isRegistered, missingKey }),
  )
  const keys = result ?? { reason: 'unreachable', detail: `${jwks_uri} was not read.` }
  if ('reason' in keys) throw new ClientMetadataError(keys)
  keyCopies.set(client, { keys, readAt })
  return keys
}
