import type { AuditSentences } from '../../administration/audit-sentences.ts'

export const AUDIT_EVENTS = {
  passkey_cloned: { text: 'A passkey of {subject} may have been copied', isWarning: true },
} as const satisfies AuditSentences

export type PasskeyEvent = keyof typeof AUDIT_EVENTS
