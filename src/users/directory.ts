import { isLoopback } from '../config.ts'
import type { User } from '../providers/oauth-types.ts'
import { randomId } from '../random.ts'
import type { UserRecord } from './user.ts'

/** Long enough for any real name; a longer one is somebody's joke at the cost of every cookie and token. */
const LONGEST_NAME = 200
const LONGEST_URL = 2048

/** The account a person has just signed in with, and what the provider says of them. */
export interface SignedInAccount {
  provider: string
  clientId: string
  scope: string | undefined
  user: User
}

/**
 * The person with this account, made or brought up to date. One transaction claims the account: of
 * two first sign-ins at once, one makes the user and the other finds it.
 */
export async function recordSignIn(env: Env, account: SignedInAccount): Promise<UserRecord> {
  const now = Math.floor(Date.now() / 1000)
  const { provider, clientId, scope, user } = account
  const [, people] = await env.DIRECTORY.batch<UserRow>([
    env.DIRECTORY.prepare(CLAIM_ACCOUNT).bind(
      provider,
      user.id,
      randomId('usr'),
      clientId,
      user.unionId || null,
      scope ?? null,
      now,
    ),
    env.DIRECTORY.prepare(RECORD_USER).bind(
      provider,
      user.id,
      shorten(user.name),
      shorten(user.username),
      user.email || null,
      webAddress(user.image),
      webAddress(user.url),
      now,
    ),
  ])
  const [row] = people?.results ?? []
  if (!row) throw new Error('The directory recorded nobody.')
  return toRecord(row)
}

/** The person with this account, if they have signed in before. */
export async function findByAccount(
  env: Env,
  provider: string,
  accountId: string,
): Promise<UserRecord | undefined> {
  const row = await env.DIRECTORY.prepare(FIND_USER).bind(provider, accountId).first<UserRow>()
  return row ? toRecord(row) : undefined
}

const CLAIM_ACCOUNT = `
  INSERT INTO accounts (provider, provider_account_id, user_id, client_id, union_id, scope, created_at, updated_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)
  ON CONFLICT (provider, provider_account_id) DO UPDATE SET
    client_id = excluded.client_id,
    union_id = coalesce(excluded.union_id, union_id),
    scope = excluded.scope,
    updated_at = excluded.updated_at`

const RECORD_USER = `
  INSERT INTO users (id, name, username, email, image, url, created_at, updated_at)
  SELECT user_id, ?3, ?4, ?5, ?6, ?7, ?8, ?8 FROM accounts WHERE provider = ?1 AND provider_account_id = ?2
  ON CONFLICT (id) DO UPDATE SET
    name = excluded.name,
    username = excluded.username,
    email = excluded.email,
    image = excluded.image,
    url = excluded.url,
    updated_at = excluded.updated_at
  RETURNING *`

const FIND_USER = `
  SELECT users.* FROM accounts JOIN users ON users.id = accounts.user_id
  WHERE provider = ?1 AND provider_account_id = ?2`

interface UserRow {
  id: `usr_${string}`
  name: string | null
  username: string | null
  email: string | null
  image: string | null
  url: string | null
}

function toRecord({ id, name, username, email, image, url }: UserRow): UserRecord {
  return {
    id,
    ...(name && { name }),
    ...(username && { username }),
    ...(email && { email }),
    ...(image && { image }),
    ...(url && { url }),
  }
}

function shorten(name: string | null | undefined): string | null {
  const text = [...(name ?? '').trim().toWellFormed()].slice(0, LONGEST_NAME).join('')
  return text || null
}

/** Frontends put these into their pages: an https address, or none. A stand-in on loopback has only http. */
function webAddress(address: string | null | undefined): string | null {
  const url = URL.parse(address ?? '')
  if (!url || url.href.length > LONGEST_URL) return null
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.href))
    ? url.href
    : null
}
