import { readFile } from 'node:fs/promises'
import { type Field, listFields, parseField } from '../../src/administration/entered-fields.ts'
import { isObject, parseJson } from '../../src/foundation/values/json.ts'
import type { OptionTable } from '../command.ts'
import { errorMessage } from '../error-message.ts'
import type { Resource } from './admin-api.ts'
import { wrap } from './format.ts'

type RejectUsage = (message: string) => never

/** The options that set any field of a registration. */
const GENERAL_OPTIONS = {
  set: {
    type: 'string',
    multiple: true,
    value: 'FIELD=VALUE',
    help: 'any field of docs/reference.md; the value is JSON, or a text if it is not valid\nJSON. Can be repeated. With update, null removes a field',
  },
  file: { type: 'string', value: 'FILE', help: 'read the registration from a JSON file' },
} as const

/** The options for the fields of a registration. */
export class RegistrationOptions {
  readonly options: OptionTable
  readonly #fields: ReadonlyMap<string, Field>

  /** `idField` is the argument of the commands, so that it is not an option. */
  constructor(schema: Parameters<typeof listFields>[0], idField: string) {
    const fields = listFields(schema).filter(
      ({ name, kind }) => name !== idField && kind !== 'json',
    )
    this.#fields = new Map(fields.map((field) => [optionName(field), field]))
    this.options = {
      ...Object.fromEntries(Array.from(this.#fields, ([name, field]) => [name, describe(field)])),
      ...GENERAL_OPTIONS,
    }
  }

  /**
   * Combines the fields of a file, of options such as `--name`, of further options, and of `--set`;
   * the last one has precedence.
   */
  async read(values: Resource, further: Resource, rejectUsage: RejectUsage): Promise<Resource> {
    const { set = [], file } = values as { set?: string[]; file?: string }
    const given = Object.entries(values).flatMap(([option, value]) => {
      const field = this.#fields.get(option)
      return field && value !== undefined ? [[field.name, toValue(field, value, rejectUsage)]] : []
    })
    return {
      ...(file === undefined ? {} : await readRegistrationFile(file, rejectUsage)),
      ...Object.fromEntries(given),
      ...further,
      ...Object.fromEntries(set.map((assignment) => parseAssignment(assignment, rejectUsage))),
    }
  }
}

/**
 * `--redirect` for `redirect_uris`, `--name` for `client_name`, `--resource` for `resources`. `jwks`
 * is another field than `jwks_uri`.
 */
function optionName({ name, kind }: Field): string {
  const short = name.replace(/^client_name$/, 'name').replace(/(?<!^jwks)_uris?$/, '')
  const singular = kind === 'list' || kind === 'scopes' ? short.replace(/s$/, '') : short
  return singular.replaceAll('_', '-')
}

function describe({ kind, description, options }: Field): OptionTable[string] {
  switch (kind) {
    case 'flag':
      return { type: 'boolean', help: wrap(description) }
    case 'scopes':
      return {
        type: 'string',
        multiple: true,
        value: 'SCOPE=TEXT',
        help: 'a scope, and the sentence about it on the consent page; can be repeated',
      }
    case 'list':
      return {
        type: 'string',
        multiple: true,
        value: 'TEXT',
        help: wrap(`${description} Can be repeated.`),
      }
    case 'choice':
      return {
        type: 'string',
        value: 'VALUE',
        help: wrap(`${description} The values are ${options.join(', ')}.`),
      }
    default:
      return {
        type: 'string',
        value: kind === 'number' ? 'NUMBER' : 'TEXT',
        help: wrap(description),
      }
  }
}

function toValue(field: Field, value: unknown, rejectUsage: RejectUsage): unknown {
  if (field.kind === 'flag') return value
  const texts = [value].flat().map(String)
  if (field.kind !== 'scopes') return parseField(field, texts.join('\n'))
  return texts.map((assignment) => parseScope(assignment, rejectUsage))
}

function parseScope(assignment: string, rejectUsage: RejectUsage): Resource {
  const separator = assignment.indexOf('=')
  if (separator < 1) return rejectUsage(`--scope takes SCOPE=TEXT, not ${assignment}`)
  return { name: assignment.slice(0, separator), description: assignment.slice(separator + 1) }
}

async function readRegistrationFile(file: string, rejectUsage: RejectUsage): Promise<Resource> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    return rejectUsage(`The file cannot be read: ${errorMessage(cause)}`)
  }
  const registration = parseJson(text)
  return isObject(registration) ? registration : rejectUsage(`${file} is not a JSON object.`)
}

function parseAssignment(
  assignment: string,
  rejectUsage: RejectUsage,
): [field: string, value: unknown] {
  const [, field, value] = /^([a-z][a-z0-9_]*)=(.*)$/s.exec(assignment) ?? []
  if (field === undefined || value === undefined) {
    return rejectUsage(`--set takes FIELD=VALUE, such as first_party=true, not ${assignment}`)
  }
  const parsed = parseJson(value)
  return [field, parsed === undefined ? value : parsed]
}
