import type { AccountReference } from './account-reference.ts'
import type { UserRecord } from './user.ts'

/** A row of the table `accounts`. */
export interface AccountRow {
  provider: string
  issuer: string
  provider_account_id: string
  user_id: string
  client_id: string
  union_id: string | null
  label: string | null
  verified_email: string | null
  scope: string | null
  passkey: string | null
  created_at: number
  updated_at: number
  inserted_at: number
  unconfirmed_sid: string | null
}

/** A row of the table `users`. */
export interface StoredUser {
  id: `usr_${string}`
  name: string | null
  username: string | null
  email: string | null
  image: string | null
  url: string | null
  blocked_at: number | null
  block_reason: string | null
  former_id: string | null
  roles: string | null
  created_at: number
  updated_at: number
}

/** An account as its user sees it. */
export interface LinkedAccount extends AccountReference {
  unionId: string | undefined
  label: string | undefined
  linkedAt: number
  /**
   * The id of the session in which it was added without proof; empty if its email address has linked
   * it. Absent if it was added with proof, or the user has confirmed it.
   */
  unconfirmedSid?: string | undefined
}

export function toUserRecord({ id, name, username, email, image, url }: StoredUser): UserRecord {
  return {
    id,
    ...(name && { name }),
    ...(username && { username }),
    ...(email && { email }),
    ...(image && { image }),
    ...(url && { url }),
  }
}

/** An account as its user sees it. */
export function toLinkedAccount(row: AccountRow): LinkedAccount {
  return {
    ...toAccountReference(row),
    unionId: row.union_id ?? undefined,
    label: row.label ?? undefined,
    linkedAt: row.created_at,
    unconfirmedSid: row.unconfirmed_sid ?? undefined,
  }
}

export function toAccountReference(row: AccountRow): AccountReference {
  return { provider: row.provider, issuer: row.issuer, accountId: row.provider_account_id }
}

export function primaryKey({ provider, issuer, accountId }: AccountReference) {
  return [provider, issuer, accountId] as const
}

/** Seconds with milliseconds, by the one clock that orders all changes to accounts. */
export const DIRECTORY_TIME = "unixepoch('subsec')"

/** An address of the user's accounts, preferably the one that the user already has. */
export const OTHER_EMAIL = `(SELECT verified_email FROM accounts WHERE user_id = users.id AND verified_email IS NOT NULL
      ORDER BY verified_email = users.email DESC, created_at LIMIT 1)`
