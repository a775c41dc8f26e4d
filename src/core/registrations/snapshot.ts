import type { Config } from '../config/config.ts'
import { database } from '../storage/database.ts'
import { IsolateCache } from '../storage/isolate-cache.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import {
  APIS,
  CLIENTS,
  type Row,
  StoredApi,
  StoredClient,
  type StoredRegistration,
  selectRow,
  selectRows,
} from './stored-registrations.ts'

/**
 * How many ids that are not in a copy are looked up individually, so that a flood of unknown ids
 * does not become a flood of queries. Further new clients are found with the next copy.
 */
const MAX_LOOKUPS = 100

/**
 * For how long other isolates may use an earlier copy, and issue tokens to a client that was disabled
 * or lost a secret.
 */
export const COPY_LIFETIME = 65 // seconds

/** All clients and APIs that the database had at one time. */
export interface Snapshot {
  readonly clients: Map<string, StoredClient>
  readonly apis: ReadonlyMap<string, StoredApi>
  /** How many ids have been looked up individually. */
  lookups: number
}

/** See docs/decisions/0039-registrations-are-cached-per-isolate.md. */
const cache = new IsolateCache<Snapshot>({
  failureEvent: 'registrations_unavailable',
  maxOutageAge: 600_000, // a disabled client must not be accepted for longer
})

/** A copy that is at most a minute old; older while the database cannot be reached. */
export async function readSnapshot(env: Env, config: Config): Promise<Snapshot> {
  return cache.get(config, (former) => loadSnapshot(env, config, former))
}

/** Makes this isolate read the database again, because it has just changed it. */
export function dropSnapshot(config: Config): void {
  cache.forget(config)
}

/**
 * A client that is not in the copy, because it may just have been created. `limit_reached` if it
 * may exist, but is not looked up.
 */
export async function lookUpClient(
  env: Env,
  config: Config,
  { snapshot, clientId }: { snapshot: Snapshot; clientId: string },
): Promise<StoredClient | 'limit_reached' | undefined> {
  if (snapshot.lookups >= MAX_LOOKUPS) return 'limit_reached'
  snapshot.lookups += 1
  const row = await requireStorage(() => selectRow(env, CLIENTS, clientId).first<Row>())
  if (!row) return undefined
  const client = new StoredClient(config, row)
  snapshot.clients.set(clientId, client)
  return client
}

async function loadSnapshot(
  env: Env,
  config: Config,
  former: Snapshot | undefined,
): Promise<Snapshot> {
  const configuredClients = [
    ...config.clients.map(({ client_id }) => client_id),
    ...config.disabledClients,
  ]
  const configuredApis = [
    ...config.apis.map(({ identifier }) => identifier),
    ...config.disabledApis,
  ]
  const [clients, apis] = await requireStorage(() =>
    database(env).batch<Row>([selectRows(env, CLIENTS), selectRows(env, APIS)]),
  )
  return {
    clients: mapRows(
      clients?.results.filter(({ id }) => !configuredClients.includes(id)),
      former?.clients,
      (row) => new StoredClient(config, row),
    ),
    apis: mapRows(
      apis?.results.filter(({ id }) => !configuredApis.includes(id)),
      former?.apis,
      (row) => new StoredApi(config, row),
    ),
    lookups: 0,
  }
}

/** What is known about unchanged rows is kept, so that a refresh parses nothing again. */
function mapRows<Stored extends StoredRegistration<unknown>>(
  rows: readonly Row[] = [],
  former: ReadonlyMap<string, Stored> | undefined,
  create: (row: Row) => Stored,
): Map<string, Stored> {
  const entries = rows.map((row) => {
    const known = former?.get(row.id)
    return [row.id, known?.isSameAs(row) ? known : create(row)] as const
  })
  return new Map(entries)
}
