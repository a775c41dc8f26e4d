import type * as z from 'zod/mini'
import { parseJson } from '../foundation/values/json.ts'
import { hexColor } from '../foundation/values/schemas.ts'
import { fieldDescriptions } from './field-descriptions.ts'
import type { FieldDescription } from './registration-fields.ts'

/** A field of a registration, and how it is entered as text. */
export interface Field extends FieldDescription {
  name: string
  /** A list has one item per line; that of `scopes` is a name, a space and a description. */
  kind: 'text' | 'color' | 'number' | 'list' | 'scopes' | 'json' | 'flag' | 'choice'
  /** The values of a choice, or those that a list can have; none if it can have others. */
  options: readonly string[]
  isRequired: boolean
  defaultValue: unknown
}

/** The fields of a registration that administrators enter. */
export function listFields({ shape }: { shape: Record<string, z.core.$ZodType> }): Field[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const description = fieldDescriptions().get(schema)
    return description ? [{ name, ...description, ...describeSchema(schema) }] : []
  })
}

/** The value that was entered. */
export function parseField({ kind, options }: Field, text: string): unknown {
  switch (kind) {
    case 'flag':
      return text === 'on'
    case 'number':
      return Number(text)
    case 'choice':
      return options.includes('true') ? text === 'true' : text
    case 'list':
      return text.split(/\s*\n\s*/)
    case 'scopes':
      return text.split(/\s*\n\s*/).map(parseScope)
    case 'json':
      // Invalid JSON stays text, which the registration's schema rejects.
      return parseJson(text) ?? text
    default:
      return text
  }
}

function parseScope(line: string) {
  const [name = '', ...words] = line.split(' ')
  return { name, description: words.join(' ') }
}

function describeSchema(schema: z.core.$ZodType) {
  const { def } = (schema as z.core.$ZodTypes)._zod
  const defaultValue = def.type === 'default' ? def.defaultValue : undefined
  const isRequired = def.type !== 'optional' && def.type !== 'default'
  return { ...describeInput(unwrap(schema), defaultValue !== undefined), isRequired, defaultValue }
}

function describeInput(
  schema: z.core.$ZodTypes,
  hasDefault: boolean,
): Pick<Field, 'kind' | 'options'> {
  const { def } = schema._zod
  if (schema === hexColor) return { kind: 'color', options: [] }
  switch (def.type) {
    case 'boolean':
      // Without a default, a field may be left out.
      if (!hasDefault) return { kind: 'choice', options: ['true', 'false'] }
      return { kind: 'flag', options: [] }
    case 'enum':
      return { kind: 'choice', options: Object.values(def.entries).map(String) }
    case 'array': {
      // The only list of objects that registrations have.
      const item = unwrap(def.element)._zod.def
      if (item.type === 'object') return { kind: 'scopes', options: [] }
      const options = item.type === 'enum' ? Object.values(item.entries).map(String) : []
      return { kind: 'list', options }
    }
    case 'object':
      return { kind: 'json', options: [] }
    case 'number':
      return { kind: 'number', options: [] }
    default:
      return { kind: 'text', options: [] }
  }
}

/** The schema inside `z.optional` and `z._default`. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodTypes {
  const known = schema as z.core.$ZodTypes
  const { def } = known._zod
  return def.type === 'optional' || def.type === 'default' ? unwrap(def.innerType) : known
}
