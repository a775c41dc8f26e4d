import type { AuditSentences } from '../../administration/audit-sentences.ts'

export const AUDIT_EVENTS = {
  webhook_created: { text: '{actor} registered the webhook {subject}', isChange: true },
  webhook_updated: { text: '{actor} changed the webhook {subject}', isChange: true },
  webhook_secret_rotated: {
    text: '{actor} changed the secrets of the webhook {subject}',
    isChange: true,
  },
  webhook_deleted: { text: '{actor} deleted the webhook {subject}', isChange: true },
} as const satisfies AuditSentences
