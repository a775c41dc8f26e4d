import type { RecordedEntry } from '../../../audit/audit-entry.ts'
import { DataTable, State, Time } from '../../../operations/console/console-parts.tsx'
import { isolateTextDirection } from '../../../values/isolate-text-direction.ts'

/** The names of users and clients, by the ids that entries have. */
export type Names = ReadonlyMap<string, string>

export interface AuditTableProps {
  entries: readonly RecordedEntry[]
  names: Names
}

export function AuditTable({ entries, names }: AuditTableProps) {
  return (
    <DataTable
      caption="Entries, newest first"
      columns={[
        'Time',
        'Event',
        'Outcome',
        'Actor',
        'Subject',
        'Client',
        'Provider',
        'Network',
        'Reference',
        'Detail',
      ]}
      rows={entries.map((entry) => [
        <Time at={entry.at} />,
        <span class="id">{entry.event}</span>,
        <Outcome outcome={entry.outcome} />,
        <Name id={entry.actor} names={names} />,
        entry.subject && entry.subject !== entry.actor && (
          <Name id={entry.subject} names={names} isClient={entry.event.startsWith('client_')} />
        ),
        entry.client && <Name id={entry.client} names={names} isClient />,
        entry.provider,
        entry.network && <span class="id">{entry.network}</span>,
        entry.requestId && <ReferenceLink reference={entry.requestId} />,
        entry.detail && <span class="detail">{isolateTextDirection(entry.detail)}</span>,
      ])}
    />
  )
}

/** What failed or was rejected is marked. */
export function Outcome({ outcome }: Pick<RecordedEntry, 'outcome'>) {
  return <State text={outcome} isBad={outcome !== 'ok'} />
}

/** Links to everything about the request. */
export function ReferenceLink({ reference }: { reference: string }) {
  return (
    <a href={`/admin/references/${encodeURIComponent(reference)}`}>
      <span class="id">{reference}</span>
    </a>
  )
}

interface NameProps {
  id: string
  names: Names
  isClient?: boolean
}

/** The name, or the id if there is none. Users and registered clients link to their pages. */
function Name({ id, names, isClient = false }: NameProps) {
  const clientId = isClient ? id : clientOfActor(id)
  const name = names.get(clientId ?? id)
  const text = (
    <span class="id" title={id}>
      {name === undefined ? id : isolateTextDirection(name)}
    </span>
  )
  // Only registered clients have a page, and all of them have a name.
  if (clientId !== undefined && name !== undefined)
    return <a href={`/admin/clients/${encodeURIComponent(clientId)}`}>{text}</a>
  return id.startsWith('usr_') ? (
    <a href={`/admin/users/${encodeURIComponent(id)}`}>{text}</a>
  ) : (
    text
  )
}

/** The id of the client that did something for itself. */
function clientOfActor(actor: string): string | undefined {
  return actor.startsWith('client:') ? actor.slice('client:'.length) : undefined
}
