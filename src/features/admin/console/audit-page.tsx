import {
  Chips,
  EmptyList,
  filterUrl,
  PageLinks,
} from '../../../administration/console/console-parts.tsx'
import type { AuditFilter } from '../../../administration/read-audit.ts'
import { FAILED } from '../../../core/audit/audit-entry.ts'
import { isolateTextDirection } from '../../../foundation/values/isolate-text-direction.ts'
import { CHANGES } from '../audit-sentences.ts'
import { AuditTable, type AuditTableProps, type Names } from './audit-table.tsx'
import { Problems } from './problems.tsx'

type Filter = Record<AuditFilter | 'since' | 'until', string>

interface AuditPageProps extends AuditTableProps {
  filter: Filter
  /** Why the filter is invalid. */
  problems: readonly string[]
  /** The clients to choose from, by id. */
  clients: Names
  /** The codes of all errors that users can see. */
  errors: readonly string[]
  /** The position of this page. Absent on the first one. */
  cursor: string | undefined
  nextCursor: string | undefined
}

const PATH = '/admin/audit'

/** What cannot be chosen from a list. */
const TEXT_FILTERS: Partial<Record<AuditFilter, string>> = {
  subject: 'Subject: a user ID or another ID',
  actor: 'Actor: who did it',
  network: 'IP address or network',
  request_id: 'Reference',
}

/** What administrators look for most often. */
const VIEWS: Readonly<Record<string, Pick<Filter, 'event' | 'outcome'>>> = {
  All: { event: '', outcome: '' },
  'Sign-ins': { event: 'sign_in', outcome: '' },
  Failures: { event: '', outcome: FAILED },
  'Changes by administrators': { event: CHANGES, outcome: '' },
}

function outcomeNames(errors: readonly string[]): Names {
  return new Map([['ok', 'ok'], [FAILED, 'every failure'], ...namesOf(['denied', ...errors])])
}

function eventNames({ sentences }: Pick<AuditPageProps, 'sentences'>): Names {
  return new Map([[CHANGES, 'changes by administrators'], ...namesOf(Object.keys(sentences))])
}

export function AuditPage(props: AuditPageProps) {
  const { filter, problems, entries, clients, errors, cursor, nextCursor, ...texts } = props
  return (
    <>
      <Problems problems={problems} />
      <Chips chips={listChips(filter)} />
      <details class="filter" open={problems.length > 0}>
        <summary>More filters</summary>
        <form action={PATH}>
          <div class="fields">
            <Choice name="event" label="Event" options={eventNames(texts)} filter={filter} />
            <Choice name="outcome" label="Outcome" options={outcomeNames(errors)} filter={filter} />
            <Choice name="client" label="Client" options={clients} filter={filter} />
            <Choice name="provider" label="Provider" options={texts.providers} filter={filter} />
            <TimeInput name="since" label="Since (UTC)" filter={filter} />
            <TimeInput name="until" label="Until (UTC)" filter={filter} />
            {(Object.entries(TEXT_FILTERS) as [AuditFilter, string][]).map(([name, label]) => (
              <label>
                {label}
                <input name={name} value={filter[name]} />
              </label>
            ))}
          </div>
          <FilterButtons label="Filter" path={PATH} filter={filter} />
        </form>
      </details>
      {entries.length === 0 && problems.length === 0 ? (
        <EmptyList>
          <p>
            No entries. The log has sign-ins, changes by administrators and security events, for as
            long as the setting <code>AUTH_AUDIT_DAYS</code> says.
          </p>
        </EmptyList>
      ) : (
        <AuditTable entries={entries} {...texts} />
      )}
      <p class="note">
        Repeated failures of people who are not signed in are merged: the log has the first of each
        kind per hour. The <a href="/admin">overview</a> counts all of them.
      </p>
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

/** The views, and what else the list is filtered by, which a link removes. */
function listChips(filter: Filter) {
  const views = Object.entries(VIEWS).map(([label, view]) => ({
    label,
    href: filterUrl(PATH, { ...filter, ...view }),
    isSelected: view.event === filter.event && view.outcome === filter.outcome,
  }))
  const isView = views.some(({ isSelected }) => isSelected)
  const others = Object.entries(filter).filter(
    ([name, value]) => value !== '' && !(isView && ['event', 'outcome'].includes(name)),
  )
  return [
    ...views,
    ...others.map(([name, value]) => ({
      label: `${name.replace('_', ' ')}: ${isolateTextDirection(value)} ✕`,
      href: filterUrl(PATH, { ...filter, [name]: '' }),
      isSelected: true,
    })),
  ]
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

interface FilterButtonsProps {
  label: string
  path: string
  filter: Record<string, string>
}

/** The buttons of a form that filters a list. */
function FilterButtons({ label, path, filter }: FilterButtonsProps) {
  return (
    <div class="row">
      <button class="primary" type="submit">
        {label}
      </button>
      {Object.values(filter).some((value) => value !== '') && <a href={path}>Clear</a>}
    </div>
  )
}
