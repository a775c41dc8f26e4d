import { isObject } from '../../foundation/values/json.ts'
import type { Problem } from '../../foundation/values/problem.ts'
import type { ClientContext } from '../registration-schemas/client-problems.ts'
import { type ValidatedRegistration, validateApi, validateClient } from './validate-registration.ts'

/** The entries of `CLIENTS` or `APIS`. One that is invalid is disabled, without affecting the others. */
interface ValidatedRegistrations {
  /** The valid ones. Not a list, if the setting is none: the schema of the settings rejects that. */
  entries: unknown
  /** The ids of the disabled ones. No registration in the database replaces them. */
  disabled: readonly string[]
  /** Whether the id of a disabled one is invalid or missing, so that it may be meant for any. */
  hasUnidentified: boolean
  problems: readonly Problem[]
}

/** The settings that are lists of registrations. */
interface RegistrationSetting<Value> {
  setting: 'CLIENTS' | 'APIS'
  idField: string
  validate(entry: unknown, path: Problem['path']): ValidatedRegistration<Value>
}

/** Validates each entry of `CLIENTS`. */
export function validateClients(entries: unknown, context: ClientContext): ValidatedRegistrations {
  return validateRegistrations(entries, {
    setting: 'CLIENTS',
    idField: 'client_id',
    validate: (entry, path) => validateClient(entry, context, path),
  })
}

/** Validates each entry of `APIS`. */
export function validateApis(entries: unknown, context: ClientContext): ValidatedRegistrations {
  return validateRegistrations(entries, {
    setting: 'APIS',
    idField: 'identifier',
    validate: (entry, path) => validateApi(entry, context, path),
  })
}

/** Whether a problem is about one client or API, which is disabled because of it. */
export function isOfOneRegistration({ path: [setting, index] }: Problem): boolean {
  return (setting === 'CLIENTS' || setting === 'APIS') && typeof index === 'number'
}

function validateRegistrations<Value>(
  entries: unknown,
  expected: RegistrationSetting<Value>,
): ValidatedRegistrations {
  if (!Array.isArray(entries)) {
    return { entries, disabled: [], hasUnidentified: false, problems: [] }
  }
  const { setting, idField } = expected
  const ids = entries.map((entry: unknown) => (isObject(entry) ? entry[idField] : undefined))
  const results = entries.map((entry, index) => {
    const isRepeated = ids.indexOf(ids[index]) !== ids.lastIndexOf(ids[index])
    return validateRegistration(entry, { path: [setting, index], isRepeated, expected })
  })
  const problems = results.flatMap((result) => result.problems)
  return {
    entries: results.flatMap(({ registration }) => registration ?? []),
    disabled: ids.filter(
      (id, index): id is string => typeof id === 'string' && !results[index]?.registration,
    ),
    // A problem without a field is about an entry that is not a table.
    hasUnidentified: problems.some(
      ({ path: [, , field], code }) =>
        field === undefined || (field === idField && code !== 'exists'),
    ),
    problems,
  }
}

interface EntryOptions<Value> {
  path: Problem['path']
  isRepeated: boolean
  expected: RegistrationSetting<Value>
}

/** The registration, unless it has a problem other than a feature that is not listed. */
function validateRegistration<Value>(
  entry: unknown,
  { path, isRepeated, expected }: EntryOptions<Value>,
): { registration: Value | undefined; problems: Problem[] } {
  const { data, problems } = expected.validate(entry, path)
  if (data && isRepeated) {
    const id = Reflect.get(Object(data), expected.idField)
    const message = `is the id of two entries: ${id}.`
    problems.push({ path: [...path, expected.idField], code: 'exists', message })
  }
  const isUsable = problems.every(({ code }) => code === 'unlisted')
  return { registration: isUsable ? data : undefined, problems }
}
