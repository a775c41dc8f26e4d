import { env } from 'cloudflare:workers'

type ClientRegistration = Record<string, unknown>

/** The clients that vitest.config.ts registers. */
const registered = (env as unknown as { CLIENTS: ClientRegistration[] }).CLIENTS

/** The registered clients with one of them changed, for `serviceWith`. */
export function clientsWith(clientId: string, changes: ClientRegistration): ClientRegistration[] {
  return registered.map((client) =>
    client['client_id'] === clientId ? { ...client, ...changes } : client,
  )
}

/** The registered clients without one of them, for `serviceWith`. */
export function clientsWithout(clientId: string): ClientRegistration[] {
  return registered.filter((client) => client['client_id'] !== clientId)
}
