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
  second_factor_unreadable: {
    text: 'The codes of {subject} could not be checked: AUTH_SECRET was replaced',
    correction: {
      problem:
        'Users whose authenticator app could not be checked today, because AUTH_SECRET was replaced: {count}.',
      fix: 'Set AUTH_SECRET_LEAKED to the former value, which then only opens what is in storage. If it is lost, users sign in with a recovery code, and replace their app.',
    },
  },
  recovery_code_used: { text: '{subject} used a recovery code ({detail} left)' },
  recovery_codes_replaced: { text: '{subject} created new recovery codes' },
} as const satisfies AuditSentences

export type TotpEvent = keyof typeof AUDIT_EVENTS
