import { waitUntil } from 'cloudflare:workers'
import type { Config } from '../config/config.ts'
import { database } from '../storage/database.ts'
import { SharedRead } from '../storage/shared-read.ts'
import { requireStorage, UnavailableError } from '../storage/unavailable-error.ts'
import { type ApiRow, type ClientRow, StoredApi, StoredClient } from './stored-registrations.ts'

/*
 * Each isolate has a copy of all clients and APIs in the database, so that requests usually wait for
 * no query. See docs/decisions/0039-registrations-are-cached-per-isolate.md.
 */

/** A copy that is older is used, and replaced in the background. */
const REFRESH_AGE = 30_000 // milliseconds

/** Changes must take effect within a minute: for a copy that is older, the request waits. */
const MAX_AGE = 60_000 // milliseconds

/** While the database cannot be reached, a copy is used until this age. */
const MAX_OUTAGE_AGE = 600_000 // milliseconds

/** After a refresh in the background has started, or one has failed, no other is started for this long. */
const RETRY_INTERVAL = 5_000 // milliseconds

/**
 * How many ids that are not in a copy are looked up individually, so that a flood of unknown ids does not
 * become a flood of queries. Further new clients are found with the next copy.
 */
const MAX_LOOKUPS = 100

/** All clients and APIs that the database had at one time. */
export interface Snapshot {
  readonly clients: Map<string, StoredClient>
  readonly apis: ReadonlyMap<string, StoredApi>
  /** When the query for it was started, in milliseconds since 1970. */
  readonly loadedAt: number
  /** When the next refresh in the background may start. */
  refreshAt: number
  /** When a refresh has failed that requests have waited for. */
  failedAt: number
  /** How many ids have been looked up individually. */
  lookups: number
}

interface Cache {
  snapshot: Snapshot | undefined
  /** Increases with every change that this isolate makes, so that no older copy replaces it. */
  changes: number
  /** The query that replaces a copy. */
  query: SharedRead<Snapshot>
}

const caches = new WeakMap<Config, Cache>()

/** A copy that is at most a minute old; older while the database cannot be reached. */
export async function readSnapshot(env: Env, config: Config): Promise<Snapshot> {
  const { snapshot } = cacheOf(config)
  const now = Date.now()
  const age = now - (snapshot?.loadedAt ?? 0)
  // A copy from the future has an unknown age: the clock was set back.
  if (!snapshot || age < 0 || age >= MAX_OUTAGE_AGE) return loadSnapshot(env, config)
  if (age >= MAX_AGE) return refreshUnlessUnavailable(env, config, snapshot)
  if (age >= REFRESH_AGE && now >= snapshot.refreshAt) {
    snapshot.refreshAt = now + RETRY_INTERVAL
    waitUntil(refresh(env, config).catch(logFailure))
  }
  return snapshot
}

/**
 * Every request waits for the same query, unless it takes too long or one has just failed: then the former copy
 * is used.
 */
async function refreshUnlessUnavailable(
  env: Env,
  config: Config,
  former: Snapshot,
): Promise<Snapshot> {
  if (Date.now() < former.failedAt + RETRY_INTERVAL) return former
  try {
    return await refresh(env, config)
  } catch (error) {
    logFailure(error)
    former.failedAt = Date.now()
    return former
  }
}

/** Makes this isolate read the database again, because it has just changed it. */
export function dropSnapshot(config: Config): void {
  const cache = cacheOf(config)
  cache.snapshot = undefined
  cache.changes += 1
  cache.query.forget()
}

/**
 * A client that is not in the copy, because it may just have been created. `limit_reached` if it may exist, but
 * is not looked up.
 */
export async function lookUpClient(
  env: Env,
  config: Config,
  { snapshot, clientId }: { snapshot: Snapshot; clientId: string },
): Promise<StoredClient | 'limit_reached' | undefined> {
  if (snapshot.lookups >= MAX_LOOKUPS) return 'limit_reached'
  snapshot.lookups += 1
  const row = await requireStorage(() =>
    database(env)
      .prepare('SELECT * FROM clients WHERE client_id = ?')
      .bind(clientId)
      .first<ClientRow>(),
  )
  if (!row) return undefined
  const client = new StoredClient(config, row)
  snapshot.clients.set(clientId, client)
  return client
}

function refresh(env: Env, config: Config): Promise<Snapshot> {
  return cacheOf(config).query.run(() => loadSnapshot(env, config))
}

async function loadSnapshot(env: Env, config: Config): Promise<Snapshot> {
  const cache = cacheOf(config)
  const { changes, snapshot: former } = cache
  const loadedAt = Date.now()
  const [clients, apis] = await requireStorage(() =>
    database(env).batch([
      database(env).prepare('SELECT * FROM clients ORDER BY client_id'),
      database(env).prepare('SELECT * FROM apis ORDER BY identifier'),
    ]),
  )
  const snapshot: Snapshot = {
    clients: storedClients(config, (clients?.results ?? []) as ClientRow[], former),
    apis: storedApis(config, (apis?.results ?? []) as ApiRow[], former),
    loadedAt,
    refreshAt: 0,
    failedAt: 0,
    lookups: 0,
  }
  // The copy is cached, not its promise: a promise belongs to the request that created it.
  const isNewest = (cache.snapshot?.loadedAt ?? 0) <= loadedAt
  if (isNewest && cache.changes === changes) cache.snapshot = snapshot
  return snapshot
}

/** What is known about unchanged rows is kept, so that a refresh parses nothing again. */
function storedClients(config: Config, rows: readonly ClientRow[], former: Snapshot | undefined) {
  const configured = new Set(config.clients.map(({ client_id }) => client_id))
  const clients = new Map<string, StoredClient>()
  for (const row of rows) {
    if (configured.has(row.client_id)) continue
    const known = former?.clients.get(row.client_id)
    clients.set(row.client_id, known?.isSameAs(row) ? known : new StoredClient(config, row))
  }
  return clients
}

function storedApis(config: Config, rows: readonly ApiRow[], former: Snapshot | undefined) {
  const configured = new Set(config.apis.map(({ identifier }) => identifier))
  const apis = new Map<string, StoredApi>()
  for (const row of rows) {
    if (configured.has(row.identifier)) continue
    const known = former?.apis.get(row.identifier)
    apis.set(row.identifier, known?.isSameAs(row) ? known : new StoredApi(config, row))
  }
  return apis
}

function cacheOf(config: Config): Cache {
  const cache = caches.get(config) ?? { snapshot: undefined, changes: 0, query: new SharedRead() }
  caches.set(config, cache)
  return cache
}

function logFailure(error: unknown): void {
  const cause = error instanceof UnavailableError ? error.cause : error
  console.error(JSON.stringify({ event: 'registrations_unavailable', cause: String(cause) }))
}
