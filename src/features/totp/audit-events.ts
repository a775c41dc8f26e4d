import type { AuditSentences } from '../../administration/audit-sentences.ts'

export const AUDIT_EVENTS = {
  second_factor_added: { text: '{subject} added an authenticator app[ ({detail})]' },
  second_factor_confirmed: { text: '{subject} confirmed an authenticator app' },
  second_factor_removed: { text: '{subject} removed the authenticator app' },
  second_factor_reset: {
    text: '{actor} removed the authenticator app of {subject}',
    isChange: true,
  },
  second_factor_refused: { text: '{subject} entered too many wrong codes' },
  recovery_code_used: { text: '{subject} used a recovery code ({detail} left)' },
  recovery_codes_replaced: { text: '{subject} created new recovery codes' },
} as const satisfies AuditSentences

export type TotpEvent = keyof typeof AUDIT_EVENTS
