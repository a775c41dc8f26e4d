import type { Config } from '../../core/config/config.ts'
import type { Client } from '../../core/registration-schemas/clients.ts'
import { hasWildcard, wildcardOf } from '../../core/registration-schemas/wildcard.ts'
import { readSnapshot } from '../../core/registrations/snapshot.ts'
import { matchesPreviewOrigin } from './wildcard-patterns.ts'

/** Whether the wildcard of an enabled client stands for this origin. */
export async function isPreviewOrigin(env: Env, config: Config, origin: string): Promise<boolean> {
  const matches = (client: Client) => {
    const wildcard = wildcardOf(client)
    return wildcard !== undefined && matchesPreviewOrigin(wildcard, origin)
  }
  if (config.clients.some(matches)) return true
  const { clients } = await readSnapshot(env, config)
  for (const stored of clients.values()) {
    // Most registrations are not parsed, because they have no wildcard.
    const mayMatch = hasWildcard(stored.row.registration)
    if (mayMatch && stored.enabled && matches(stored.enabled)) return true
  }
  return false
}
