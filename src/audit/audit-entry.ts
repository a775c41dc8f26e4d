/**
 * What is recorded. A sign-in is recorded with its outcome, `admin_denied` as denied, and
 * everything else only if it succeeded.
 */
export const AUDIT_EVENTS = [
  'sign_in',
  'sign_out',
  'account_linked',
  'account_unlinked',
  'account_confirmed',
  'consent_granted',
  'consent_withdrawn',
  'code_reused',
  'refresh_token_reused',
  'passkey_cloned',
  'sessions_ended',
  'user_blocked',
  'user_unblocked',
  'user_deleted',
  'roles_given',
  'roles_taken',
  'user_exported',
  'users_imported',
  'client_created',
  'client_updated',
  'client_disabled',
  'client_enabled',
  'client_secret_rotated',
  'client_deleted',
  'client_blocked',
  'client_unblocked',
  'api_created',
  'api_updated',
  'api_deleted',
  'webhook_created',
  'webhook_updated',
  'webhook_secret_rotated',
  'webhook_deleted',
  'keys_rotated',
  'keys_revoked',
  'administrator_added',
  'administrator_changed',
  'administrator_removed',
  'admin_denied',
] as const

export type AuditEvent = (typeof AUDIT_EVENTS)[number]

/** Selects every outcome other than `ok`, when the audit log is read. */
export const FAILED = 'failed'

/** Selects the changes of administrators, when the audit log is read. */
export const CHANGES = 'changes'

/** The events of these changes. Users cause some of them as well, for themselves. */
export const CHANGE_EVENTS = AUDIT_EVENTS.filter((event) =>
  /^(users?_|roles_|client_|api_|webhook_|keys_|administrator_|account_unlinked|consent_withdrawn|sessions_)/.test(
    event,
  ),
)

/** Who caused an event, and in which request. */
export interface AuditOrigin {
  /**
   * `usr_…`, `client:<client_id>`, `anonymous` for a sign-in whose user is unknown, `operator` for
   * commands that change the database through wrangler, or `service` for scheduled rotations and
   * webhooks.
   */
  actor: string
  /** The network of the client's IP address, which many customers share. */
  network?: string | undefined
  requestId?: string | undefined
}

/** One entry of the audit log. It contains no secrets. */
export interface AuditEntry extends AuditOrigin {
  event: AuditEvent
  /** `ok` if absent; otherwise an error code. */
  outcome?: string | undefined
  /** `usr_…`, a client id, the identifier of an API, the name of a webhook, ids of keys, or an administrator's name. */
  subject?: string | undefined
  client?: string | undefined
  provider?: string | undefined
  detail?: string | undefined
}

/** An entry as it is stored. */
export interface RecordedEntry extends AuditEntry {
  id: string
  /** In seconds since 1970. */
  at: number
  outcome: string
}
