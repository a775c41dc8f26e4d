import type { Client } from '../config/clients.ts'
import type { Config } from '../config/config.ts'
import type { AppContext } from '../http/app-env.ts'
import { addToLog } from '../http/request-log.ts'
import { findClient, findClientByOrigin } from '../registrations/find-client.ts'
import type { SignInMethod } from '../upstream/sign-in-methods.ts'

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

/** Adds the provider and the requesting app to the log line of a step of a sign-in. */
export function logSignIn(c: AppContext, { id }: SignInMethod, client: Client | undefined): void {
  addToLog(c, { provider: id, ...(client && { clientId: client.client_id }) })
}
