import {
  findUnregisteredClient,
  type UnregisteredClientRequest,
} from '../client-metadata/find-unregistered-client.ts'
import { type Client, COMMAND_LINE_CLIENT_ID, isClientId } from '../config/clients.ts'
import { commandLineClient } from '../config/command-line-client.ts'
import type { Config } from '../config/config.ts'
import { acceptsUnregisteredClients } from '../config/unregistered-clients.ts'
import { UnavailableError } from '../storage/unavailable-error.ts'
import { isBlocked } from './blocked-clients.ts'
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
  return found === 'limit_reached' ? undefined : found
}

/** For whom the metadata document of a client is read for the first time. */
type Introduction = Pick<UnregisteredClientRequest, 'requester'>

/**
 * The enabled client with this id, for a request of the client itself. The metadata document of an
 * unregistered client is read if the copy has expired; throws a ClientMetadataError if it cannot be
 * used. Only an authorization request may introduce such a client, for a requester.
 */
export async function findRequestingClient(
  env: Env,
  config: Config,
  {
    clientId,
    introduction,
  }: { clientId: string | undefined; introduction?: Introduction | undefined },
): Promise<Client | undefined> {
  const reading = introduction ? 'any' : 'known'
  const found = await searchClient(env, config, clientId, { reading, ...introduction })
  return found === 'limit_reached' ? undefined : found
}

/**
 * The enabled client with this id, for work that can be repeated later. Throws if it may exist, but
 * was not looked up because of a flood of unknown ids.
 */
export async function findClientOrFail(
  env: Env,
  config: Config,
  clientId: string,
): Promise<Client | undefined> {
  const found = await searchClient(env, config, clientId)
  if (found === 'limit_reached') throw new UnavailableError('The client was not looked up.')
  return found
}

async function searchClient(
  env: Env,
  config: Config,
  clientId: string | null | undefined,
  search: Omit<UnregisteredClientRequest, 'clientId'> = { reading: 'copy' },
): Promise<Client | 'limit_reached' | undefined> {
  if (!clientId) return undefined
  if (clientId === COMMAND_LINE_CLIENT_ID) return commandLineClient(config)
  const configured = config.clients.find(({ client_id }) => client_id === clientId)
  if (configured) return configured
  // The ids of registered clients are neither URLs nor `dyn_…`.
  if (!isClientId(clientId)) return searchUnregistered(env, config, { clientId, ...search })
  const snapshot = await readSnapshot(env, config)
  const stored =
    snapshot.clients.get(clientId) ?? (await lookUpClient(env, config, { snapshot, clientId }))
  return stored === 'limit_reached' ? stored : stored?.enabled
}

/**
 * An unregistered client that is not blocked. Its object is called while the registrations are read,
 * unless that could fetch a document of a blocked host.
 */
async function searchUnregistered(
  env: Env,
  config: Config,
  request: UnregisteredClientRequest,
): Promise<Client | undefined> {
  if (!acceptsUnregisteredClients(config.unregisteredClients)) return undefined
  const find = () => findUnregisteredClient(env, config, request)
  const mayBeNew = request.reading === 'any'
  const [{ blocked }, known] = await Promise.all([
    readSnapshot(env, config),
    mayBeNew ? undefined : find(),
  ])
  if (isBlocked(blocked, { client_id: request.clientId, redirect_uris: [] })) return undefined
  const client = mayBeNew ? await find() : known
  return client && !isBlocked(blocked, client) ? client : undefined
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
