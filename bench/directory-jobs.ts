import { listAuditEntries } from '../src/administration/read-audit.ts'
import { recordAuditEntry } from '../src/core/audit/audit-log.ts'
import type { Config } from '../src/core/config/config.ts'
import { recordSignIn, type SignedInAccount } from '../src/core/users/directory.ts'
import { searchUsers } from '../src/features/admin/users/search-users.ts'
import { createReference } from '../src/foundation/values/reference.ts'
import { AUDIT_DAYS, accountOf, userIdOf } from './accounts.ts'

// Bundled and imported by many-users.ts, because this file needs the types of a worker.

type Job = [name: string, run: (round: number) => Promise<unknown>]

/** What the measured functions read of it. */
const config = { administrators: [], auditRetention: AUDIT_DAYS * 24 * 3600 } as unknown as Config

const origin = { client: 'storefront', network: '203.0.113.0/24', requestId: 'bench' }

/** What the jobs have done so far: no new user and no hour may come twice. */
let newUsers = 0
let hours = 0

/** Each job with the functions of the service. */
export function createJobs(directory: D1Database, users: number): Job[] {
  const env = { DIRECTORY: directory } as unknown as Env
  const signIn = (account: SignedInAccount) => recordSignIn(env, config, { account, origin })
  const search = (query: string) => searchUsers(env, { query, limit: 50 })
  const listEntries = (filter: Parameters<typeof listAuditEntries>[1]) =>
    listAuditEntries(env, filter)
  /** The accounts of different rounds are far apart in the database. */
  const existing = (round: number) => accountOf(Math.floor((round * users) / 211) % users)
  return [
    ['sign-in, returning user', (round) => signIn(existing(round))],
    ['sign-in, new picture', (round) => signIn(withNewPicture(existing(round)))],
    ['sign-in, new user', () => signIn(accountOf(users + newUsers++))],
    ['search by email', (round) => search(accountOf(3 * round).user.email ?? '')],
    ['search by account', (round) => search(existing(round).accountId)],
    ['search by name', (round) => search(existing(round).user.name ?? '')],
    ['search by "a"', () => search('a')],
    ['search without a match', () => search('zzzz')],
    ['list of the newest users', () => search('')],
    ['audit log, newest', () => listEntries({ limit: 50 })],
    ['audit log of a user', (round) => listEntries({ subject: userIdOf(round), limit: 1000 })],
    [
      'audit log by reference',
      () => listEntries({ request_id: referenceOfYesterday(), limit: 50 }),
    ],
    ['delete 1,000 old entries', () => pruneOneHourLater(env)],
  ]
}

interface Rows {
  read: number
  written: number
}

/** How many rows each job reads and writes. */
export async function countRowsOfJobs(
  directory: D1Database,
  users: number,
): Promise<Map<string, Rows>> {
  const rows = new Map<string, Rows>()
  const counts = { read: 0, written: 0 }
  for (const [name, run] of createJobs(countRows(directory, counts), users)) {
    await run(1)
    counts.read = counts.written = 0
    await run(2)
    rows.set(name, { ...counts })
  }
  return rows
}

function withNewPicture(account: SignedInAccount): SignedInAccount {
  const image = `https://p16-sign-va.tiktokcdn.com/${crypto.randomUUID().repeat(6)}.jpeg`
  return { ...account, user: { ...account.user, image } }
}

function referenceOfYesterday(): string {
  const { now } = Date
  Date.now = () => now() - 24 * 3_600_000
  try {
    return createReference()
  } finally {
    Date.now = now
  }
}

/** Entries are deleted with the first entry that is written in a minute. */
async function pruneOneHourLater(env: Env): Promise<void> {
  const { now } = Date
  hours += 1
  // The oldest entries expire a day later.
  Date.now = () => now() + 24 * 3_600_000 + hours * 3_600_000
  try {
    await recordAuditEntry(env, config, { event: 'user_exported', actor: 'bench' })
  } finally {
    Date.now = now
  }
}

/** D1 returns the number of rows with every result. */
function countRows(database: D1Database, counts: { read: number; written: number }): D1Database {
  const count = <Result extends D1Result>(result: Result): Result => {
    counts.read += result.meta.rows_read
    counts.written += result.meta.rows_written
    return result
  }
  const originals = new WeakMap<object, D1PreparedStatement>()
  const countStatement = (original: D1PreparedStatement): object => {
    const counted = {
      bind: (...input: unknown[]) => countStatement(original.bind(...input)),
      all: async () => count(await original.all()),
    }
    originals.set(counted, original)
    return counted
  }
  const counted = {
    prepare: (sql: string) => countStatement(database.prepare(sql)),
    async batch(statements: readonly object[]) {
      const batch = statements.flatMap((statement) => originals.get(statement) ?? [])
      return (await database.batch(batch)).map(count)
    },
  }
  return counted as unknown as D1Database
}
