import { listAuditEntries } from '../../../administration/read-audit.ts'
import { toSnakeCase } from '../../../administration/resources.ts'
import type { AuditOrigin } from '../../../core/audit/audit-entry.ts'
import {
  auditStatements,
  auditStatementsIfChanged,
  recordAuditEntry,
} from '../../../core/audit/audit-log.ts'
import type { Config } from '../../../core/config/config.ts'
import { database } from '../../../core/storage/database.ts'
import { requireStorage } from '../../../core/storage/unavailable-error.ts'
import { HOLDERS, holderBindings, lastOwnerError } from '../../../core/users/administrators.ts'
import { type AccountRow, toLinkedAccount } from '../../../core/users/directory-rows.ts'
import { readUserRows } from '../../../core/users/linked-accounts.ts'
import { confirmedAccounts } from '../../../core/users/unconfirmed-accounts.ts'
import { callUserObject } from '../../../core/users/user-object.ts'
import { nowInSeconds } from '../../../foundation/values/clock.ts'
import { parseJsonObject } from '../../../foundation/values/json.ts'
import type { UserDetails } from '../resources/user.ts'
import { readLastSignIns } from '../sign-in-counts.ts'
import { toUser } from './search-users.ts'

/** How many sign-ins the details of a user contain. */
const RECENT_SIGN_INS = 20

/** An administrator's change to a user. */
interface UserChange {
  userId: string
  origin: AuditOrigin
}

/** Everything an administrator sees about a user, or `undefined` if there is no such user. */
export async function readUserDetails(
  env: Env,
  config: Config,
  userId: string,
): Promise<UserDetails | undefined> {
  const directory = await readUserRows(env, userId)
  if (!directory) return undefined
  const [stored, signIns, lastSignIns] = await Promise.all([
    callUserObject(env, userId, (object) => object.readUserData()),
    requireStorage(() =>
      listAuditEntries(env, { subject: userId, event: 'sign_in', limit: RECENT_SIGN_INS }),
    ),
    requireStorage(() => readLastSignIns(env, userId)),
  ])
  const { user, accounts } = directory
  // If two administrators blocked and unblocked the user at the same time, only the object may be
  // blocked.
  const blocked_at = user.blocked_at ?? stored.blockedAt
  const passkeys = listPasskeys(stored.featureRecords)
  return {
    ...toUser(user, []),
    ...(user.url && { url: user.url }),
    ...(user.former_id && { former_id: user.former_id }),
    ...(blocked_at !== undefined && { blocked_at }),
    is_block_incomplete:
      user.blocked_at === null
        ? stored.blockedAt !== undefined
        : stored.blockedAt === undefined && stored.sessions.length + stored.grants.length > 0,
    accounts: describeAccounts(config, accounts).map((account) => ({
      ...account,
      last_used_at: lastUse(account, { accounts, passkeys, lastSignIns }),
    })),
    sessions: toSnakeCase(stored.sessions),
    consents: toSnakeCase(stored.consents),
    grants: toSnakeCase(stored.grants),
    ...rolesIn(stored.featureRecords),
    passkeys,
    recent_sign_ins: toSnakeCase(signIns.entries),
  }
}

type Account = UserDetails['accounts'][number]

interface Uses {
  accounts: readonly AccountRow[]
  passkeys: UserDetails['passkeys']
  lastSignIns: ReadonlyMap<string, number>
}

/** The audit log names the provider of a sign-in, and not the account. Passkeys know their own. */
function lastUse(
  { provider, account_id }: Account,
  { accounts, passkeys, lastSignIns }: Uses,
): number | undefined {
  const passkey = passkeys.find(({ credential_id }) => credential_id === account_id)
  if (provider === 'passkey' && passkey) return passkey.last_used_at
  const isOnly = accounts.filter((account) => account.provider === provider).length === 1
  return isOnly ? lastSignIns.get(provider) : undefined
}

/** A passkey as an export of the user's data has it. */
type ExportedPasskey = Omit<UserDetails['passkeys'][number], 'counter'> & {
  public_key: unknown
  signature_counter: number
}

/** The passkeys in what features export; none if the deployment does not have them. */
function listPasskeys(featureRecords: string): UserDetails['passkeys'] {
  const passkeys = (parseJsonObject(featureRecords)?.['passkeys'] ?? []) as ExportedPasskey[]
  return passkeys.map(({ public_key: _, signature_counter: counter, ...passkey }) => ({
    ...passkey,
    counter,
  }))
}

/** The same of roles, of which there may be none. */
function rolesIn(featureRecords: string): Pick<UserDetails, 'roles'> {
  const roles = parseJsonObject(featureRecords)?.['roles']
  return Array.isArray(roles) ? { roles } : {}
}

/**
 * Ends one session of a user, or all of them, with their grants. Clients are notified. A session
 * that has already ended is not recorded. Returns how many have ended; undefined if there is no such
 * user.
 */
export async function endUserSessions(
  env: Env,
  config: Config,
  { userId, sid, origin }: UserChange & { sid?: string | undefined },
): Promise<number | undefined> {
  if (!(await hasUser(env, userId))) return undefined
  const ended = await callUserObject(env, userId, async (object) => {
    if (sid === undefined) return object.endAllSessions()
    return (await object.endSessionById(sid)) ? 1 : 0
  })
  if (sid !== undefined && ended === 0) return 0
  await requireStorage(() =>
    recordAuditEntry(env, config, {
      ...origin,
      event: 'sessions_ended',
      subject: userId,
      detail: sid,
    }),
  )
  return ended
}

/**
 * Ends the access of one client to a user, which has to be allowed again. Returns false if there is
 * no such user, or the client had no access.
 */
export async function revokeClientOfUser(
  env: Env,
  config: Config,
  { userId, clientId, origin }: UserChange & { clientId: string },
): Promise<boolean> {
  if (!(await hasUser(env, userId))) return false
  if (!(await callUserObject(env, userId, (object) => object.revokeClient(clientId)))) return false
  await requireStorage(() =>
    recordAuditEntry(env, config, {
      ...origin,
      event: 'consent_withdrawn',
      subject: userId,
      client: clientId,
    }),
  )
  return true
}

/**
 * Blocks a user: once it returns, all sessions and grants have ended, clients are being notified,
 * and nothing is issued until the user is unblocked. If it fails, it can be repeated. The reason is
 * stored with the user only, so that nothing of it is left when the user is deleted. Returns how many
 * sessions have ended; undefined if there is no such user. Throws a `RegistrationError` if no other
 * owner can sign in.
 */
export async function blockUser(
  env: Env,
  config: Config,
  { userId, reason, origin }: UserChange & { reason?: string | undefined },
): Promise<number | undefined> {
  const [change] = await requireStorage(() =>
    database(env).batch([
      database(env)
        .prepare(BLOCK)
        .bind(...holderBindings(config), userId, nowInSeconds(), reason ?? null),
      ...auditStatementsIfChanged(env, config, {
        ...origin,
        event: 'user_blocked',
        subject: userId,
      }),
    ]),
  )
  if (change?.meta.changes === 0) {
    if (await hasUser(env, userId)) throw lastOwnerError(userId)
    return undefined
  }
  return callUserObject(env, userId, (object) => object.block())
}

/**
 * Lets a blocked user sign in again. If it fails, the user may still be blocked, and it can be
 * repeated. Returns false if there is no such user.
 */
export async function unblockUser(
  env: Env,
  config: Config,
  { userId, origin }: UserChange,
): Promise<boolean> {
  if (!(await hasUser(env, userId))) return false
  await callUserObject(env, userId, (object) => object.unblock())
  await requireStorage(() =>
    database(env).batch([
      database(env).prepare(UNBLOCK).bind(userId),
      ...auditStatements(env, config, { ...origin, event: 'user_unblocked', subject: userId }),
    ]),
  )
  return true
}

async function hasUser(env: Env, userId: string): Promise<boolean> {
  const user = await requireStorage(() =>
    database(env).prepare('SELECT id FROM users WHERE id = ?').bind(userId).first(),
  )
  return user !== null
}

/**
 * The last owner who can sign in is not blocked. A blocked user keeps the time of the first call, and
 * the reason unless there is another one.
 */
const BLOCK = `${HOLDERS}
  UPDATE users SET blocked_at = coalesce(blocked_at, ?4), block_reason = coalesce(?5, block_reason)
  WHERE id = ?3 AND id IS NOT
    (SELECT min(users.id) FROM holders JOIN users ON users.id = holders.user_id
     WHERE holders.role = 'owner' AND users.blocked_at IS NULL
     HAVING count(DISTINCT users.id) = 1)`

const UNBLOCK = 'UPDATE users SET blocked_at = NULL, block_reason = NULL WHERE id = ?1'

function describeAccounts(config: Config, rows: readonly AccountRow[]): UserDetails['accounts'] {
  const linked = rows.map(toLinkedAccount)
  const confirmed = confirmedAccounts(config, linked)
  return rows.map((row, index) => ({
    provider: row.provider,
    issuer: row.issuer,
    account_id: row.provider_account_id,
    client_id: row.client_id,
    ...(row.union_id && { union_id: row.union_id }),
    ...(row.label && { label: row.label }),
    ...(row.verified_email && { verified_email: row.verified_email }),
    ...(row.scope && { scope: row.scope }),
    created_at: row.created_at,
    updated_at: row.updated_at,
    is_confirmed: confirmed.some((account) => account === linked[index]),
  }))
}
