import { isObject } from '../../foundation/values/json.ts'
import { formatProblem, type Problem } from '../../foundation/values/problem.ts'
import { CLIENT_KINDS, type ClientKindName, KIND_FIELDS } from '../client-kinds.ts'
import { type Field, listFields, parseField } from '../entered-fields.ts'
import { advancedTitle } from '../registration-fields.ts'
import { DocumentName } from './document-name.tsx'

/** The text of the button of all forms. */
export const SAVE = 'Save'

type Schema = Parameters<typeof listFields>[0]

/** The values of a posted form. Empty fields are `undefined`. */
export function parseForm(schema: Schema, form: FormData): Record<string, unknown> {
  const entries = listFields(schema).map((field) => {
    // Only the boxes of a list have the same name.
    const entered = form.getAll(field.name).filter((value) => typeof value === 'string')
    const text = entered.join('\n').trim()
    const isAbsent = text === '' && field.kind !== 'flag'
    return [field.name, isAbsent ? undefined : parseField(field, text)]
  })
  return Object.fromEntries(entries)
}

/**
 * The entered values that differ from those that the form showed, as a merge patch (RFC 7396): null
 * removes a field.
 */
export function changedFields(
  schema: Schema,
  shown: Record<string, unknown>,
  entered: Record<string, unknown>,
): Record<string, unknown> {
  const changed = listFields(schema).filter(
    (field) =>
      formatValue(field, entered[field.name]) !==
      formatValue(field, shown[field.name] ?? field.defaultValue),
  )
  return Object.fromEntries(changed.map(({ name }) => [name, entered[name] ?? null]))
}

/** A field with its present value as text. The empty option of a choice leaves the field out. */
interface FormField extends Field {
  value: string
  /** Whether its value differs from the default. */
  isChanged: boolean
  isReadOnly: boolean
  /** Why the value was not accepted, in sentences. */
  problems: readonly string[]
}

/** Fields that belong together. */
interface FormGroup {
  title: string
  fields: readonly FormField[]
  /** Few registrations need them, so they can be hidden. */
  isAdvanced: boolean
}

interface RegistrationFormProps {
  /** `client` or `API`. */
  noun: string
  /** The section that describes the fields, and its document. */
  section: string
  document?: string | undefined
  action: string
  back: string
  schema: Schema
  values: Record<string, unknown>
  /** The field that cannot be changed. Absent if the registration is new. */
  readOnlyField?: string | undefined
  /** The kind of a new client, from which some fields follow. */
  clientKind?: ClientKindName | undefined
  /** Where the look of a client is shown. Absent if the registration has none. */
  preview?: string | undefined
  problems: readonly Problem[]
  /** What is valid, but may not work as the administrator expects. */
  warnings?: readonly string[]
  csrfToken: string
}

export function RegistrationForm(props: RegistrationFormProps) {
  const { noun, section, document = 'docs/reference.md' } = props
  const { action, back, clientKind, preview, problems, csrfToken } = props
  const groups = formGroups(props)
  const advanced = groups.filter(({ isAdvanced }) => isAdvanced)
  return (
    <>
      {problems.length > 0 && <ProblemSummary noun={noun} groups={groups} problems={problems} />}
      <Warnings warnings={props.warnings ?? []} />
      <form method="post" action={action}>
        <input type="hidden" name="csrfToken" value={csrfToken} />
        {clientKind && <ClientKinds selected={clientKind} />}
        {groups
          .filter(({ isAdvanced }) => !isAdvanced)
          .map((group) => (
            <Group {...group} />
          ))}
        {preview && <Preview action={preview} />}
        {advanced.length > 0 && (
          <details open={advanced.some(({ fields }) => fields.some(isNoticeable))}>
            <summary>Advanced</summary>
            {advanced.map((group) => (
              <Group {...group} />
            ))}
          </details>
        )}
        <p class="note">
          The section “{section}” of <DocumentName path={document} section={section} /> describes
          the fields.
        </p>
        <div class="row">
          <button class="primary" type="submit">
            {SAVE}
          </button>
          <a href={back}>Cancel</a>
        </div>
      </form>
    </>
  )
}

/** What is valid, but may not work as the administrator expects. */
export function Warnings({ warnings }: { warnings: readonly string[] }) {
  return (
    <>
      {warnings.map((warning) => (
        <p class="warning">⚠ {warning}</p>
      ))}
    </>
  )
}

function ClientKinds({ selected }: { selected: ClientKindName }) {
  return (
    <fieldset class="kinds">
      <legend>What is it?</legend>
      <div class="fields">
        {Object.entries(CLIENT_KINDS).map(([name, { title, description }]) => (
          <label class="flag">
            <input type="radio" name="kind" value={name} checked={name === selected} />
            <span>
              {title} <small>{description}</small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** The sign-in page with the entered look. The script of the form shows it after each change. */
function Preview({ action }: { action: string }) {
  return (
    <div class="preview">
      <button class="small" type="submit" formaction={action} formtarget="preview" formnovalidate>
        Show its sign-in page
      </button>
      <iframe name="preview" title="The sign-in page of this client" />
    </div>
  )
}

/** The fields of the form, with their present values and problems. */
function formGroups(props: RegistrationFormProps): FormGroup[] {
  const groups = Map.groupBy(listFields(props.schema), ({ group }) => group)
  return Array.from(groups, ([group, members]) => {
    const title = advancedTitle(group)
    return {
      title: title ?? group,
      fields: members.map((field) => formField(props, field)),
      isAdvanced: title !== undefined,
    }
  })
}

function isNoticeable({ isChanged, problems }: FormField): boolean {
  return isChanged || problems.length > 0
}

function formField(
  { values, readOnlyField, clientKind, problems }: RegistrationFormProps,
  field: Field,
): FormField {
  const { name } = field
  const followsFromKind = clientKind && (KIND_FIELDS as readonly string[]).includes(name)
  const defaultValue = followsFromKind ? undefined : field.defaultValue
  const initial = formatValue(field, defaultValue)
  const value = formatValue(field, values[name] ?? defaultValue)
  return {
    ...field,
    // The empty choice leaves the field out.
    options:
      field.kind === 'choice' && defaultValue === undefined
        ? ['', ...field.options]
        : field.options,
    value,
    isChanged: value !== initial,
    isReadOnly: name === readOnlyField,
    problems: problems
      .filter(({ path }) => path[0] === name)
      .map((problem) => describeFieldProblem(field.title, problem, values[name])),
  }
}

/**
 * A problem by the label of its field, such as "Name: at most 60 characters, you have 73." In the
 * form, an item of a list is a line.
 */
export function describeFieldProblem(title: string, problem: Problem, value: unknown): string {
  const [, index, ...rest] = problem.path
  const item = typeof index === 'number' && Array.isArray(value) ? value[index] : value
  const line = typeof index === 'number' ? `, line ${index + 1}` : ''
  const part = typeof index === 'number' ? rest : problem.path.slice(1)
  const message = formatProblem({ path: part, message: problem.message.replace(/^must have /, '') })
  const isTooLong = /^at most \d+ characters\.$/.test(message) && typeof item === 'string'
  const present = isTooLong ? `, you have ${item.length}.` : '.'
  const separator = message.startsWith('is ') ? '' : ':'
  return `${title}${line}${separator} ${message.replace(/\.$/, '')}${present}`
}

function formatValue({ kind }: Field, value: unknown): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map(formatItem).join('\n')
  return kind === 'json' ? JSON.stringify(value, undefined, 2) : String(value)
}

function formatItem(item: unknown): string {
  return isObject(item) ? `${item['name']} ${item['description']}` : String(item)
}

/** Links to the fields that have problems, and states the problems that no field shows. */
function ProblemSummary({
  noun,
  groups,
  problems,
}: Pick<RegistrationFormProps, 'noun' | 'problems'> & { groups: readonly FormGroup[] }) {
  const fields = groups.flatMap((group) => group.fields.filter(hasProblem))
  const others = problems.filter(({ path }) => !fields.some(({ name }) => name === path[0]))
  return (
    <div role="alert" tabindex={-1} autofocus>
      <p>
        <strong>The {noun} was not saved.</strong>
      </p>
      {fields.map(({ name, problems }) => (
        <p>
          <a href={`#${name}`}>{problems.join(' ')}</a>
        </p>
      ))}
      {others.map((problem) => (
        <p>{formatProblem(problem)}</p>
      ))}
    </div>
  )
}

function hasProblem({ problems }: FormField): boolean {
  return problems.length > 0
}

function Group({ title, fields }: FormGroup) {
  return (
    <fieldset>
      <legend>{title}</legend>
      <div class="fields">
        {fields.map((field) => (
          <LabelledInput {...field} />
        ))}
      </div>
    </fieldset>
  )
}

function LabelledInput(field: FormField) {
  const { name, title, description, kind, options, isRequired, isReadOnly, problems } = field
  if (kind === 'list' && options.length > 0) return <Boxes {...field} />
  return (
    <div class={name}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: it contains the input. */}
      <label class={kind === 'flag' ? 'flag' : undefined}>
        <span>
          {title} <small>{name}</small>
          {isRequired && !isReadOnly && ' (required)'}
        </span>
        <Input {...field} />
      </label>
      {hasProblem(field) && (
        <p class="bad" id={`${name}-problem`}>
          {problems.join(' ')}
        </p>
      )}
      <small id={`${name}-hint`}>
        {description} {FORMATS[kind]}
      </small>
    </div>
  )
}

/** A list that has only these values, by the words before the dot. */
function Boxes(field: FormField) {
  const { name, title, description, options, value, problems } = field
  const checked = value.split('\n')
  const groups = Map.groupBy(options, (option) => option.split('.')[0] ?? '')
  return (
    <fieldset class="boxes" id={hasProblem(field) ? name : undefined}>
      <legend>
        {title} <small>{name}</small>
      </legend>
      {hasProblem(field) && <p class="bad">{problems.join(' ')}</p>}
      <div class="fields">
        {[...groups].map(([group, members]) => (
          <fieldset>
            <legend>{nameGroup(group)}</legend>
            {members.map((option) => (
              <label class="flag">
                <span>{option}</span>
                <input
                  type="checkbox"
                  name={name}
                  value={option}
                  checked={checked.includes(option)}
                />
              </label>
            ))}
          </fieldset>
        ))}
      </div>
      <small>{description}</small>
    </fieldset>
  )
}

/** Such as "Sign in" for those that begin with `sign_in`. */
function nameGroup(group: string): string {
  return group.charAt(0).toUpperCase() + group.slice(1).replaceAll('_', ' ')
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
    case 'color':
      return (
        <span class="color">
          <input {...attributes} value={value} />
          {/* Only a script can leave it empty, so it has no name, and is shown by the script. */}
          <input type="color" value={value} aria-label="Choose the colour" hidden />
        </span>
      )
    case 'text':
    case 'number':
      return <input {...attributes} value={value} required={isRequired} readonly={isReadOnly} />
    default:
      return <textarea {...attributes}>{value}</textarea>
  }
}
