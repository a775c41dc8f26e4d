import type { AuditSentence, AuditSentences } from '../../administration/audit-sentences.ts'
import type { AuditEvent, RecordedEntry } from '../../core/audit/audit-entry.ts'
import type { Feature } from '../../core/config/feature.ts'
import { USER_ID_PREFIX } from '../../core/registration-schemas/clients.ts'

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
  sign_in_pending: {
    text: '{actor} has begun to sign in[ to {client}][ with {provider}]',
  },
  sign_out: { text: '{actor} signed out' },
  account_linked: { text: '{actor} added a way to sign in[: {provider}]' },
  account_unlinked: {
    text: '{actor} removed a way to sign in of {subject}[: {provider}]',
    ownText: '{actor} removed a way to sign in[: {provider}]',
    isChange: true,
  },
  account_confirmed: { text: '{actor} confirmed a way to sign in[: {provider}]' },
  consent_granted: { text: '{actor} allowed access to {client}' },
  consent_withdrawn: {
    text: '{actor} revoked the access of {client} to {subject}',
    ownText: '{actor} withdrew the access of {client}',
    isChange: true,
  },
  code_reused: { text: 'A code of {subject} was used twice[ by {client}]', isWarning: true },
  refresh_token_reused: {
    text: 'A refresh token of {subject} was used twice[ by {client}]',
    isWarning: true,
  },
  sessions_ended: {
    text: '{actor} ended sessions of {subject}',
    ownText: '{actor} ended sessions',
    isChange: true,
  },
  user_blocked: { text: '{actor} blocked {subject}', isChange: true },
  user_unblocked: { text: '{actor} unblocked {subject}', isChange: true },
  user_deleted: {
    text: '{actor} deleted {subject}',
    ownText: '{actor} deleted their account',
    isChange: true,
  },
  user_exported: { text: '{actor} exported the data of {subject}', isChange: true },
  client_created: { text: '{actor} registered the client {subject}', isChange: true },
  client_updated: { text: '{actor} changed the client {subject}', isChange: true },
  client_disabled: { text: '{actor} disabled the client {subject}', isChange: true },
  client_enabled: { text: '{actor} enabled the client {subject}', isChange: true },
  client_secret_rotated: {
    text: '{actor} changed the secrets of the client {subject}',
    isChange: true,
  },
  client_deleted: { text: '{actor} deleted the client {subject}', isChange: true },
  api_created: { text: '{actor} registered the API {subject}', isChange: true },
  api_updated: { text: '{actor} changed the API {subject}', isChange: true },
  api_deleted: { text: '{actor} deleted the API {subject}', isChange: true },
  keys_rotated: { text: '{actor} rotated the signing keys', isChange: true },
  keys_revoked: { text: '{actor} revoked the signing keys', isChange: true },
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
  return Object.entries(auditSentences(features)).flatMap(([name, { isChange }]) =>
    isChange ? [name] : [],
  )
}

/** The sentence about what happened, without the values that {@link fillSentence} adds. */
export function chooseSentence(
  { text, ownText = text, failureText = text }: AuditSentence,
  { outcome, actor, subject }: Pick<RecordedEntry, 'outcome' | 'actor' | 'subject'>,
): string {
  if (outcome !== 'ok') return failureText
  return actor === subject ? ownText : text
}

/** The parts of a sentence. A part in brackets is left out if one of its values is absent. */
export function fillSentence<Value>(
  text: string,
  values: Readonly<Record<string, Value>>,
): (NonNullable<Value> | string)[] {
  return text.split(/(\[[^\]]*\]|\{\w+\})/).flatMap((part): (NonNullable<Value> | string)[] => {
    if (part.startsWith('{')) return [values[part.slice(1, -1)] ?? 'something']
    if (!part.startsWith('[')) return [part]
    const names = Array.from(part.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
    return names.every((name) => values[name]) ? fillSentence(part.slice(1, -1), values) : []
  })
}

/** Those who are not users or clients. */
const ACTORS: Readonly<Record<string, string>> = {
  anonymous: 'Someone',
  operator: 'An operator',
  service: 'The service',
}

/** What a sentence calls somebody without a name. */
export function nameWithoutRecord(id: string, { isFirst = false } = {}): string {
  if (id.startsWith(USER_ID_PREFIX)) return isFirst ? 'A deleted user' : 'a deleted user'
  return ACTORS[id] ?? clientOfActor(id) ?? id
}

/** The id of the client that did something for itself. */
export function clientOfActor(actor: string): string | undefined {
  return actor.startsWith('client:') ? actor.slice('client:'.length) : undefined
}
