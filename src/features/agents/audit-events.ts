import type { AuditSentences } from '../../administration/audit-sentences.ts'

export const AUDIT_EVENTS = {
  client_blocked: {
    text: '{actor} blocked the unregistered client or host {subject}',
    isChange: true,
  },
  client_unblocked: {
    text: '{actor} unblocked the unregistered client or host {subject}',
    isChange: true,
  },
} as const satisfies AuditSentences

export type BlockEvent = keyof typeof AUDIT_EVENTS
