import type { AuditSentences } from '../../administration/audit-sentences.ts'
import { toSnakeCase } from '../../administration/resources.ts'
import type { RecordedEntry } from '../../core/audit/audit-entry.ts'
import type { Config } from '../../core/config/config.ts'
import { chooseLanguage } from '../../core/messages/choose.ts'
import { USER_ID_PREFIX } from '../../core/registration-schemas/clients.ts'
import { readSnapshot } from '../../core/registrations/snapshot.ts'
import { replaceControlCharacters } from '../../foundation/values/control-characters.ts'
import { parseJsonObject } from '../../foundation/values/json.ts'
import {
  auditSentences,
  chooseSentence,
  clientOfActor,
  fillSentence,
  nameWithoutRecord,
} from './audit-sentences.ts'
import { explainShortly } from './explain-outcome.ts'
import { readUserNames } from './users/search-users.ts'

/** Entries as the API returns them: with the sentences of the console, in plain text. */
export async function describeEntries(env: Env, config: Config, entries: readonly RecordedEntry[]) {
  const names = await readNames(env, config, entries)
  const sentences = auditSentences(config.features)
  const messages = await chooseLanguage(config.languages).loadMessages()
  return entries.map((entry) => ({
    ...toSnakeCase(entry),
    sentence: describeEntry(entry, sentences, names),
    ...(entry.outcome !== 'ok' && { reason: explainShortly(messages, entry.outcome).reason }),
    ...(sentences[entry.event]?.isWarning && { is_warning: true }),
  }))
}

/** Find names by ids. Those of deleted users and clients are not known. */
type Names = Record<'user' | 'client' | 'provider', (id: string) => string | undefined>

function describeEntry(entry: RecordedEntry, sentences: AuditSentences, names: Names): string {
  const { event, actor, subject, client, provider, detail } = entry
  const sentence = sentences[event]
  if (!sentence) return event
  const nameOf = (id: string, { isClient = false, isFirst = false } = {}) => {
    const clientId = isClient ? id : clientOfActor(id)
    const name = clientId === undefined ? names.user(id) : names.client(clientId)
    return name === undefined ? nameWithoutRecord(id, { isFirst }) : toPlainText(name)
  }
  return fillSentence(chooseSentence(sentence, entry), {
    actor: nameOf(actor, { isFirst: true }),
    subject: subject && nameOf(subject, { isClient: event.startsWith('client_') }),
    client: client && nameOf(client, { isClient: true }),
    provider: provider && (names.provider(provider) ?? provider),
    detail: detail && toPlainText(detail),
  }).join('')
}

/** Programs show the sentence as it is, so what users have chosen cannot reorder it. */
function toPlainText(text: string): string {
  return replaceControlCharacters(text, '')
}

async function readNames(
  env: Env,
  config: Config,
  entries: readonly RecordedEntry[],
): Promise<Names> {
  const ids = entries.flatMap(({ actor, subject = '' }) => [actor, subject])
  const userIds = new Set(ids.filter((id) => id.startsWith(USER_ID_PREFIX)))
  const [users, stored] = await Promise.all([
    readUserNames(env, [...userIds]),
    readSnapshot(env, config),
  ])
  const { clients, providers, localProviders, disabledProviders } = config
  const methods = [...providers, ...localProviders, ...disabledProviders]
  return {
    user: (id) => users.get(id),
    client: (clientId) => {
      const configured = clients.find(({ client_id }) => client_id === clientId)
      // Also of a disabled client, whose registration is not parsed.
      const { row } = stored.clients.get(clientId) ?? {}
      const { client_name: name } = { ...parseJsonObject(row?.registration ?? '{}') }
      return configured?.client_name ?? (typeof name === 'string' ? name : undefined)
    },
    provider: (id) => methods.find((method) => method.id === id)?.name,
  }
}
