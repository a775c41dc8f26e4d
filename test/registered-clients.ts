import { env } from 'cloudflare:workers'

interface ClientRegistration {
  client_id: string
}

/** The clients that vitest.config.ts registers. */
export const registeredClients = (env as unknown as { CLIENTS: ClientRegistration[] }).CLIENTS

/** The registered clients with the registrations of some changed, for `serviceWith`. */
export function clientsWith(changes: Record<string, object>): ClientRegistration[] {
  return registeredClients.map((client) => ({ ...client, ...changes[client.client_id] }))
}

/** The registered clients without one of them, for `serviceWith`. */
export function clientsWithout(clientId: string): ClientRegistration[] {
  return registeredClients.filter(({ client_id }) => client_id !== clientId)
}
