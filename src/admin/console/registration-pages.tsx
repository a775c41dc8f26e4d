import { isolateTextDirection } from '../../values/isolate-text-direction.ts'
import { formatProblem, type Problem } from '../../values/problem.ts'
import { DataTable, Facts, State, Time } from './console-parts.tsx'

/** A client or an API. */
export interface RegistrationView {
  id: string
  name: string | undefined
  /** `service`: it is part of the service itself. */
  source: 'settings' | 'database' | 'service'
  /** Absent for APIs, which have no secrets. */
  secretCount?: number | undefined
  disabledAt?: number | undefined
  createdAt?: number | undefined
  updatedAt?: number | undefined
  fields: Record<string, unknown>
}

interface ListPageProps {
  /** `clients` or `apis`, as in the addresses. */
  kind: string
  title: string
  /** With its article. */
  noun: string
  registrations: readonly RegistrationView[]
}

export function RegistrationsPage({ kind, title, noun, registrations }: ListPageProps) {
  return (
    <>
      <div class="row">
        <a class="primary" href={`/admin/new/${kind}`}>
          Add {noun}
        </a>
      </div>
      <DataTable
        caption={`${title}: ${registrations.length}`}
        columns={['ID', 'Name', 'State', 'Secrets', 'Defined in']}
        rows={registrations.map(({ id, name, source, secretCount, disabledAt }) => [
          // The ids of APIs are addresses, which need more space.
          <a class={kind === 'apis' ? 'detail' : undefined} href={registrationPath(kind, id)}>
            {id}
          </a>,
          name && isolateTextDirection(name),
          disabledAt === undefined ? 'enabled' : <State text="disabled" isBad />,
          secretCount,
          source === 'service' ? 'the service' : source,
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
  return (
    <>
      <Facts
        facts={[
          ['State', disabledAt ? <State text="disabled" isBad /> : 'enabled'],
          ['Disabled since', disabledAt && <Time at={disabledAt} />],
          ['Created', createdAt && <Time at={createdAt} />],
          ['Changed', updatedAt && <Time at={updatedAt} />],
          ['Valid secrets', secretCount],
        ]}
      />
      {source === 'settings' && (
        <p>
          It is defined in <code>{setting}</code> in the settings and cannot be changed here.
        </p>
      )}
      {source === 'service' && (
        <p>This is part of the service itself, and cannot be changed here.</p>
      )}
      {source === 'database' && (
        <Actions kind={kind} registration={registration} path={registrationPath(kind, id)} />
      )}
      <h2>Registration</h2>
      <Facts facts={Object.entries(fields).map(([name, value]) => [name, formatValue(value)])} />
    </>
  )
}

type ActionsProps = Pick<RegistrationPageProps, 'kind' | 'registration'> & { path: string }

function Actions({ kind, registration: { disabledAt, secretCount = 0 }, path }: ActionsProps) {
  const isDisabled = disabledAt !== undefined
  return (
    <div class="row">
      <a href={`${path}/edit`}>Edit</a>
      {kind === 'clients' && <a href={`${path}/rotate-secret`}>New secret</a>}
      {isDisabled && <a href={`${path}/enable`}>Enable</a>}
      {secretCount > 1 && (
        <a class="danger" href={`${path}/remove-former-secret`}>
          Remove former secret
        </a>
      )}
      {kind === 'clients' && !isDisabled && (
        <a class="danger" href={`${path}/disable`}>
          Disable
        </a>
      )}
      <a class="danger" href={`${path}/delete`}>
        Delete
      </a>
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

/** One field of a form. Its value is text, with one line per item of a list. */
export interface FormField {
  name: string
  hint: string
  kind: 'text' | 'list' | 'scopes' | 'json' | 'flag' | 'choice'
  value: string
  /** The values of a choice; the empty one leaves the field out. */
  options: readonly string[]
  /** Whether its value differs from the default. */
  isChanged: boolean
  isRequired: boolean
  isReadOnly: boolean
  /** Why the value was not accepted, in sentences. */
  problems: readonly string[]
}

/** Fields that belong together. */
export interface FormGroup {
  title: string
  fields: readonly FormField[]
  /** Few registrations need them, so they can be hidden. */
  isAdvanced: boolean
  isOpen: boolean
}

interface RegistrationFormProps {
  /** `client` or `API`. */
  noun: string
  /** The section of docs/operations.md that describes the fields. */
  section: string
  action: string
  back: string
  groups: readonly FormGroup[]
  problems: readonly Problem[]
  csrfToken: string
}

export function RegistrationForm(props: RegistrationFormProps) {
  const { noun, section, action, back, groups, problems, csrfToken } = props
  return (
    <>
      {problems.length > 0 && <ProblemSummary noun={noun} groups={groups} problems={problems} />}
      <p>
        The section “{section}” of <code>docs/operations.md</code> describes the fields in detail.
      </p>
      <form method="post" action={action}>
        <input type="hidden" name="csrfToken" value={csrfToken} />
        {groups.map((group) => (
          <Group {...group} />
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

/** Links to the fields that have problems, and states the problems that no field shows. */
function ProblemSummary({
  noun,
  groups,
  problems,
}: Pick<RegistrationFormProps, 'noun' | 'groups' | 'problems'>) {
  const fields = groups.flatMap((group) => group.fields.filter(hasProblem))
  const others = problems.filter(({ path }) => !fields.some(({ name }) => name === path[0]))
  return (
    <div role="alert">
      <p>
        <strong>The {noun} was not saved.</strong>{' '}
        {fields.map(({ name }, index) => (
          <>
            {index === 0 ? 'Correct ' : ', '}
            <a href={`#${name}`}>{name}</a>
          </>
        ))}
        {fields.length > 0 && '.'}
      </p>
      {others.map((problem) => (
        <p>{formatProblem(problem)}</p>
      ))}
    </div>
  )
}

function hasProblem({ problems }: FormField): boolean {
  return problems.length > 0
}

function Group({ title, fields, isAdvanced, isOpen }: FormGroup) {
  const content = (
    <div class="fields">
      {fields.map((field) => (
        <Field {...field} />
      ))}
    </div>
  )
  return isAdvanced ? (
    <details open={isOpen}>
      <summary>{title}</summary>
      {content}
    </details>
  ) : (
    <fieldset>
      <legend>{title}</legend>
      {content}
    </fieldset>
  )
}

function Field(field: FormField) {
  const { name, hint, kind, isRequired, isReadOnly, problems } = field
  return (
    <div>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: it contains the input. */}
      <label class={kind === 'flag' ? 'flag' : undefined}>
        {name}
        {isRequired && !isReadOnly && ' (required)'}
        <Input {...field} />
      </label>
      {hasProblem(field) && (
        <p class="bad" id={`${name}-problem`}>
          {problems.join(' ')}
        </p>
      )}
      <small id={`${name}-hint`}>
        {hint} {FORMATS[kind]}
      </small>
    </div>
  )
}

const FORMATS: Partial<Record<FormField['kind'], string>> = {
  list: 'One per line.',
  scopes: 'One per line: its name, a space, and a sentence for the consent page.',
  json: 'As JSON.',
}

function Input(field: FormField) {
  const { name, kind, value, options, isRequired, isReadOnly } = field
  const isInvalid = hasProblem(field)
  const attributes = {
    // The list of problems links to it.
    id: isInvalid ? name : undefined,
    name,
    'aria-invalid': isInvalid ? ('true' as const) : undefined,
    'aria-describedby': isInvalid ? `${name}-problem ${name}-hint` : `${name}-hint`,
  }
  switch (kind) {
    case 'flag':
      return <input type="checkbox" {...attributes} checked={value === 'true'} />
    case 'choice':
      return (
        <select {...attributes}>
          {options.map((option) => (
            <option value={option ? undefined : ''} selected={option === value}>
              {option || 'not set'}
            </option>
          ))}
        </select>
      )
    case 'text':
      return <input {...attributes} value={value} required={isRequired} readonly={isReadOnly} />
    default:
      return <textarea {...attributes}>{value}</textarea>
  }
}

function registrationPath(kind: string, id: string): string {
  return `/admin/${kind}/${encodeURIComponent(id)}`
}
