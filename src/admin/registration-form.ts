import type * as z from 'zod/mini'
import { isObject, parseJson } from '../values/json.ts'
import { formatProblem, type Problem } from '../values/problem.ts'
import type { FormField, FormGroup } from './console/registration-pages.tsx'
import type { FieldGroup } from './registration-fields.ts'

type Shape = Readonly<Record<string, z.core.$ZodType>>

interface FormContent {
  groups: readonly FieldGroup[]
  shape: Shape
  values: Record<string, unknown>
  /** The field that cannot be changed. Absent if the registration is new. */
  readOnlyField?: string | undefined
  problems: readonly Problem[]
}

/** The fields of a form for a registration, with its present values and their problems. */
export function formGroups({ groups, ...content }: FormContent): FormGroup[] {
  return groups.map(({ title, hints, isAdvanced = false }) => {
    const fields = Object.entries(hints).map(([name, hint]) => formField(content, name, hint))
    const isOpen =
      !isAdvanced || fields.some(({ isChanged, problems }) => isChanged || problems.length > 0)
    return { title, fields, isOpen, isAdvanced }
  })
}

type FieldContent = Omit<FormContent, 'groups'>

function formField(content: FieldContent, name: string, hint: string): FormField {
  const { shape, values, readOnlyField, problems } = content
  const schema = shape[name]
  if (!schema) throw new Error(`There is no field ${name}.`)
  const { kind, options } = describeField(schema)
  const initial = formatValue(defaultValue(schema), kind)
  const value = formatValue(values[name] ?? defaultValue(schema), kind)
  return {
    name,
    hint,
    kind,
    options,
    value,
    isChanged: value !== initial,
    isRequired: isRequired(schema),
    isReadOnly: name === readOnlyField,
    problems: problems.filter(({ path }) => path[0] === name).map(describeProblem),
  }
}

/** In the form, an item of a list is a line. */
function describeProblem(problem: Problem): string {
  const { path, message } = problem
  const [, index, ...rest] = path
  if (typeof index !== 'number') return formatProblem(problem)
  const line = `Line ${index + 1}`
  return rest.length === 0
    ? `${line} ${message}`
    : `${line}: ${formatProblem({ path: rest, message })}`
}

/** The values of a posted form. Empty fields are `undefined`. */
export function parseForm(shape: Shape, form: FormData): Record<string, unknown> {
  const entries = Object.entries(shape).map(([name, schema]) => {
    const text = form.get(name)
    return [name, parseValue(typeof text === 'string' ? text.trim() : '', schema)]
  })
  return Object.fromEntries(entries)
}

function describeField(schema: z.core.$ZodType): Pick<FormField, 'kind' | 'options'> {
  const { def } = unwrap(schema)._zod
  // Without a default, a field may be left out.
  const hasDefault = defaultValue(schema) !== undefined
  const absent = hasDefault ? [] : ['']
  switch (def.type) {
    case 'boolean':
      if (hasDefault) return { kind: 'flag', options: [] }
      return { kind: 'choice', options: [...absent, 'true', 'false'] }
    case 'enum':
      return { kind: 'choice', options: [...absent, ...Object.values(def.entries).map(String)] }
    case 'array': {
      // The only list of objects that registrations have.
      const isScopes = unwrap(def.element)._zod.def.type === 'object'
      return { kind: isScopes ? 'scopes' : 'list', options: [] }
    }
    case 'object':
      return { kind: 'json', options: [] }
    default:
      return { kind: 'text', options: [] }
  }
}

function isRequired(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod
  return def.type !== 'optional' && def.type !== 'default'
}

function defaultValue(schema: z.core.$ZodType): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod
  return def.type === 'default' ? def.defaultValue : undefined
}

function formatValue(value: unknown, kind: FormField['kind']): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map(formatItem).join('\n')
  return kind === 'json' ? JSON.stringify(value, undefined, 2) : String(value)
}

function formatItem(item: unknown): string {
  return isObject(item) ? `${item['name']} ${item['description']}` : String(item)
}

function parseScope(line: string) {
  const [name = '', ...words] = line.split(' ')
  return { name, description: words.join(' ') }
}

function parseValue(text: string, schema: z.core.$ZodType): unknown {
  const { kind } = describeField(schema)
  if (kind === 'flag') return text === 'on'
  if (text === '') return undefined
  switch (unwrap(schema)._zod.def.type) {
    case 'boolean':
      return text === 'true'
    case 'number':
      return Number(text)
    case 'array': {
      const lines = text.split(/\s*\n\s*/)
      return kind === 'scopes' ? lines.map(parseScope) : lines
    }
    default:
      // Invalid JSON stays text, which the registration's schema rejects.
      return kind === 'json' ? (parseJson(text) ?? text) : text
  }
}

/** The schema inside `z.optional` and `z._default`. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodTypes {
  const known = schema as z.core.$ZodTypes
  const { def } = known._zod
  return def.type === 'optional' || def.type === 'default' ? unwrap(def.innerType) : known
}
