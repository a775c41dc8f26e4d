import type { Child, PropsWithChildren } from 'hono/jsx'
import type { AuditSentences } from '../../../administration/audit-sentences.ts'
import { DataTable, State } from '../../../administration/console/console-parts.tsx'
import type { RecordedEntry } from '../../../core/audit/audit-entry.ts'
import { USER_ID_PREFIX } from '../../../core/registration-schemas/clients.ts'
import { isolateTextDirection } from '../../../foundation/values/isolate-text-direction.ts'
import {
  chooseSentence,
  clientOfActor,
  fillSentence,
  nameWithoutRecord,
} from '../audit-sentences.ts'

/** Names, by the ids that entries have. */
export type Names = ReadonlyMap<string, string>

/** What sentences about entries need. */
export interface AuditTexts {
  /** Of users and clients. A user who is not in it was deleted. */
  names: Names
  providers: Names
  sentences: AuditSentences
}

export interface AuditTableProps extends AuditTexts {
  entries: readonly RecordedEntry[]
}

export function AuditTable({ entries, ...texts }: AuditTableProps) {
  return (
    <DataTable
      caption="Entries, newest first"
      items={entries}
      columns={{
        Time: ({ at }) => ({ time: at }),
        Entry: (entry) => (
          <>
            <Sentence entry={entry} {...texts} />
            <Codes {...entry} />
          </>
        ),
        Reference: ({ requestId }) => requestId && <ReferenceLink reference={requestId} />,
      }}
    />
  )
}

/** The codes of an entry, by which it is found, and what else it has. */
function Codes({ event, outcome, network, detail }: RecordedEntry) {
  return (
    <small class="codes">
      <code>{event}</code>
      {outcome !== 'ok' && <State text={outcome} isBad />}
      {detail && <span>{isolateTextDirection(detail)}</span>}
      {network && <span>{network}</span>}
    </small>
  )
}

interface SentenceProps extends AuditTexts {
  entry: RecordedEntry
  /** The user whose page has it, who is not named as the one who did it. */
  about?: string
}

/** What has happened. An event without a sentence has only its code. */
export function Sentence({ entry, about, names, providers, sentences }: SentenceProps) {
  const { event, actor, subject, client, provider, detail } = entry
  const sentence = sentences[event]
  if (!sentence) return <Name id={actor} names={names} isFirst />
  const isSubjectClient = event.startsWith('client_')
  const values: Record<string, Child> = {
    actor: <Name id={actor} names={names} isFirst />,
    subject: subject && <Name id={subject} names={names} isClient={isSubjectClient} />,
    client: client && <Name id={client} names={names} isClient />,
    provider: provider && (providers.get(provider) ?? provider),
    detail: detail && isolateTextDirection(detail),
  }
  const chosen = chooseSentence(sentence, entry)
  return <>{fillSentence(actor === about ? withoutActor(chosen) : chosen, values)}</>
}

/** "Signed in" instead of "Mia signed in". */
function withoutActor(text: string): string {
  if (!text.startsWith(ACTOR)) return text
  const rest = text.slice(ACTOR.length)
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}

const ACTOR = '{actor} '

type ReferenceLinkProps = PropsWithChildren<{ reference: string }>

/** Links to everything about the request. */
export function ReferenceLink({ reference, children }: ReferenceLinkProps) {
  return (
    <a href={`/admin/references/${encodeURIComponent(reference)}`}>
      {children ?? <span class="id">{reference}</span>}
    </a>
  )
}

interface NameProps {
  id: string
  names: Names
  isClient?: boolean
  /** Whether a sentence begins with it. */
  isFirst?: boolean
}

/** The name, or the id if there is none. Users and registered clients link to their pages. */
function Name({ id, names, isClient = false, isFirst = false }: NameProps) {
  const clientId = isClient ? id : clientOfActor(id)
  const name = names.get(clientId ?? id)
  const isUser = id.startsWith(USER_ID_PREFIX)
  if (isUser && name === undefined) {
    return <span title={id}>{nameWithoutRecord(id, { isFirst })}</span>
  }
  const text = (
    <span title={id}>
      {name === undefined ? nameWithoutRecord(id) : isolateTextDirection(name)}
    </span>
  )
  // Only registered clients have a page, and all of them have a name.
  if (clientId !== undefined && name !== undefined)
    return <a href={`/admin/clients/${encodeURIComponent(clientId)}`}>{text}</a>
  return isUser ? <a href={`/admin/users/${encodeURIComponent(id)}`}>{text}</a> : text
}
