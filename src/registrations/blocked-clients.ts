import type { Client } from '../config/clients.ts'
import { hostsOf, matchesHost } from '../config/unregistered-clients.ts'
import { database } from '../storage/database.ts'

/** Selects the ids of unregistered clients, and the hosts, that are blocked. */
export function selectBlocked(env: Env): D1PreparedStatement {
  return database(env).prepare(
    'SELECT id FROM unregistered_clients WHERE blocked_at IS NOT NULL ORDER BY id',
  )
}

/** Whether an unregistered client, or one of the hosts that it belongs to, is blocked. */
export function isBlocked(
  blocked: readonly string[],
  { client_id, redirect_uris }: Pick<Client, 'client_id' | 'redirect_uris'>,
): boolean {
  const hosts = hostsOf(client_id, redirect_uris)
  return isBlockedId(blocked, { id: client_id, hosts })
}

export function isBlockedId(
  blocked: readonly string[],
  { id, hosts }: { id: string; hosts: readonly string[] },
): boolean {
  return blocked.some((entry) => entry === id || hosts.some((host) => matchesHost(entry, host)))
}
