import type { AuditSentences } from '../../administration/audit-sentences.ts'

export const AUDIT_EVENTS = {
  roles_given: { text: '{actor} gave {subject} the role {detail}', isChange: true },
  roles_taken: { text: '{actor} took the role {detail} from {subject}', isChange: true },
} as const satisfies AuditSentences

export type RoleEvent = keyof typeof AUDIT_EVENTS
