import type { Client } from '../config/clients.ts'
import type { Config } from '../config/config.ts'

/** The app that asks: by the page to return to, or by its authorization request. */
export function askingClient({ clients, issuer }: Config, returnTo: string): Client | undefined {
  // What the parser has written has a slash after its origin.
  const isAt = (origin: string) => returnTo.startsWith(`${origin}/`)
  if (!isAt(issuer)) return clients.find(({ origins }) => origins.some(isAt))
  const asking = new URL(returnTo).searchParams.get('client_id')
  return clients.find(({ client_id }) => client_id === asking)
}
