import type { AuditSentences } from '../../administration/audit-sentences.ts'

export const AUDIT_EVENTS = {
  session_proof_refused: {
    text: 'A session of {subject} was used without its key ({detail})',
    isWarning: true,
  },
} as const satisfies AuditSentences

export type BindingEvent = keyof typeof AUDIT_EVENTS
