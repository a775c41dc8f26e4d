/**
 * What the core records. A sign-in is recorded with its outcome, `admin_denied` as denied, and
 * everything else only if it succeeded. `sign_in_pending` is a sign-in whose user is known, but which
 * has opened no session that counts. Features declare other events, and pass their type.
 */
export const AUDIT_EVENTS = [
  'sign_in',
  'sign_in_pending',
  'sign_out',
  'account_linked',
  'account_confirmed',
  'consent_granted',
  'code_reused',
  'refresh_token_reused',
  'admin_denied',
  'account_unlinked',
  'consent_withdrawn',
  'sessions_ended',
  'user_blocked',
  'user_unblocked',
  'user_deleted',
  'user_exported',
  'client_created',
  'client_updated',
  'client_disabled',
  'client_enabled',
  'client_secret_rotated',
  'client_deleted',
  'api_created',
  'api_updated',
  'api_deleted',
  'keys_rotated',
  'keys_revoked',
] as const

export type AuditEvent = (typeof AUDIT_EVENTS)[number]

/** Selects every outcome other than `ok`, when the audit log is read. */
export const FAILED = 'failed'

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
export interface AuditEntry<Event extends string = AuditEvent> extends AuditOrigin {
  event: Event
  /** `ok` if absent; otherwise an error code. */
  outcome?: string | undefined
  /** `usr_…`, a client id, the identifier of an API, the name of a webhook, ids of keys, or an administrator's name. */
  subject?: string | undefined
  client?: string | undefined
  provider?: string | undefined
  detail?: string | undefined
}

/** An entry as it is stored. A feature that is no longer listed may have recorded it. */
export interface RecordedEntry extends AuditEntry<string> {
  id: string
  /** In seconds since 1970. */
  at: number
  outcome: string
}
