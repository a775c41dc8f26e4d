import { AUDIT_EVENTS, FAILED, type RecordedEntry } from '../../audit/audit-entry.ts'
import { AUDIT_FILTERS, type AuditFilter } from '../../audit/read-audit.ts'
import { isolateTextDirection } from '../../values/isolate-text-direction.ts'
import { DataTable, FilterButtons, PageLinks, Problems, State, Time } from './console-parts.tsx'

interface AuditPageProps {
  filter: Record<AuditFilter | 'since' | 'until', string>
  /** Why the filter is invalid. */
  problems: readonly string[]
  entries: readonly RecordedEntry[]
  /** The position of this page. Absent on the first one. */
  cursor: string | undefined
  nextCursor: string | undefined
}

const PATH = '/admin/audit'

const LABELS: Record<AuditFilter, string> = {
  event: 'Event',
  outcome: 'Outcome',
  actor: 'Actor',
  subject: 'Subject',
  client: 'Client',
  provider: 'Provider',
  network: 'IP address or network',
  request_id: 'Reference',
}

const SUGGESTIONS: Partial<Record<AuditFilter, readonly string[]>> = {
  event: AUDIT_EVENTS,
  outcome: ['ok', FAILED],
}

export function AuditPage({ filter, problems, entries, cursor, nextCursor }: AuditPageProps) {
  return (
    <>
      {problems.length > 0 && <Problems problems={problems} />}
      <form action={PATH}>
        <div class="fields">
          {AUDIT_FILTERS.map((name) => (
            <label>
              {LABELS[name]}
              <input name={name} value={filter[name]} list={SUGGESTIONS[name] && `${name}-names`} />
            </label>
          ))}
          {Object.entries(SUGGESTIONS).map(([name, values]) => (
            <datalist id={`${name}-names`}>
              {values.map((value) => (
                <option value={value} />
              ))}
            </datalist>
          ))}
          <label>
            Since (UTC)
            <input type="datetime-local" name="since" value={filter.since} />
          </label>
          <label>
            Until (UTC)
            <input type="datetime-local" name="until" value={filter.until} />
          </label>
        </div>
        <FilterButtons label="Filter" path={PATH} filter={filter} />
      </form>
      <AuditTable entries={entries} />
      <PageLinks path={PATH} filter={filter} cursor={cursor} nextCursor={nextCursor} />
    </>
  )
}

function AuditTable({ entries }: { entries: readonly RecordedEntry[] }) {
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
        entry.event,
        <Outcome outcome={entry.outcome} />,
        <Subject id={entry.actor} />,
        entry.subject && <Subject id={entry.subject} />,
        entry.client,
        entry.provider,
        entry.network,
        entry.requestId && <span class="id">{entry.requestId}</span>,
        entry.detail && <span class="detail">{isolateTextDirection(entry.detail)}</span>,
      ])}
    />
  )
}

/** What failed or was rejected is marked. */
export function Outcome({ outcome }: Pick<RecordedEntry, 'outcome'>) {
  return <State text={outcome} isBad={outcome !== 'ok'} />
}

/** An id, which links to its user if it has one. Long ids take several lines. */
function Subject({ id }: { id: string }) {
  const text = (
    <span class="id" title={id}>
      {id}
    </span>
  )
  return id.startsWith('usr_') ? (
    <a href={`/admin/users/${encodeURIComponent(id)}`}>{text}</a>
  ) : (
    text
  )
}
