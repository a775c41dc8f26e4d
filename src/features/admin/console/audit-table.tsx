import type { RecordedEntry } from '../../../audit/audit-entry.ts'
import { DataTable } from '../../../operations/console/console-parts.tsx'
import type { ShownValue } from '../../../operations/shown-fields.ts'
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
      items={entries}
      columns={{
        Time: ({ at }) => ({ time: at }),
        Event: ({ event }) => ({ id: event }),
        Outcome: ({ outcome }) => showOutcome(outcome),
        Actor: ({ actor }) => <Name id={actor} names={names} />,
        Subject: ({ event, actor, subject }) =>
          subject &&
          subject !== actor && (
            <Name id={subject} names={names} isClient={event.startsWith('client_')} />
          ),
        Client: ({ client }) => client && <Name id={client} names={names} isClient />,
        Provider: ({ provider }) => provider,
        Network: ({ network }) => ({ id: network }),
        Reference: ({ requestId }) => requestId && <ReferenceLink reference={requestId} />,
        Detail: ({ detail }) =>
          detail && <span class="detail">{isolateTextDirection(detail)}</span>,
      }}
    />
  )
}

/** What failed or was rejected is marked. */
export function showOutcome(outcome: string): ShownValue {
  return outcome === 'ok' ? outcome : { problem: outcome }
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
