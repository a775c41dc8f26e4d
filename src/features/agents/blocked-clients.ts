import type { Config } from '../../core/config/config.ts'
import type { Client } from '../../core/registration-schemas/clients.ts'
import { database } from '../../core/storage/database.ts'
import { IsolateCache } from '../../core/storage/isolate-cache.ts'
import { requireStorage } from '../../core/storage/unavailable-error.ts'
import { hostsOf, matchesHost } from './policy.ts'

const cache = new IsolateCache<readonly string[]>({
  failureEvent: 'registrations_unavailable',
  maxOutageAge: 600_000, // a blocked client must not be accepted for longer
})

/**
 * The ids of unregistered clients, and the hosts, that are blocked. The copy is at most a minute
 * old; older while the database cannot be reached.
 */
export async function readBlocked(env: Env, config: Config): Promise<readonly string[]> {
  return cache.get(config, async () => {
    const { results } = await requireStorage(() => selectBlocked(env).all<{ id: string }>())
    return results.map(({ id }) => id)
  })
}

/** Makes this isolate read the database again, because it has just changed it. */
export function dropBlocked(config: Config): void {
  cache.forget(config)
}

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
