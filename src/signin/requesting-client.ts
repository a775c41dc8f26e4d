import { type Client, findClient } from '../config/clients.ts'
import type { Config } from '../config/config.ts'

/**
 * The app a user signs in for: the owner of the page they return to, or the client of the
 * authorization request.
 */
export function requestingClient(config: Config, returnTo: string): Client | undefined {
  const { origin, searchParams } = new URL(returnTo)
  if (origin === config.issuer) return findClient(config, searchParams.get('client_id'))
  return config.clients.find(({ origins }) => origins.includes(origin))
}
