import type { AuditEvent, RecordedEntry } from '../../core/audit/audit-entry.ts'

/** What is sent to webhooks, and for which entries of the audit log. */
const TYPES = {
  'user.created': { event: ['sign_in', 'sign_in_pending'], isSent: isFirstSignIn },
  'user.signed_in': { event: 'sign_in', isSent: (entry) => isOk(entry) && !isFirstSignIn(entry) },
  'user.signed_out': { event: 'sign_out', isSent: isOk },
  'user.sessions_ended': { event: 'sessions_ended', isSent: isOk },
  'user.blocked': { event: 'user_blocked', isSent: isOk },
  'user.unblocked': { event: 'user_unblocked', isSent: isOk },
  'user.deleted': { event: 'user_deleted', isSent: isOk },
  'account.linked': { event: 'account_linked', isSent: isOk },
  'account.unlinked': { event: 'account_unlinked', isSent: isOk },
  'consent.granted': { event: 'consent_granted', isSent: isOk },
  'consent.withdrawn': { event: 'consent_withdrawn', isSent: isOk },
  'sign_in.failed': { event: 'sign_in', isSent: (entry) => !isOk(entry) },
} as const satisfies Record<
  string,
  { event: AuditEvent | readonly AuditEvent[]; isSent: (entry: RecordedEntry) => boolean }
>

export type EventType = keyof typeof TYPES

export const EVENT_TYPES = Object.keys(TYPES) as [EventType, ...EventType[]]

/** The type of the event that an entry is sent as. Other entries are not sent. */
export function eventType(entry: RecordedEntry): EventType | undefined {
  return EVENT_TYPES.find((type) => {
    const { event, isSent } = TYPES[type]
    return [event].flat().some((name) => name === entry.event) && isSent(entry)
  })
}

function isOk({ outcome }: RecordedEntry): boolean {
  return outcome === 'ok'
}

/** The sign-in that created the user, also if it is not finished: see `audit/user-events.ts`. */
function isFirstSignIn(entry: RecordedEntry): boolean {
  return isOk(entry) && entry.detail === 'new user'
}
