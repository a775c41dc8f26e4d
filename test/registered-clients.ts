import { env } from 'cloudflare:workers'

const registered = (env as unknown as { CLIENTS: { client_id: string }[] }).CLIENTS

/** The setting `CLIENTS` of the tests, with the registrations of some clients changed. */
export function clientsWith(changes: Record<string, object>): object[] {
  return registered.map((client) => ({ ...client, ...changes[client.client_id] }))
}
