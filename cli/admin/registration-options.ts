import { readFile } from 'node:fs/promises'
import { isObject } from '../../src/values/json.ts'
import { errorMessage } from '../error-message.ts'
import { parseJson } from '../parse-json.ts'
import type { Resource } from './admin-api.ts'

/** The options that set any field of a registration. */
export const REGISTRATION_OPTIONS = {
  set: {
    type: 'string',
    multiple: true,
    value: 'FIELD=VALUE',
    help: 'any other field of docs/operations.md; the value is JSON, or a text if it is not\nvalid JSON. Can be repeated. With update, null removes a field',
  },
  file: { type: 'string', value: 'FILE', help: 'read the registration from a JSON file' },
} as const

interface RegistrationValues {
  set?: string[] | undefined
  file?: string | undefined
}

/** Combines the fields of a file, of options such as `--name`, and of `--set`; the last one has precedence. */
export async function readRegistration(
  { set = [], file }: RegistrationValues,
  fields: Resource,
  rejectUsage: (message: string) => never,
): Promise<Resource> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return {
    ...(file === undefined ? {} : await readRegistrationFile(file, rejectUsage)),
    ...Object.fromEntries(given),
    ...Object.fromEntries(set.map((assignment) => parseAssignment(assignment, rejectUsage))),
  }
}

async function readRegistrationFile(
  file: string,
  rejectUsage: (message: string) => never,
): Promise<Resource> {
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
  rejectUsage: (message: string) => never,
): [field: string, value: unknown] {
  const [, field, value] = /^([a-z][a-z0-9_]*)=(.*)$/s.exec(assignment) ?? []
  if (field === undefined || value === undefined) {
    return rejectUsage(`--set takes FIELD=VALUE, such as first_party=true, not ${assignment}`)
  }
  const parsed = parseJson(value)
  return [field, parsed === undefined ? value : parsed]
}
