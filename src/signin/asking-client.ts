import type { Client } from '../clients.ts'
import type { Config } from '../config.ts'

/** The app that asks: by the page to return to, or by its authorization request. */
export function askingClient({ clients, issuer }: Config, returnTo: string): Client | undefined {
  const url = new URL(returnTo)
  const { origin } = url
  if (origin !== issuer) return clients.find(({ origins }) => origins.includes(origin))
  const asking = url.searchParams.get('client_id')
  return clients.find(({ client_id }) => client_id === asking)
}
