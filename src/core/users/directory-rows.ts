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

/** The columns of `users` in which features have copies of what they store in the user's object. */
const COPIES = ['roles'] as const

/** What these columns have, by name. */
export type Copies = Partial<Record<(typeof COPIES)[number], string>>

export function copiesOf(row: StoredUser): Copies {
  return Object.fromEntries(COPIES.map((name) => [name, row[name] ?? undefined]))
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
  /** The address that the provider has verified. */
  verifiedEmail?: string | undefined
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
    verifiedEmail: row.verified_email ?? undefined,
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

/**
 * Whether somebody else may have added an account: it was added without proof, and the user can sign
 * in with one that was not. `methods` is the parameter with the {@link methodIssuers}.
 */
export function isUnconfirmed(account: string, methods: string): string {
  return `(${account}.unconfirmed_sid IS NOT NULL AND EXISTS (SELECT 1 FROM accounts AS others
    JOIN json_each(${methods}) AS method
      ON method.key = others.provider AND coalesce(method.value, others.issuer) = others.issuer
    WHERE others.user_id = ${account}.user_id AND others.unconfirmed_sid IS NULL))`
}

/**
 * An address of the user's accounts, preferably the one that the user already has. That of an
 * unconfirmed account proves nothing about the user.
 */
export function otherEmail(methods: string): string {
  return `(SELECT own.verified_email FROM accounts AS own
    WHERE own.user_id = users.id AND own.verified_email IS NOT NULL AND NOT ${isUnconfirmed('own', methods)}
    ORDER BY own.verified_email = users.email DESC, own.created_at LIMIT 1)`
}

/** If the user has none. */
export const ADD_EMAIL = `UPDATE users SET email = ${otherEmail('?2')}
  WHERE id = ?1 AND email IS NULL AND blocked_at IS NULL AND ${otherEmail('?2')} IS NOT NULL`
