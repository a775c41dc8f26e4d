import { type AuditEvent, CHANGE_EVENTS } from '../../core/audit/audit-entry.ts'
import type { AuditSentence, AuditSentences } from '../../core/audit/audit-sentences.ts'
import type { Feature } from '../../core/config/feature.ts'

/** Selects the changes by administrators. */
export const CHANGES = 'changes'

/** The events of administration. */
export const ADMIN_EVENTS = {
  users_imported: { text: '{actor} imported users', isChange: true },
  administrator_added: { text: '{actor} made {subject} an administrator', isChange: true },
  administrator_changed: {
    text: '{actor} changed the role of the administrator {subject}',
    isChange: true,
  },
  administrator_removed: { text: '{actor} removed the administrator {subject}', isChange: true },
} as const satisfies AuditSentences

export type AdminEvent = keyof typeof ADMIN_EVENTS

/** What the console says about the events of the core. */
const CORE_SENTENCES: Readonly<Record<AuditEvent, AuditSentence>> = {
  sign_in: {
    text: '{actor} signed in[ to {client}][ with {provider}]',
    failureText: '{actor} could not sign in[ to {client}][ with {provider}]',
  },
  sign_out: { text: '{actor} signed out' },
  account_linked: { text: '{actor} added a way to sign in[: {provider}]' },
  account_unlinked: {
    text: '{actor} removed a way to sign in of {subject}[: {provider}]',
    ownText: '{actor} removed a way to sign in[: {provider}]',
  },
  account_confirmed: { text: '{actor} confirmed a way to sign in[: {provider}]' },
  consent_granted: { text: '{actor} allowed access to {client}' },
  consent_withdrawn: {
    text: '{actor} revoked the access of {client} to {subject}',
    ownText: '{actor} withdrew the access of {client}',
  },
  code_reused: { text: 'A code of {subject} was used twice[ by {client}]', isWarning: true },
  refresh_token_reused: {
    text: 'A refresh token of {subject} was used twice[ by {client}]',
    isWarning: true,
  },
  sessions_ended: {
    text: '{actor} ended sessions of {subject}',
    ownText: '{actor} ended sessions',
  },
  user_blocked: { text: '{actor} blocked {subject}' },
  user_unblocked: { text: '{actor} unblocked {subject}' },
  user_deleted: { text: '{actor} deleted {subject}', ownText: '{actor} deleted their account' },
  user_exported: { text: '{actor} exported the data of {subject}' },
  client_created: { text: '{actor} registered the client {subject}' },
  client_updated: { text: '{actor} changed the client {subject}' },
  client_disabled: { text: '{actor} disabled the client {subject}' },
  client_enabled: { text: '{actor} enabled the client {subject}' },
  client_secret_rotated: { text: '{actor} changed the secrets of the client {subject}' },
  client_deleted: { text: '{actor} deleted the client {subject}' },
  api_created: { text: '{actor} registered the API {subject}' },
  api_updated: { text: '{actor} changed the API {subject}' },
  api_deleted: { text: '{actor} deleted the API {subject}' },
  keys_rotated: { text: '{actor} rotated the signing keys' },
  keys_revoked: { text: '{actor} revoked the signing keys' },
  admin_denied: {
    text: '{actor} was denied administration',
    failureText: '{actor} was denied administration',
  },
}

/** What the console says about the events of a deployment with these features. */
export function auditSentences(features: readonly Feature[]): AuditSentences {
  return Object.assign({ ...CORE_SENTENCES }, ...features.map(({ audit }) => audit))
}

/** The events of changes by administrators in such a deployment. */
export function changeEvents(features: readonly Feature[]): string[] {
  const added = features.flatMap(({ audit = {} }) => Object.entries(audit))
  return [...CHANGE_EVENTS, ...added.filter(([, { isChange }]) => isChange).map(([name]) => name)]
}
