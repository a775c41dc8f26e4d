import { nowInSeconds } from '../../foundation/values/clock.ts'
import type { Config } from '../config/config.ts'
import { isUnregisteredId } from '../registration-schemas/clients.ts'
import { database } from '../storage/database.ts'
import type { AuditEntry, AuditOrigin } from './audit-entry.ts'
import {
  auditStatements,
  currentHour,
  ENTRY,
  entryId,
  entryValues,
  pruneEntries,
  runRecorded,
} from './audit-log.ts'

/** More than the combinations of provider, client and outcome that one hour usually has. */
const DELETIONS_PER_HOUR = 1000

/** The hour of this isolate's last deletion of counters. */
let prunedHour = 0

/** The request of a sign-in, and the client that the user signs in for. */
export interface SignInOrigin extends Omit<AuditOrigin, 'actor'> {
  client?: string | undefined
}

/** An account whose user signs in or links it. */
interface AccountEvent {
  event: 'sign_in' | 'account_linked'
  account: { provider: string; issuer: string; accountId: string }
  /** Only an account of this user is recorded. */
  userId?: string
  /** The id of the user if this sign-in creates one. */
  newUserId?: string
  /**
   * Whether the success is recorded later, by {@link recordIdentified}. That there is a new user is
   * recorded at once: it stays true if the sign-in fails after that.
   */
  isRecordedLater?: boolean
  origin: SignInOrigin
}

/**
 * The statements that record a sign-in, or a linked account, in the batch that finds the user. The
 * outcome is `user_blocked` if the user is blocked. If there is no such user, nothing is recorded.
 */
export function accountEventStatements(
  env: Env,
  config: Config,
  { event, account, userId, newUserId, isRecordedLater = false, origin }: AccountEvent,
): D1PreparedStatement[] {
  const { provider, issuer, accountId } = account
  const { client, network, requestId } = origin
  const record = database(env)
    .prepare(isRecordedLater ? INSERT_BEGUN : INSERT_ACCOUNT_EVENT)
    .bind(
      provider,
      issuer,
      accountId,
      userId ?? null,
      newUserId ?? null,
      entryId(),
      nowInSeconds(),
      event,
      client ?? null,
      network ?? null,
      requestId ?? null,
    )
  const count = database(env)
    .prepare(isRecordedLater ? COUNT_BEGUN : COUNT_SIGN_IN)
    .bind(provider, issuer, accountId, currentHour(), countedClient(client), newUserId ?? null)
  return [
    record,
    ...(event === 'sign_in' ? [count, ...pruneCounters(env, config)] : []),
    ...pruneEntries(env, config),
  ]
}

/** A sign-in whose user is known. */
interface IdentifiedSignIn {
  /** Whether it has opened a session that counts. */
  event: 'sign_in' | 'sign_in_pending'
  userId: string
  provider: string
  /** Whether it has created the user, which is recorded once. */
  isNewUser: boolean
  origin: SignInOrigin
}

/**
 * Records a sign-in of a user who is not blocked, and counts it if it has opened a session. That of a
 * new user has been recorded as pending, and becomes a sign-in with the session.
 */
export async function recordIdentified(
  env: Env,
  config: Config,
  { event, userId, provider, isNewUser, origin }: IdentifiedSignIn,
): Promise<void> {
  if (isNewUser && event === 'sign_in_pending') return
  const user = { actor: userId, subject: userId }
  const record = isNewUser
    ? [database(env).prepare(FINISH_FIRST_SIGN_IN).bind(userId)]
    : auditStatements(env, config, { ...origin, ...user, event, provider })
  const count = database(env)
    .prepare(COUNT_IDENTIFIED)
    .bind(currentHour(), provider, countedClient(origin.client))
  await runRecorded(
    env,
    [],
    [...record, ...(event === 'sign_in' ? [count] : []), ...pruneCounters(env, config)],
  )
}

/** A sign-in that failed with this outcome. */
type FailedSignIn = Omit<AuditEntry, 'event'> & { outcome: string; provider: string }

/**
 * Records and counts a sign-in that failed. Anyone can cause it, so only the first one of its kind
 * in each hour is recorded: its entry has the reference of an example, and the counter the number.
 */
export async function recordStrangersFailure(
  env: Env,
  config: Config,
  failure: FailedSignIn,
): Promise<void> {
  const record = database(env).prepare(INSERT_FIRST_FAILURE)
  await database(env).batch([
    record.bind(...entryValues({ ...failure, event: 'sign_in' }), ...counterKey(failure)),
    ...countFailure(env, config, failure),
    ...pruneEntries(env, config),
  ])
}

/** Records and counts a sign-in that failed for a user who is signed in. */
export async function recordUsersFailure(
  env: Env,
  config: Config,
  failure: FailedSignIn,
): Promise<void> {
  await database(env).batch([
    ...auditStatements(env, config, { ...failure, event: 'sign_in' }),
    ...countFailure(env, config, failure),
  ])
}

function countFailure(env: Env, config: Config, failure: FailedSignIn): D1PreparedStatement[] {
  const count = database(env).prepare(COUNT_FAILURE)
  return [count.bind(...counterKey(failure)), ...pruneCounters(env, config)]
}

function counterKey({ provider, client, outcome }: FailedSignIn) {
  return [currentHour(), provider, countedClient(client), outcome]
}

/** The counters of all unregistered clients together, because anyone can add such clients. */
export const UNREGISTERED = 'unregistered'

function countedClient(client = ''): string {
  return isUnregisteredId(client) ? UNREGISTERED : client
}

/** Deletes expired counters, the first time an isolate counts a sign-in in an hour. */
function pruneCounters(env: Env, { auditRetention }: Config): D1PreparedStatement[] {
  const hour = currentHour()
  if (hour === prunedHour) return []
  prunedHour = hour
  return [
    database(env)
      .prepare(DELETE_EXPIRED_COUNTERS)
      .bind(hour - auditRetention, DELETIONS_PER_HOUR),
  ]
}

/** Reads the tables of `users`, because only the database can tell whose account it is. */
const USER_OF_ACCOUNT = `
  FROM accounts JOIN users ON users.id = accounts.user_id
  WHERE accounts.provider = ?1 AND accounts.issuer = ?2 AND accounts.provider_account_id = ?3`

const OUTCOME = "iif(users.blocked_at IS NULL, 'ok', 'user_blocked')"

const insertAccountEvent = (event: string) => `
  INSERT INTO audit (id, at, event, outcome, actor, subject, client, provider, network, request_id, detail)
  SELECT ?6, ?7, ${event}, ${OUTCOME}, users.id, users.id, ?9, ?1, ?10, ?11, iif(users.id = ?5, 'new user', NULL)
  ${USER_OF_ACCOUNT} AND users.id = coalesce(?4, users.id)`

const INSERT_ACCOUNT_EVENT = insertAccountEvent('?8')

/** Only what is certain before a session is opened: that a user is new, or blocked. */
const INSERT_BEGUN = `${insertAccountEvent("iif(users.id = ?5, 'sign_in_pending', ?8)")}
  AND (users.id = ?5 OR users.blocked_at IS NOT NULL)`

/** The first entry of a user. Its time and id stay. */
const FINISH_FIRST_SIGN_IN = `
  UPDATE audit SET event = 'sign_in' WHERE id = (SELECT id FROM audit
    WHERE subject = ?1 AND event = 'sign_in_pending' AND detail = 'new user' LIMIT 1)`

const ADD =
  'ON CONFLICT DO UPDATE SET count = count + excluded.count, new_users = new_users + excluded.new_users'

const countSignIn = (count: string, condition = '') => `
  INSERT INTO counters (hour, provider, client, outcome, count, new_users)
  SELECT ?4, ?1, ?5, ${OUTCOME}, ${count}, iif(users.id = ?6, 1, 0) ${USER_OF_ACCOUNT} ${condition} ${ADD}`

const COUNT_SIGN_IN = countSignIn('1')

const COUNT_BEGUN = countSignIn(
  'users.blocked_at IS NOT NULL',
  'AND (users.id = ?6 OR users.blocked_at IS NOT NULL)',
)

const COUNT_IDENTIFIED = `
  INSERT INTO counters (hour, provider, client, outcome, count)
  VALUES (?1, ?2, ?3, 'ok', 1) ${ADD}`

/** In the batch that counts the failure, before it is counted. */
const INSERT_FIRST_FAILURE = `
  INSERT INTO ${ENTRY} WHERE NOT EXISTS (SELECT 1 FROM counters
    WHERE hour = ?12 AND provider = ?13 AND client = ?14 AND outcome = ?15)`

const COUNT_FAILURE = `
  INSERT INTO counters (hour, provider, client, outcome, count)
  VALUES (?1, ?2, ?3, ?4, 1) ${ADD}`

const DELETE_EXPIRED_COUNTERS = `
  DELETE FROM counters WHERE (hour, provider, client, outcome) IN (
    SELECT hour, provider, client, outcome FROM counters WHERE hour < ?1 ORDER BY hour LIMIT ?2)`
