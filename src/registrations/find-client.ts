import { type Client, isClientId } from '../config/clients.ts'
import type { Config } from '../config/config.ts'
import { UnavailableError } from '../storage/unavailable-error.ts'
import { lookUpClient, readSnapshot } from './snapshot.ts'

/**
 * The enabled client with this id. Those of the settings are found without reading storage; nobody
 * can replace them by a client in the database.
 */
export async function findClient(
  env: Env,
  config: Config,
  clientId: string | null | undefined,
): Promise<Client | undefined> {
  const found = await searchClient(env, config, clientId)
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
): Promise<Client | 'limit_reached' | undefined> {
  if (!clientId) return undefined
  const configured = config.clients.find(({ client_id }) => client_id === clientId)
  if (configured || !isClientId(clientId)) return configured
  const snapshot = await readSnapshot(env, config)
  const stored =
    snapshot.clients.get(clientId) ?? (await lookUpClient(env, config, { snapshot, clientId }))
  return stored === 'limit_reached' ? stored : stored?.enabled
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
