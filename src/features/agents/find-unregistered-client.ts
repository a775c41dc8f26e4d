import { ClientMetadataError } from '../../core/client-metadata/client-metadata-error.ts'
import type { Config } from '../../core/config/config.ts'
import { findBoundTokens } from '../../core/oidc/bound-tokens.ts'
import { type Client, toClient } from '../../core/registration-schemas/clients.ts'
import { clientSchemaOf } from '../../core/registration-schemas/deployment-schemas.ts'
import type { ClientRequest } from '../../core/registrations/feature-members.ts'
import { readSnapshot } from '../../core/registrations/snapshot.ts'
import { BoundedMap } from '../../core/storage/bounded-map.ts'
import { requireStorage } from '../../core/storage/unavailable-error.ts'
import { isBlocked, readBlocked } from './blocked-clients.ts'
import { type KnownClient, unregisteredClientObject } from './client-object.ts'
import { hostsOf, isDocumentId, isDynamicId, policyOf } from './policy.ts'
import { unregisteredScopes } from './registration-fields.ts'

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
 * The unregistered client with this id, if it is not blocked. Its object is called while the blocks
 * are read, unless that could fetch a document of a blocked host. Throws a ClientMetadataError if
 * its metadata document must be read, but cannot be used.
 */
export async function findUnregisteredClient(
  env: Env,
  config: Config,
  request: ClientRequest,
): Promise<Client | undefined> {
  const { clientId, reading } = request
  if (!isDocumentId(clientId, config) && !isDynamicId(clientId, config)) return undefined
  const find = () => readClient(env, config, request)
  const mayBeNew = reading === 'any'
  const [blocked, known] = await Promise.all([
    readBlocked(env, config),
    mayBeNew ? undefined : find(),
    // The APIs, which are needed next.
    readSnapshot(env, config),
  ])
  if (isBlocked(blocked, { client_id: clientId, redirect_uris: [] })) return undefined
  const client = mayBeNew ? await find() : known
  return client && !isBlocked(blocked, client) ? client : undefined
}

async function readClient(
  env: Env,
  config: Config,
  { clientId, reading, requester }: ClientRequest,
): Promise<Client | undefined> {
  const known = copies.get(config) ?? new BoundedMap<string, Copy>(MAX_COPIES)
  copies.set(config, known)
  const copy = known.get(clientId)
  const age = Date.now() - (copy?.readAt ?? 0)
  if (copy && age >= 0 && age < MAX_AGE && (copy.isCurrent || reading === 'copy'))
    return copy.client
  const readAt = Date.now()
  const { issuer, isDevelopment } = config
  const object = unregisteredClientObject(env, clientId)
  const result = await requireStorage(() =>
    reading === 'copy' || isDynamicId(clientId, config)
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
  config: Config,
  clientId: string,
  { metadata, changedAt, keys, secretDigest }: KnownClient,
): Client {
  const { client_name, redirect_uris, application_type, usesRefreshTokens } = metadata
  const { jwks = keys, jwks_uri, authenticationMethod } = metadata
  const { id_token_signed_response_alg, userinfo_signed_response_alg } = metadata
  const hosts = hostsOf(clientId, redirect_uris)
  const registration = clientSchemaOf(config.features).parse({
    client_id: 'unregistered',
    redirect_uris,
    application_type,
    grant_types: usesRefreshTokens
      ? ['authorization_code', 'refresh_token']
      : ['authorization_code'],
    token_endpoint_auth_method: authenticationMethod,
    id_token_signed_response_alg,
    userinfo_signed_response_alg,
    // Without the feature, `token_type` tells the client that its tokens are not bound.
    ...(findBoundTokens(config) && { dpop_bound_access_tokens: metadata.dpop_bound_access_tokens }),
    client_assertion_audience: policyOf(config).client_assertion_audience,
    client_secrets_sha256: secretDigest ? [secretDigest] : [],
    require_pkce: true,
  })
  return {
    ...toClient(registration, config),
    client_id: clientId,
    client_name: hosts.length > MAX_SHOWN_HOSTS ? clientId : hosts.join(', '),
    jwks,
    jwks_uri,
    origins: [],
    // A block is no change of it, and revokes its tokens.
    updatedAt: Number.POSITIVE_INFINITY,
    unregistered: {
      scopesAt: unregisteredScopes,
      changedAt,
      kind: URL.canParse(clientId) ? 'document' : 'registration',
      chosenName: client_name,
    },
  }
}

declare module '../../core/registration-schemas/clients.ts' {
  interface UnregisteredFacts {
    /**
     * How the service knows it: by the metadata document that its id is the URL of, or because it
     * registered itself.
     */
    kind: 'document' | 'registration'
    /**
     * The name that the client has given itself. Its `client_name` is its host, which it cannot
     * choose freely.
     */
    chosenName?: string | undefined
  }
}
