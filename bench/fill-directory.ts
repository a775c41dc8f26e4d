import type { DatabaseSync } from 'node:sqlite'
import { AUDIT_DAYS, accountOf, scatter, userIdOf } from './accounts.ts'

const HOUR = 3600 // seconds
const DAY = 24 * HOUR

/** Fills the tables as the sign-ins of the last ninety days would have done. */
export function fillDirectory(
  database: DatabaseSync,
  { users, entries }: { users: number; entries: number },
): void {
  // The data can be created again, so nothing is lost if the machine stops.
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000; BEGIN')
  const start = Math.floor(Date.now() / 1000) - AUDIT_DAYS * DAY
  insertUsers(database, users, start)
  insertEntries(database, { users, entries, start })
  database.exec('COMMIT')
}

function insertUsers(database: DatabaseSync, users: number, createdAt: number): void {
  const insertUser = database.prepare(`
    INSERT INTO users (id, name, username, email, image, url, created_at, updated_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)`)
  const insertAccount = database.prepare(`
    INSERT INTO accounts (provider, issuer, provider_account_id, user_id, client_id, union_id, label,
      verified_email, scope, created_at, updated_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10)`)
  for (let number = 0; number < users; number++) {
    const { user, ...account } = accountOf(number)
    const userId = userIdOf(number)
    const name = user.name ?? null
    const email = user.email ?? null
    const { username = null, image = null, url = null, unionId = null } = user
    insertUser.run(userId, name, username, email, image, url, createdAt)
    insertAccount.run(
      ...[account.provider, account.issuer, account.accountId, userId, account.clientId, unionId],
      ...[name, email, account.scope ?? null, createdAt],
    )
  }
}

/** Sign-ins at a constant rate, with the counter and the mark of each hour. */
function insertEntries(
  database: DatabaseSync,
  { users, entries, start }: { users: number; entries: number; start: number },
): void {
  const insertEntry = database.prepare(`
    INSERT INTO audit (id, at, event, outcome, actor, subject, client, provider, network, request_id)
    VALUES (?1, ?2, 'sign_in', 'ok', ?3, ?3, 'storefront', ?4, ?5, ?6)`)
  const insertCounter = database.prepare(
    "INSERT INTO counters (hour, provider, client, outcome, count) VALUES (?, 'tiktok', 'storefront', 'ok', ?)",
  )
  const insertMark = database.prepare('INSERT INTO audit_marks (id, total) VALUES (?, ?)')
  const hours = AUDIT_DAYS * 24
  const entriesPerHour = Math.ceil(entries / hours)
  const firstHour = start - (start % HOUR) + HOUR
  for (let entry = 0; entry < entries; entry++) {
    const hour = firstHour + Math.floor(entry / entriesPerHour) * HOUR
    if (entry % entriesPerHour === 0) {
      insertMark.run(entryIdsAt(hour), entry)
      insertCounter.run(hour, entriesPerHour)
    }
    const at = hour + ((entry % entriesPerHour) * HOUR) / entriesPerHour
    const number = scatter(entry) % users
    insertEntry.run(
      `${entryIdsAt(at)}_${crypto.randomUUID().slice(0, 22)}`,
      Math.floor(at),
      userIdOf(number),
      number % 3 === 0 ? 'google' : 'tiktok',
      `203.0.${number % 256}.0/24`,
      crypto.randomUUID().slice(0, 13),
    )
  }
}

/** As in the audit log: ids sort by time. */
function entryIdsAt(seconds: number): string {
  return Math.floor(seconds * 1000)
    .toString(36)
    .padStart(9, '0')
}
