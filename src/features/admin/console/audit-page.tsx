import { AUDIT_EVENTS, FAILED } from '../../../audit/audit-entry.ts'
import type { AuditFilter } from '../../../audit/read-audit.ts'
import { SIGN_IN_ERRORS } from '../../../errors/sign-in-error.ts'
import {
  FilterButtons,
  filterUrl,
  PageLinks,
  Problems,
} from '../../../operations/console/console-parts.tsx'
import { isolateTextDirection } from '../../../values/isolate-text-direction.ts'
import { AuditTable, type AuditTableProps, type Names } from './audit-table.tsx'

type Filter = Record<AuditFilter | 'since' | 'until', string>

interface AuditPageProps extends AuditTableProps {
  filter: Filter
  /** Why the filter is invalid. */
  problems: readonly string[]
  /** The clients and providers to choose from, by id. */
  clients: Names
  providers: Names
  /** The position of this page. Absent on the first one. */
  cursor: string | undefined
  nextCursor: string | undefined
}

const PATH = '/admin/audit'

const EVENTS = namesOf(AUDIT_EVENTS)

const OUTCOMES: Names = new Map([
  ['ok', 'ok'],
  [FAILED, 'every failure'],
  ...namesOf(['denied', ...Object.keys(SIGN_IN_ERRORS)]),
])

/** What cannot be chosen from a list. */
const TEXT_FILTERS: Partial<Record<AuditFilter, string>> = {
  subject: 'Subject: a user ID or another ID',
  actor: 'Actor: who did it',
  network: 'IP address or network',
  request_id: 'Reference',
}

export function AuditPage(props: AuditPageProps) {
  const { filter, problems, entries, names, clients, providers, cursor, nextCursor } = props
  const textFilters = Object.entries(TEXT_FILTERS) as [AuditFilter, string][]
  return (
    <>
      <Problems problems={problems} />
      <form action={PATH}>
        <div class="fields">
          <Choice name="event" label="Event" options={EVENTS} filter={filter} />
          <Choice name="outcome" label="Outcome" options={OUTCOMES} filter={filter} />
          <Choice name="client" label="Client" options={clients} filter={filter} />
          <Choice name="provider" label="Provider" options={providers} filter={filter} />
          <TimeInput name="since" label="Since (UTC)" filter={filter} />
          <TimeInput name="until" label="Until (UTC)" filter={filter} />
        </div>
        <details open={textFilters.some(([name]) => filter[name] !== '')}>
          <summary>More filters</summary>
          <div class="fields">
            {textFilters.map(([name, label]) => (
              <label>
                {label}
                <input name={name} value={filter[name]} />
              </label>
            ))}
          </div>
        </details>
        <FilterButtons label="Filter" path={PATH} filter={filter} />
      </form>
      <AuditTable entries={entries} names={names} />
      <div class="row">
        <PageLinks path={PATH} filter={filter} cursor={cursor} nextCursor={nextCursor} />
        {entries.length > 0 && (
          <a href={filterUrl('/admin/audit.csv', filter)} download="">
            Download as CSV
          </a>
        )}
      </div>
    </>
  )
}

interface ChoiceProps {
  name: AuditFilter
  label: string
  options: Names
  filter: Filter
}

/** A list with what the filter has, even if that is not known. */
function Choice({ name, label, options, filter }: ChoiceProps) {
  const value = filter[name]
  const isKnown = value === '' || options.has(value)
  const all = [['', '–'] as const, ...options, ...(isKnown ? [] : [[value, value] as const])]
  return (
    <label>
      {label}
      <select name={name}>
        {all.map(([option, text]) => (
          <option value={option} selected={option === value}>
            {text === option ? text : isolateTextDirection(text)}
          </option>
        ))}
      </select>
    </label>
  )
}

interface TimeInputProps {
  name: 'since' | 'until'
  label: string
  filter: Filter
}

function TimeInput({ name, label, filter }: TimeInputProps) {
  return (
    <label>
      {label}
      <input type="datetime-local" name={name} value={filter[name]} />
    </label>
  )
}

function namesOf(values: readonly string[]): Names {
  return new Map(values.map((value) => [value, value]))
}
