import type { Client } from '../clients.ts'
import type { Config } from '../config.ts'

/** The app that asks: by the page to return to, or by its authorization request. */
export function askingClient({ clients, issuer }: Config, returnTo: string): Client | undefined {
  const { origin, searchParams } = new URL(returnTo)
  return clients.find(({ client_id, origins }) =>
    origin === issuer ? client_id === searchParams.get('client_id') : origins.includes(origin),
  )
}
