import { DAY } from '../../clock.ts'

/** What remains of one kind of record, or of one table, in the object of a user. */
export interface StoredKind {
  /** When a record expires, or its next attempt is due, in seconds since 1970. */
  due?(value: never): number | undefined
  /** It is there when the user has just been deleted, and for how long, in seconds. */
  afterDeletion?: number
  /** It stays if the user never comes back. */
  isKept?: true
}

interface Grant {
  expires_at: number
  idle_expires_at: number
}

const IN_TEN_MINUTES = 600

/** The kinds in docs/storage.md, in its order, by the beginnings of their keys or their table. */
export const USER_OBJECT: Readonly<Record<string, StoredKind>> = {
  session: {
    due: ({ expiresAt, idleExpiresAt }: { expiresAt: number; idleExpiresAt: number }) =>
      Math.min(expiresAt, idleExpiresAt),
  },
  grants: { due: (grant: Grant) => Math.min(grant.expires_at, grant.idle_expires_at) },
  participant: {},
  logout: { due: ({ dueAt }: { dueAt: number }) => dueAt, afterDeletion: DAY },
  revocation: { due: ({ dueAt }: { dueAt: number }) => dueAt, afterDeletion: IN_TEN_MINUTES },
  consent: { isKept: true },
  attempt: { due: (expiresAt: number) => expiresAt },
  roles: { isKept: true },
  passkey: { isKept: true },
  proof: { due: (expiresAt: number) => expiresAt + 3600 },
  record: { due: ({ expiresAt }: { expiresAt?: number }) => expiresAt, isKept: true },
  'method-change': { due: ({ at }: { at: number }) => at + 30 * DAY },
  user: {},
  upstream: {},
  disconnected: {
    due: ({ expiresAt }: { expiresAt: number }) => expiresAt,
    afterDeletion: IN_TEN_MINUTES,
  },
  blocked: { isKept: true },
  erased: { due: (until: number) => until, afterDeletion: IN_TEN_MINUTES },
  version: { isKept: true },
}

/** The tables that may name a deleted user. */
export const TABLES_AFTER_DELETION = ['audit']

/** Other objects, by class: whether anything stays in them if nobody uses the service. */
export const OTHER_OBJECTS: Readonly<Record<string, { isKept: boolean }>> = {
  KeyringObject: { isKept: true },
  GuardObject: { isKept: false },
  RevocationsObject: { isKept: false },
  MetricsObject: { isKept: true },
  ClientMetadataObject: { isKept: false },
}
