import * as z from 'zod/mini'
import type { OperationSchemas } from '../../../administration/operation-schemas.ts'
import type { ShownFields } from '../../../administration/shown-fields.ts'

type UserSchemas = ReturnType<typeof createUserSchemas>

/** A user as a list shows them. */
export type User = z.output<UserSchemas['user']>

/** A user as an administrator sees them. */
export type UserDetails = z.output<UserSchemas['userDetails']>

/** What the API returns about users. */
export function createUserSchemas(schemas: OperationSchemas) {
  const { text, texts, optionalText, count, time, optionalTime, auditEntry } = schemas
  const accountFields = { provider: text, issuer: text, account_id: text, label: optionalText }
  const userFields = {
    id: text,
    name: optionalText,
    username: optionalText,
    email: optionalText,
    image: optionalText,
    /** Since when the user may not sign in. */
    blocked_at: optionalTime,
    /** That an administrator has entered. */
    block_reason: optionalText,
    created_at: time,
    updated_at: time,
  }
  return {
    user: z.object({ ...userFields, accounts: z.array(z.object(accountFields)) }),
    userDetails: z.object({
      ...userFields,
      url: optionalText,
      /** The user's id in the service that they were imported from. */
      former_id: optionalText,
      accounts: z.array(
        z.object({
          ...accountFields,
          client_id: text,
          union_id: optionalText,
          verified_email: optionalText,
          scope: optionalText,
          created_at: time,
          updated_at: time,
          /**
           * The last sign-in with it that the audit log has. Unknown if the user has several of the
           * provider.
           */
          last_used_at: optionalTime,
          /** False if it was added without proof, and the user has not confirmed it since. */
          is_confirmed: z.boolean(),
        }),
      ),
      /**
       * Blocking or unblocking failed before both D1 and the user's object had changed. It can be
       * repeated.
       */
      is_block_incomplete: z.boolean(),
      sessions: z.array(
        z.object({
          sid: text,
          /** Present if the session is only valid in its browser. */
          is_bound: z.optional(z.literal(true)),
          device: optionalText,
          place: optionalText,
          provider: optionalText,
          authenticated_at: time,
          last_used_at: time,
          client_ids: texts,
        }),
      ),
      consents: z.array(
        z.object({ client_id: text, scope: texts, resources: texts, declined: texts }),
      ),
      grants: z.array(
        z.object({
          client_id: text,
          sid: text,
          scope: texts,
          resources: texts,
          since: time,
          expires_at: time,
        }),
      ),
      /** In the operator's apps. Absent if the deployment has none. */
      roles: z.optional(texts),
      passkeys: z.array(
        z.object({
          credential_id: text,
          name: text,
          created_at: time,
          last_used_at: optionalTime,
          is_backup_eligible: z.boolean(),
          is_backed_up: z.boolean(),
          transports: texts,
          aaguid: text,
          counter: count,
        }),
      ),
      recent_sign_ins: z.array(auditEntry),
    }),
  }
}

/** How many sessions a change has ended, in a sentence. */
export function endedSessions(count: number): string {
  return count === 1 ? '1 session ended.' : `${count} sessions ended.`
}

interface UserWarning {
  title: string
  text: string
  /** What an administrator has entered. */
  reason?: string | undefined
  since?: number
  /** What it is about, if it is a way to sign in. */
  account?: UserDetails['accounts'][number]
}

/** What an administrator should know of a user before anything else. */
export function warningsAbout(
  user: Pick<UserDetails, 'blocked_at' | 'block_reason' | 'is_block_incomplete' | 'accounts'>,
  titleOf: (account: UserDetails['accounts'][number]) => string,
): UserWarning[] {
  const { blocked_at: since, block_reason: reason, is_block_incomplete: isIncomplete } = user
  const blocked = isIncomplete
    ? {
        title: 'The user is partly blocked.',
        text: 'Sessions may still be active. Block the user again, or unblock the user.',
      }
    : { title: 'The user is blocked.', text: 'They are signed out, and cannot sign in.' }
  const unconfirmed = user.accounts.filter(({ is_confirmed }) => !is_confirmed)
  return [
    ...(since === undefined ? [] : [{ ...blocked, reason, since }]),
    ...unconfirmed.map((account) => ({
      title: `${titleOf(account)} is not confirmed.`,
      text: 'It was added without proof. It can sign in, but not change the account.',
      account,
    })),
  ]
}

/** The columns of a list, besides the id and the name. */
export const USER_FIELDS = {
  State: ({ blocked_at: since }) =>
    since === undefined ? { good: 'active' } : { problem: 'blocked', since },
  Email: ({ email }) => ({ name: email }),
  Username: ({ username }) => ({ name: username }),
  Accounts: ({ accounts }) => [...new Set(accounts.map(({ provider }) => provider))].join(', '),
  Created: ({ created_at }) => ({ time: created_at }),
} satisfies ShownFields<User>

/** What identifies an account. */
export const ACCOUNT_FIELDS = {
  Provider: ({ provider }) => provider,
  'Account ID': ({ account_id }) => ({ code: account_id }),
  Name: ({ label }) => ({ name: label }),
} satisfies ShownFields<User['accounts'][number]>

/** When a user was last seen. A session in use is extended once a day at most, so a sign-in may be later. */
export function lastSeen({
  sessions,
  accounts,
}: Pick<UserDetails, 'sessions' | 'accounts'>): number | undefined {
  const times = [
    ...sessions.map(({ last_used_at }) => last_used_at),
    ...accounts.flatMap(({ last_used_at }) => last_used_at ?? []),
  ]
  return times.length > 0 ? Math.max(...times) : undefined
}

/** What tells the sessions of a user apart. */
export const SESSION_FIELDS = {
  Browser: ({ device = 'unknown', is_bound }) =>
    is_bound ? `${device}, this device only` : device,
  Place: ({ place }) => ({ name: place }),
  Provider: ({ provider }) => provider,
  'Signed in': ({ authenticated_at }) => ({ time: authenticated_at }),
  'Last used': ({ last_used_at }) => ({ time: last_used_at }),
} satisfies ShownFields<UserDetails['sessions'][number]>
