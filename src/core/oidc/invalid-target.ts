import type { Config } from '../config/config.ts'
import { isServiceApi } from '../registration-schemas/apis.ts'
import type { Client } from '../registration-schemas/clients.ts'
import { findApi } from '../registrations/find-api.ts'

/** Longer than the URL of an API usually is. An authorization response has it in its URL. */
const MAX_SHOWN_LENGTH = 200 // characters

/** A parameter of a request, with the characters of an error description (RFC 6749 §5.2). */
export function quoteParameter(value: string): string {
  return value.slice(0, MAX_SHOWN_LENGTH).replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
}

/** Why a client gets no tokens of its users for a resource, and what the operator can do. */
export async function describeTargetError(
  env: Env,
  config: Config,
  { client, resource }: { client: Client; resource: string },
): Promise<string> {
  const shown = quoteParameter(resource)
  if (isServiceApi(config, resource)) {
    return `${shown} accepts tokens of users from clients of this service only: use client_credentials.`
  }
  if ((await findApi(env, config, resource)).kind === 'unusable') {
    return `${shown} is disabled, because an entry is invalid: /readyz says why for APIS, the event registration_invalid of the log for the database.`
  }
  if (client.unregistered) {
    return `${shown} is not open to unregistered clients: register it as an API that is open to them.`
  }
  return `The client may not use ${shown}: add exactly this URL to its resources, or the client to the clients of the API.`
}
