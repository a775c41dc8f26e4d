import { randomId } from '../../foundation/crypto/random.ts'
import type { TestUser } from './start-login.ts'
import { SANDBOX_APP } from './video-platform/apps.ts'
import { deriveOpenId } from './video-platform/identifiers.ts'

/** What is needed of D1. */
interface Database<Statement> {
  prepare: (sql: string) => { bind: (...values: string[]) => Statement }
  batch: (statements: Statement[]) => Promise<unknown>
}

/**
 * Adds the users who have roles, as an import does: the first sign-in with their account leads to
 * them.
 */
export async function addUsers<Statement>(
  database: Database<Statement>,
  users: readonly TestUser[],
): Promise<void> {
  for (const { handle, roles: names } of users) {
    if (!names) continue
    const [userId, { clientKey }] = [randomId('usr'), SANDBOX_APP]
    const openId = await deriveOpenId(clientKey, handle)
    await database.batch([
      database.prepare(INSERT_ACCOUNT).bind(openId, userId, clientKey),
      database.prepare(INSERT_USER).bind(userId, JSON.stringify({ names, version: 0 })),
    ])
  }
}

const INSERT_ACCOUNT = `
  INSERT INTO accounts (provider, issuer, provider_account_id, user_id, client_id, created_at, updated_at)
  VALUES ('tiktok', 'https://www.tiktok.com', ?, ?, ?, unixepoch(), unixepoch())`

const INSERT_USER = `
  INSERT INTO users (id, roles, created_at, updated_at) VALUES (?, ?, unixepoch(), unixepoch())`
