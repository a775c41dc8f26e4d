import { nowInSeconds } from '../../foundation/values/clock.ts'
import { parseJson } from '../../foundation/values/json.ts'
import type { AuditOrigin, RecordedEntry } from '../audit/audit-entry.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { type AuditRow, toEntry } from '../audit/audit-rows.ts'
import type { Config } from '../config/config.ts'
import { database } from '../storage/database.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import type { StoredUser } from './directory-rows.ts'
import { readUserRows } from './linked-accounts.ts'
import { callUserObject } from './user-object.ts'

/** The number of audit entries that are read at once. */
const ENTRIES_PER_QUERY = 1000

/**
 * Everything that is stored about a user, except for tokens, secrets and their digests; `undefined`
 * if there is no such user. Times are in seconds since 1970. Records that it was exported.
 */
export async function exportUser(
  env: Env,
  config: Config,
  { userId, origin }: { userId: string; origin: AuditOrigin },
): Promise<Record<string, unknown> | undefined> {
  const directory = await readUserRows(env, userId)
  if (!directory) return undefined
  const [stored, auditEntries] = await Promise.all([
    callUserObject(env, userId, (object) => object.readUserData()),
    requireStorage(() => readAllEntries(env, userId)),
  ])
  await requireStorage(() =>
    recordAuditEntry(env, config, { ...origin, event: 'user_exported', subject: userId }),
  )
  return {
    exported_at: nowInSeconds(),
    issuer: config.issuer,
    user: withoutCopy(directory.user),
    // The columns that this version does not use are left out.
    accounts: directory.accounts.map(
      ({ user_id: _, passkey: __, inserted_at: ___, ...account }) => account,
    ),
    sessions: stored.sessions.map((session) => ({
      sid: session.sid,
      is_bound: session.isBound,
      device: session.device,
      place: session.place,
      provider: session.provider,
      authenticated_at: session.authenticatedAt,
      last_used_at: session.lastUsedAt,
      client_ids: session.clientIds,
    })),
    consents: stored.consents.map(({ clientId, scope, resources, declined }) => ({
      client_id: clientId,
      scope,
      resources,
      declined,
    })),
    grants: stored.grants.map(({ clientId, sid, scope, resources, since, expiresAt }) => ({
      client_id: clientId,
      sid,
      scope,
      resources,
      since,
      expires_at: expiresAt,
    })),
    provider_profiles: stored.accounts.map((account) => ({
      provider: account.provider,
      issuer: account.issuer,
      provider_account_id: account.accountId,
      scope: account.scope,
      read_at: account.readAt,
      fields: { ...(parseJson(account.profileFields ?? '{}') as object), ...account.extras },
      unverified_email: account.unverifiedEmail,
      has_provider_tokens: account.hasProviderTokens,
      tokens_refreshed_at: account.refreshedAt,
    })),
    sign_in_changes: stored.methodChanges,
    ...(parseJson(stored.featureRecords) as object),
    pending_logout_notices: stored.logoutNotices.map(({ clientId, sid, attempts, dueAt }) => ({
      client_id: clientId,
      sid,
      attempts,
      due_at: dueAt,
    })),
    audit: auditEntries.map((entry) => describeEntry(entry, userId)),
  }
}

/** The copies are part of what features export. */
function withoutCopy({ roles: _, ...user }: StoredUser) {
  return user
}

/**
 * What administrators and clients of the admin API did is included, but not who and where they are.
 */
function describeEntry({ requestId, ...entry }: RecordedEntry, userId: string) {
  if (entry.actor === userId) return { ...entry, request_id: requestId }
  const { network: _, ...rest } = entry
  return { ...rest, actor: describeActor(entry.actor) }
}

/** Users other than the exported one are administrators. */
function describeActor(actor: string): string {
  if (actor.startsWith('usr_')) return 'administrator'
  return actor.startsWith('client:') ? 'client' : actor
}

async function readAllEntries(env: Env, userId: string): Promise<RecordedEntry[]> {
  const entries: RecordedEntry[] = []
  for (;;) {
    const last = entries.at(-1)?.id
    const { results } = await database(env)
      .prepare(
        `SELECT * FROM audit WHERE subject = ? ${last ? 'AND id < ?' : ''} ORDER BY id DESC LIMIT ?`,
      )
      .bind(userId, ...(last ? [last] : []), ENTRIES_PER_QUERY)
      .all<AuditRow>()
    entries.push(...results.map(toEntry))
    if (results.length < ENTRIES_PER_QUERY) return entries
  }
}
