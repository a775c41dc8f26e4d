import { isolateTextDirection } from '../isolate-text-direction.ts'
import { DataTable, Facts, Problems, Time } from './console-parts.tsx'

/** A client or an API. */
export interface RegistrationView {
  id: string
  name: string | undefined
  source: 'settings' | 'database'
  secretCount: number
  disabledAt?: number | undefined
  createdAt?: number | undefined
  updatedAt?: number | undefined
  fields: Record<string, unknown>
}

interface ListPageProps {
  /** `clients` or `apis`, as in the addresses. */
  kind: string
  noun: string
  registrations: readonly RegistrationView[]
}

export function RegistrationsPage({ kind, noun, registrations }: ListPageProps) {
  return (
    <>
      <div class="row">
        <a class="primary" href={`/admin/new/${kind}`}>
          Add {noun}
        </a>
      </div>
      <DataTable
        caption="Registered"
        columns={['Id', 'Name', 'State', 'Secrets', 'Defined in']}
        rows={registrations.map(({ id, name, source, secretCount, disabledAt }) => [
          <a href={registrationPath(kind, id)}>{id}</a>,
          name && isolateTextDirection(name),
          disabledAt === undefined ? 'enabled' : 'disabled',
          secretCount,
          source,
        ])}
      />
    </>
  )
}

interface RegistrationPageProps {
  kind: string
  /** The setting that defines registrations, such as `CLIENTS`. */
  setting: string
  registration: RegistrationView
}

export function RegistrationPage({ kind, setting, registration }: RegistrationPageProps) {
  const { id, source, secretCount, disabledAt, createdAt, updatedAt, fields } = registration
  const path = registrationPath(kind, id)
  return (
    <>
      {source === 'settings' ? (
        <p>
          This is part of the settings (<code>{setting}</code>) or of the service itself, and cannot
          be changed here.
        </p>
      ) : (
        <div class="row">
          <a href={`${path}/edit`}>Edit</a>
          {kind === 'clients' &&
            (disabledAt === undefined ? (
              <a href={`${path}/disable`}>Disable</a>
            ) : (
              <a href={`${path}/enable`}>Enable</a>
            ))}
          <a href={`${path}/rotate-secret`}>New secret</a>
          {secretCount > 1 && <a href={`${path}/remove-former-secret`}>Remove former secret</a>}
          <a class="danger" href={`${path}/delete`}>
            Delete
          </a>
        </div>
      )}
      <Facts
        facts={[
          ['Disabled since', disabledAt && <Time at={disabledAt} />],
          ['Secrets', String(secretCount)],
          ...Object.entries(fields).map(([name, value]) => [name, formatValue(value)] as const),
          ['Created', createdAt && <Time at={createdAt} />],
          ['Changed', updatedAt && <Time at={updatedAt} />],
        ]}
      />
    </>
  )
}

function formatValue(value: unknown) {
  if (Array.isArray(value)) {
    const lines = value.map((item) => <div>{formatValue(item)}</div>)
    return lines.length > 0 ? lines : undefined
  }
  if (isScope(value)) return isolateTextDirection(`${value.name}: ${value.description}`)
  return typeof value === 'string' ? isolateTextDirection(value) : JSON.stringify(value)
}

/** A scope of an API, with its sentence for the consent page. */
function isScope(value: unknown): value is { name: string; description: string } {
  return typeof value === 'object' && value !== null && 'name' in value && 'description' in value
}

/** One field of a form. Its value is text, with one line per item of a list. */
export interface FormField {
  name: string
  kind: 'text' | 'list' | 'scopes' | 'json' | 'flag' | 'choice'
  value: string
  /** The values of a choice; the empty one leaves the field out. */
  options: readonly string[]
}

interface RegistrationFormProps {
  /** The section of docs/operations.md that describes the fields. */
  section: string
  /** Absent if the registration is new. */
  id: string | undefined
  action: string
  back: string
  fields: readonly FormField[]
  problems: readonly string[]
  csrfToken: string
}

export function RegistrationForm({
  section,
  id,
  action,
  back,
  fields,
  problems,
  csrfToken,
}: RegistrationFormProps) {
  return (
    <>
      <Problems problems={problems} />
      {id !== undefined && (
        <p>
          <code>{id}</code>
        </p>
      )}
      <p>The fields are described in docs/operations.md, under “{section}”.</p>
      <form method="post" action={action}>
        <input type="hidden" name="csrfToken" value={csrfToken} />
        {fields.map((field) => (
          <label for={field.name}>
            {field.name}
            {HINTS[field.kind] && <small>{HINTS[field.kind]}</small>}
            <Input field={field} />
          </label>
        ))}
        <div class="row">
          <button class="primary" type="submit">
            Save
          </button>
          <a href={back}>Cancel</a>
        </div>
      </form>
    </>
  )
}

const HINTS: Partial<Record<FormField['kind'], string>> = {
  list: 'One per line',
  scopes: 'One per line: its name, a space, and a sentence for the consent page',
  json: 'JSON',
}

function Input({ field: { name, kind, value, options } }: { field: FormField }) {
  switch (kind) {
    case 'flag':
      return <input type="checkbox" id={name} name={name} checked={value === 'true'} />
    case 'choice':
      return (
        <select id={name} name={name}>
          {options.map((option) => (
            <option value={option} selected={option === value}>
              {option || 'not set'}
            </option>
          ))}
        </select>
      )
    case 'text':
      return <input id={name} name={name} value={value} />
    default:
      return (
        <textarea id={name} name={name}>
          {value}
        </textarea>
      )
  }
}

function registrationPath(kind: string, id: string): string {
  return `/admin/${kind}/${encodeURIComponent(id)}`
}
