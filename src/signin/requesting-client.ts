import type { Client } from '../config/clients.ts'
import type { Config } from '../config/config.ts'
import { findClient, findClientByOrigin } from '../registrations/find-client.ts'

/**
 * The app a user signs in for: the owner of the page they return to, or the client of the
 * authorization request.
 */
export function requestingClient(
  env: Env,
  config: Config,
  returnTo: string,
): Promise<Client | undefined> {
  const { origin, searchParams } = new URL(returnTo)
  if (origin === config.issuer) return findClient(env, config, searchParams.get('client_id'))
  return findClientByOrigin(env, config, origin)
}
