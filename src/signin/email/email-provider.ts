import type { EmailConfig, LocalKind } from '../../providers/local-types.ts'

/** An email provider with its code. */
export type EmailProvider = EmailConfig & { kind: LocalKind }
