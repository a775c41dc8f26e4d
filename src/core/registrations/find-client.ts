import type { Config } from '../config/config.ts'
import { type Client, isClientId } from '../registration-schemas/clients.ts'
import { UnavailableError } from '../storage/unavailable-error.ts'
import type { ClientRequest } from './feature-members.ts'
import { lookUpClient, readSnapshot } from './snapshot.ts'

/**
 * The enabled client with this id. Those of the settings are found without reading storage; nobody
 * can replace them by a client in the database. An unregistered client is returned as it was when
 * it last sent a request.
 */
export async function findClient(
  env: Env,
  config: Config,
  clientId: string | null | undefined,
): Promise<Client | undefined> {
  const found = await searchClient(env, config, clientId)
  return found === 'unusable' ? undefined : found
}

/**
 * The enabled client with this id, for a request of the client itself. What an unregistered client
 * publishes is read if the copy has expired; throws a ClientMetadataError if it cannot be used. Only
 * an authorization request may introduce such a client, for a requester.
 */
export async function findRequestingClient(
  env: Env,
  config: Config,
  {
    clientId,
    introduction,
  }: {
    clientId: string | undefined
    introduction?: Pick<ClientRequest, 'requester'> | undefined
  },
): Promise<Client | undefined> {
  const reading = introduction ? 'any' : 'known'
  const found = await searchClient(env, config, clientId, { reading, ...introduction })
  return found === 'unusable' ? undefined : found
}

/**
 * The enabled client with this id, for work that can be repeated later. Throws if it may exist, but
 * its registration is invalid, or was not looked up because of a flood of unknown ids.
 */
export async function findClientOrFail(
  env: Env,
  config: Config,
  clientId: string,
): Promise<Client | undefined> {
  const found = await searchClient(env, config, clientId)
  if (found === 'unusable') throw new UnavailableError('The client cannot be used now.')
  return found
}

async function searchClient(
  env: Env,
  config: Config,
  clientId: string | null | undefined,
  search: Omit<ClientRequest, 'clientId'> = { reading: 'copy' },
): Promise<Client | 'unusable' | undefined> {
  if (!clientId) return undefined
  const configured = config.clients.find(({ client_id }) => client_id === clientId)
  if (configured) return configured
  if (config.disabledClients.includes(clientId)) return 'unusable'
  if (!isClientId(clientId)) return findByFeatures(env, config, { clientId, ...search })
  const snapshot = await readSnapshot(env, config)
  const stored =
    snapshot.clients.get(clientId) ?? (await lookUpClient(env, config, { snapshot, clientId }))
  if (stored === 'limit_reached') return 'unusable'
  return stored?.enabled ?? (stored?.isInvalid ? 'unusable' : undefined)
}

/** Features find only clients that nobody can register, so that they replace no registered one. */
async function findByFeatures(
  env: Env,
  config: Config,
  request: ClientRequest,
): Promise<Client | undefined> {
  for (const feature of config.features) {
    const found = await feature.findClient?.(env, config, request)
    if (found?.client_id === request.clientId) return found
  }
  return undefined
}

/** The enabled client that has a redirect URI with this origin; those of the settings first. */
export async function findClientByOrigin(
  env: Env,
  config: Config,
  origin: string,
): Promise<Client | undefined> {
  const configured = config.clients.find(({ origins }) => origins.includes(origin))
  // `null` and URLs of other schemes are not origins that a client can have.
  if (configured || !/^https?:/.test(origin)) return configured
  const { clients } = await readSnapshot(env, config)
  for (const stored of clients.values()) {
    if (stored.origins.includes(origin) && stored.enabled) return stored.enabled
  }
  return undefined
}

/**
 * The ids and origins that are registered, for the developer of an app. Only in development, where
 * an unknown id may cost a query.
 */
export async function listForDeveloper(
  env: Env,
  config: Config,
): Promise<{ ids: string[]; origins: string[] } | undefined> {
  if (!config.isDevelopment) return undefined
  const snapshot = await readSnapshot(env, config).catch(() => undefined)
  const stored = [...(snapshot?.clients.values() ?? [])]
  const origins = [...config.clients, ...stored].flatMap((client) => client.origins)
  return {
    ids: [...config.clients.map(({ client_id }) => client_id), ...(snapshot?.clients.keys() ?? [])],
    origins: [...new Set(origins)],
  }
}
