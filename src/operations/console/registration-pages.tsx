import { isolateTextDirection } from '../../values/isolate-text-direction.ts'
import { REGISTRATION_FIELDS, type StoredRegistration } from '../registration-resource.ts'
import { DataTable, Facts } from './console-parts.tsx'

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
  registrations: readonly RegistrationView[]
  mayChange: boolean
}

export function RegistrationsPage(props: ListPageProps) {
  const { kind, nameTitle, title, noun, registrations, mayChange } = props
  return (
    <>
      {mayChange && (
        <div class="row">
          <a class="primary" href={`/admin/new/${kind}`}>
            Add {noun}
          </a>
        </div>
      )}
      <RegistrationsTable
        kind={kind}
        nameTitle={nameTitle}
        caption={`${title}: ${registrations.length}`}
        registrations={registrations}
      />
    </>
  )
}

interface RegistrationsTableProps
  extends Pick<ListPageProps, 'kind' | 'nameTitle' | 'registrations'> {
  caption: string
}

export function RegistrationsTable(props: RegistrationsTableProps) {
  const { kind, nameTitle = 'Name', caption, registrations } = props
  return (
    <DataTable
      caption={caption}
      items={registrations}
      columns={{
        // The ids of APIs are addresses, which need more space.
        ID: ({ id }) => (
          <a class={kind === 'apis' ? 'detail' : undefined} href={registrationPath(kind, id)}>
            {id}
          </a>
        ),
        [nameTitle]: ({ name }) => ({ name }),
        ...REGISTRATION_FIELDS,
      }}
    />
  )
}

interface RegistrationPageProps {
  kind: string
  registration: RegistrationView
  /** Besides editing and deleting it. */
  actions?: readonly RegistrationAction[] | undefined
  mayChange: boolean
}

export function RegistrationPage(props: RegistrationPageProps) {
  const { kind, registration, actions = [], mayChange } = props
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
      <h2>Registration</h2>
      <Facts
        facts={Object.entries(registration.registration).map(([name, value]) => [
          name,
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
