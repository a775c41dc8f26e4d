import type { PropsWithChildren } from 'hono/jsx'
import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import { listFields } from '../entered-fields.ts'
import { REGISTRATION_FIELDS, type StoredRegistration } from '../registration-resource.ts'
import { NamedLink } from './cards.tsx'
import {
  Chips,
  DataTable,
  EmptyList,
  Facts,
  filterUrl,
  type Sorting,
  sortingBy,
} from './console-parts.tsx'

/** A client, an API or a webhook. */
export interface RegistrationView extends StoredRegistration {
  id: string
  name: string | undefined
  registration: Record<string, unknown>
}

/** A page that changes a registration. */
export interface RegistrationAction {
  /** Below that of the registration. */
  path: string
  label: string
  isDanger?: boolean
  isShown?(registration: RegistrationView): boolean
}

/** Those of registrations with secrets. */
export const NEW_SECRET: RegistrationAction = { path: 'rotate-secret', label: 'New secret' }
export const REMOVE_SECRET: RegistrationAction = {
  path: 'remove-former-secret',
  label: 'Remove former secret',
  isDanger: true,
  isShown: ({ secret_count = 0 }) => secret_count > 1,
}

interface ListPageProps {
  /** `clients`, `apis` or `webhooks`, as in the addresses. */
  kind: string
  nameTitle?: string | undefined
  title: string
  /** With its article. */
  noun: string
  /** What they are for, in sentences. */
  purpose: string
  registrations: readonly RegistrationView[]
  /** What the URL requests. */
  filter: ListFilter
  mayChange: boolean
}

interface ListFilter {
  /** One of {@link SORTS}; otherwise those that cannot be changed come first. */
  sort: string
  /** `enabled` or `disabled`; otherwise all. */
  state: string
}

const SORTS = { Name: ['name', 'name_desc'], ID: ['id', 'id_desc'] } as const

export function RegistrationsPage(props: ListPageProps) {
  const { kind, nameTitle = 'Name', title, noun, purpose, registrations, filter, mayChange } = props
  const addLink = mayChange && (
    <div class="row">
      <a class="primary" href={`/admin/new/${kind}`}>
        Add {noun}
      </a>
    </div>
  )
  if (registrations.length === 0) {
    return (
      <EmptyList>
        <p>{purpose}</p>
        {addLink}
      </EmptyList>
    )
  }
  const path = `/admin/${kind}`
  const stateOf = ({ disabled_at }: RegistrationView) =>
    disabled_at === undefined ? 'enabled' : 'disabled'
  const states = new Set(registrations.map(stateOf))
  const isFiltered = states.has(filter.state as 'enabled')
  const shown = isFiltered
    ? registrations.filter((registration) => stateOf(registration) === filter.state)
    : registrations
  return (
    <>
      {addLink}
      {states.size > 1 && (
        <Chips
          chips={Object.entries({ All: '', Enabled: 'enabled', Disabled: 'disabled' }).map(
            ([label, state]) => ({
              href: filterUrl(path, { ...filter, state }),
              label,
              isSelected: state === (isFiltered ? filter.state : ''),
            }),
          )}
        />
      )}
      <RegistrationsTable
        kind={kind}
        nameTitle={nameTitle}
        caption={`${title}: ${shown.length}`}
        registrations={sortRegistrations(shown, filter.sort)}
        sorting={sortingBy(filter.sort, { [nameTitle]: SORTS.Name, ID: SORTS.ID }, (sort) =>
          filterUrl(path, { ...filter, sort }),
        )}
      />
    </>
  )
}

function sortRegistrations(
  registrations: readonly RegistrationView[],
  sort: string,
): readonly RegistrationView[] {
  const isKnown = Object.values(SORTS)
    .flat()
    .some((known) => known === sort)
  if (!isKnown) return registrations
  const textOf = ({ id, name = id }: RegistrationView) => (sort.startsWith('name') ? name : id)
  const sorted = registrations.toSorted((a, b) => textOf(a).localeCompare(textOf(b), 'en'))
  return sort.endsWith('_desc') ? sorted.reverse() : sorted
}

interface RegistrationsTableProps
  extends Pick<ListPageProps, 'kind' | 'nameTitle' | 'registrations'> {
  caption: string
  sorting?: Readonly<Record<string, Sorting>>
}

export function RegistrationsTable(props: RegistrationsTableProps) {
  const { kind, nameTitle = 'Name', caption, registrations, sorting } = props
  return (
    <DataTable
      caption={caption}
      items={registrations}
      sorting={sorting}
      narrow={{ beside: 'State', below: 'ID' }}
      columns={{
        [nameTitle]: (registration) => <RegistrationLink kind={kind} registration={registration} />,
        // The ids of APIs are addresses, which need more space.
        ID: ({ id }) => (kind === 'apis' ? <span class="detail">{id}</span> : { id }),
        ...REGISTRATION_FIELDS,
      }}
    />
  )
}

function RegistrationLink(props: { kind: string; registration: RegistrationView }) {
  const { kind, registration } = props
  const { id, name = id } = registration
  const href = registrationPath(kind, id)
  // Only clients have logos.
  if (kind !== 'clients') return <a href={href}>{isolateTextDirection(name)}</a>
  return <NamedLink href={href} name={name} image={logoOf(registration)} isApp />
}

/** The URL of the logo of a client. */
export function logoOf({ registration }: Pick<RegistrationView, 'registration'>) {
  const { logo_uri: logo } = registration
  return typeof logo === 'string' ? logo : undefined
}

type RegistrationPageProps = PropsWithChildren<{
  kind: string
  registration: RegistrationView
  /** Describes its fields. */
  schema: Parameters<typeof listFields>[0]
  /** Besides editing and deleting it. */
  actions?: readonly RegistrationAction[] | undefined
  mayChange: boolean
}>

/** A registration. The children follow what can be done with it. */
export function RegistrationPage(props: RegistrationPageProps) {
  const { kind, registration, schema, actions = [], mayChange, children } = props
  const titles = new Map(listFields(schema).map(({ name, title }) => [name, title]))
  const { id, source, secret_count, disabled_at, created_at, updated_at } = registration
  return (
    <>
      <Facts
        facts={[
          ['State', REGISTRATION_FIELDS.State(registration)],
          ['Disabled since', { time: disabled_at }],
          ['Created', { time: created_at }],
          ['Changed', { time: updated_at }],
          ['Valid secrets', secret_count],
        ]}
      />
      {source === 'settings' && (
        <p>
          It is defined in <code>{kind.toUpperCase()}</code> in the settings and cannot be changed
          here.
        </p>
      )}
      {source === 'service' && (
        <p>This is part of the service itself, and cannot be changed here.</p>
      )}
      {source === 'database' && mayChange && (
        <Actions
          actions={[EDIT, ...actions, DELETE].filter(
            ({ isShown }) => isShown?.(registration) ?? true,
          )}
          path={registrationPath(kind, id)}
        />
      )}
      {children}
      <h2>Registration</h2>
      <Facts
        facts={Object.entries(registration.registration).map(([name, value]) => [
          titles.get(name) ?? name,
          formatValue(value),
        ])}
      />
    </>
  )
}

const EDIT: RegistrationAction = { path: 'edit', label: 'Edit' }
const DELETE: RegistrationAction = { path: 'delete', label: 'Delete', isDanger: true }

function Actions({ actions, path }: { actions: readonly RegistrationAction[]; path: string }) {
  return (
    <div class="row">
      {actions.map((action) => (
        <a class={action.isDanger ? 'danger' : undefined} href={`${path}/${action.path}`}>
          {action.label}
        </a>
      ))}
    </div>
  )
}

function formatValue(value: unknown) {
  if (Array.isArray(value)) {
    const lines = value.map((item) => <div>{formatValue(item)}</div>)
    return lines.length > 0 ? lines : undefined
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (isScope(value)) return isolateTextDirection(`${value.name} – ${value.description}`)
  return typeof value === 'string' ? isolateTextDirection(value) : JSON.stringify(value)
}

/** A scope of an API, with its sentence for the consent page. */
function isScope(value: unknown): value is { name: string; description: string } {
  return typeof value === 'object' && value !== null && 'name' in value && 'description' in value
}

function registrationPath(kind: string, id: string): string {
  return `/admin/${kind}/${encodeURIComponent(id)}`
}
