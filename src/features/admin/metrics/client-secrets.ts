import { clientStore } from '../../../administration/registrations/client-store.ts'
import type { Config } from '../../../core/config/config.ts'
import { withDeadline } from '../../../core/fetch/deadline.ts'
import { requireStorage } from '../../../core/storage/unavailable-error.ts'
import { metricsObject } from './metrics-object.ts'

/** A secret of a client, without the secret itself. */
export interface ClientSecret {
  id: string
  /** In seconds since 1970. Absent if it was created before this was recorded. */
  createdAt?: number
  /** The last day on which the client authenticated with it, such as 2026-11-18, in UTC. */
  lastUsedOn?: string
}

/** The valid secrets of a client, the newest first. */
export async function readClientSecrets(
  env: Env,
  config: Config,
  clientId: string,
): Promise<ClientSecret[]> {
  const [secrets, records] = await Promise.all([
    clientStore.listSecrets(env, config, clientId),
    requireStorage(async () => metricsObject(env).readSecrets(clientId)),
  ])
  return secrets.flatMap((ids) => {
    const known = ids.flatMap((id) => records[id] ?? [])
    const createdAt = known.find((record) => record.createdAt !== undefined)?.createdAt
    // An older AUTH_SECRET has given it another id. Days sort like texts.
    const [lastUsedOn] = known
      .flatMap(({ usedOn }) => usedOn ?? [])
      .sort()
      .reverse()
    const [id] = ids
    if (id === undefined) return []
    return [
      { id, ...(createdAt !== undefined && { createdAt }), ...(lastUsedOn && { lastUsedOn }) },
    ]
  })
}

/** Longer than a working object needs. */
const DEADLINE = 2_000 // milliseconds

/**
 * Records that the newest secret of a client was just created, and forgets those that it has no
 * more. Without the object of the metrics, the time stays unknown, and nothing else happens.
 */
export async function recordSecretChange(
  env: Env,
  config: Config,
  { clientId, isCreated }: { clientId: string; isCreated: boolean },
): Promise<void> {
  const record = async () => {
    const secrets = await clientStore.listSecrets(env, config, clientId)
    const createdId = isCreated ? secrets[0]?.[0] : undefined
    await metricsObject(env).keepSecrets(clientId, secrets.flat(), createdId)
  }
  try {
    await withDeadline(record(), DEADLINE, () => new Error('The object took too long.'))
  } catch (error) {
    console.error(JSON.stringify({ event: 'secret_uses_failed', cause: String(error) }))
  }
}
