import { waitUntil } from 'cloudflare:workers'
import { recordChange } from '../../administration/registrations/record-change.ts'
import { revokeTokens } from '../../administration/registrations/revoke-tokens.ts'
import type { ListPage } from '../../administration/resources.ts'
import type { AuditOrigin } from '../../core/audit/audit-entry.ts'
import type { Config } from '../../core/config/config.ts'
import type { Client } from '../../core/registration-schemas/clients.ts'
import { RegistrationError } from '../../core/registrations/registration-error.ts'
import { database } from '../../core/storage/database.ts'
import { requireStorage } from '../../core/storage/unavailable-error.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import type { BlockEvent } from './audit-events.ts'
import { dropBlocked, isBlocked, isBlockedId, selectBlocked } from './blocked-clients.ts'
import { unregisteredClientObject } from './client-object.ts'
import { hostsOf, isHost } from './policy.ts'
import type { UnregisteredClient } from './resource.ts'

interface Row {
  id: string
  hosts: string
  name: string | null
  approvals: number
  created_at: number
  approved_at: number | null
  blocked_at: number | null
}

/**
 * Records that a user allows an unregistered client. To be called before it gets anything, so that
 * operators know all clients that have tokens. Returns false if it has been blocked, which this
 * isolate may not know yet.
 */
export async function recordApproval(env: Env, client: Client): Promise<boolean> {
  const { client_id, redirect_uris, unregistered } = client
  const hosts = hostsOf(client_id, redirect_uris).join(' ')
  const [, blocked] = await requireStorage(() =>
    database(env).batch<{ id: string }>([
      database(env)
        .prepare(RECORD_APPROVAL)
        .bind(client_id, hosts, unregistered?.chosenName ?? null, nowInSeconds()),
      selectBlocked(env),
    ]),
  )
  const ids = blocked?.results.map(({ id }) => id) ?? []
  if (isBlocked(ids, client)) return false
  // The user does not wait for it.
  waitUntil(keepMetadata(env, client_id))
  return true
}

/** If this fails, the client is forgotten within a day, and its users are asked again. */
async function keepMetadata(env: Env, clientId: string): Promise<void> {
  try {
    await unregisteredClientObject(env, clientId).recordApproval()
  } catch (error) {
    console.error(JSON.stringify({ event: 'approval_not_kept', clientId, cause: String(error) }))
  }
}

const RECORD_APPROVAL = `
  INSERT INTO unregistered_clients (id, hosts, name, approvals, created_at, approved_at)
  VALUES (?1, ?2, ?3, 1, ?4, ?4)
  ON CONFLICT (id) DO UPDATE SET
    hosts = excluded.hosts,
    name = excluded.name,
    approvals = approvals + 1,
    approved_at = excluded.approved_at`

/**
 * A page of them, the newest first. The cursor has the time and id of the last one of the page
 * before, which may have been deleted. With an invalid cursor, the list starts from the beginning.
 */
export async function listUnregisteredClients(
  env: Env,
  { cursor = '', limit }: { cursor?: string | undefined; limit: number },
): Promise<ListPage<UnregisteredClient>> {
  const [, createdAt = Number.MAX_SAFE_INTEGER, id = ''] = /^(\d+) (.*)$/.exec(cursor) ?? []
  const { results } = await requireStorage(() =>
    database(env)
      .prepare(LIST)
      .bind(Number(createdAt), id, limit + 1)
      .all<Row>(),
  )
  const items = results.slice(0, limit).map(toResource)
  const last = items.at(-1)
  return {
    items,
    ...(results.length > limit && last && { next_cursor: `${last.created_at} ${last.id}` }),
  }
}

function toResource(row: Row): UnregisteredClient {
  const { hosts, name, approved_at, blocked_at } = row
  return {
    ...row,
    hosts: hosts.split(' '),
    name: name ?? undefined,
    approved_at: approved_at ?? undefined,
    blocked_at: blocked_at ?? undefined,
  }
}

/** Without hosts, and clients that nobody has allowed, which are no longer blocked. */
const LIST = `
  SELECT * FROM unregistered_clients
  WHERE (approvals > 0 OR blocked_at IS NOT NULL) AND (created_at, id) < (?1, ?2)
  ORDER BY created_at DESC, id DESC LIMIT ?3`

/** The record of a client or host; an empty one if it is not known, but could be blocked. */
export async function readUnregisteredClient(
  env: Env,
  id: string,
): Promise<UnregisteredClient | undefined> {
  const row = await requireStorage(() => database(env).prepare(READ).bind(id).first<Row>())
  if (row) return toResource(row)
  const hosts = isHost(id) ? [id] : hostsOf(id, [])
  return hosts.length === 0 ? undefined : { id, hosts, approvals: 0, created_at: nowInSeconds() }
}

const READ = 'SELECT * FROM unregistered_clients WHERE id = ?1'

interface BlockChange {
  /** A `client_id`, or a host. `*.example.com` are all subdomains of a domain. */
  id: string
  isBlocked: boolean
  origin: AuditOrigin
}

/**
 * Blocks or unblocks a client, or all clients of a host. A blocked client is rejected everywhere,
 * within a minute. The change is stored before tokens are revoked: a client that users allow from
 * then on is not accepted. If the revocation fails, the change is repeated to complete it.
 */
export async function setBlocked(
  env: Env,
  config: Config,
  { id, isBlocked: isToBeBlocked, origin }: BlockChange,
): Promise<UnregisteredClient> {
  const record = await readUnregisteredClient(env, id)
  if (!record) {
    const message = 'is neither the id of an unregistered client nor a host.'
    throw new RegistrationError({ path: ['id'], code: 'not_found', message })
  }
  const now = nowInSeconds()
  if ((record.blocked_at !== undefined) !== isToBeBlocked) {
    const statement = isToBeBlocked
      ? database(env).prepare(BLOCK).bind(id, record.hosts.join(' '), now)
      : database(env).prepare(UNBLOCK).bind(id)
    const event = isToBeBlocked ? 'client_blocked' : 'client_unblocked'
    await recordChange<BlockEvent>(env, config, {
      statement,
      entry: { ...origin, event, subject: id },
    })
    dropBlocked(config)
  }
  const concerned = await selectConcerned(env, record, isToBeBlocked)
  await revokeTokens(env, config, concerned, isToBeBlocked ? 'disabled' : 'valid from now on')
  const blocked_at = isToBeBlocked ? (record.blocked_at ?? now) : undefined
  return { ...record, blocked_at }
}

const BLOCK = `
  INSERT INTO unregistered_clients (id, hosts, approvals, created_at, blocked_at)
  VALUES (?1, ?2, 0, ?3, ?3)
  ON CONFLICT (id) DO UPDATE SET blocked_at = excluded.blocked_at`

const UNBLOCK = 'UPDATE unregistered_clients SET blocked_at = NULL WHERE id = ?1'

/**
 * Of how many clients of a host tokens are revoked. Anyone can add clients, and verifiers read the
 * list of all revocations. The clients that were allowed most often come first: to hide one
 * that many users have allowed, an account would have to allow all these others as often. The rest
 * is rejected by this service within a minute, and gets no new tokens; only APIs accept the access
 * tokens that it has, until they expire. Blocking such a client by its own id revokes those too.
 */
const MAX_REVOCATIONS = 1000

/** The ids of the clients whose tokens are revoked, or valid again, because of a change. */
async function selectConcerned(
  env: Env,
  record: UnregisteredClient,
  isToBeBlocked: boolean,
): Promise<string[]> {
  const { id } = record
  const statement = id.startsWith('*.')
    ? database(env).prepare(SELECT_OF_SUBDOMAINS).bind(id.slice(1), MAX_REVOCATIONS)
    : database(env).prepare(SELECT_OF_HOST).bind(id, MAX_REVOCATIONS)
  const [blocked, clients] = await requireStorage(() =>
    database(env).batch<Pick<Row, 'id' | 'hosts'>>([selectBlocked(env), statement]),
  )
  const ids = blocked?.results.map((row) => row.id) ?? []
  const ofHost = clients?.results.map((row) => ({ id: row.id, hosts: row.hosts.split(' ') })) ?? []
  const concerned = [record, ...ofHost]
    .filter((client) => isBlockedId(ids, client) === isToBeBlocked)
    .map((client) => client.id)
  return [...new Set(concerned)]
}

/** Spaces mark where a host begins and ends. The id of a client is no host, so it has no others. */
const SELECT_OF_HOST = selectClients("instr(' ' || hosts || ' ', ' ' || ?1 || ' ') > 0")
const SELECT_OF_SUBDOMAINS = selectClients("instr(hosts || ' ', ?1 || ' ') > 0")

function selectClients(condition: string): string {
  return `
  SELECT id, hosts FROM unregistered_clients WHERE approvals > 0 AND ${condition}
  ORDER BY approvals DESC, approved_at DESC LIMIT ?2`
}
