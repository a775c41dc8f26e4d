import type * as z from 'zod/mini'
import { apiProblems, apiSchema } from '../registration-schemas/apis.ts'
import { type ClientContext, clientProblems } from '../registration-schemas/client-problems.ts'
import { clientSchema } from '../registration-schemas/clients.ts'
import { isObject } from '../values/json.ts'
import { type Problem, validate } from '../values/problem.ts'

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
  schema: z.ZodMiniType<Value>
  /** Problems that no single field shows, or that depend on the deployment. */
  findProblems(registration: Value): Problem[]
}

/** Validates each entry of `CLIENTS`. */
export function validateClients(entries: unknown, context: ClientContext): ValidatedRegistrations {
  return validateRegistrations(entries, {
    setting: 'CLIENTS',
    idField: 'client_id',
    schema: clientSchema,
    findProblems: (client) => clientProblems(client, context),
  })
}

/** Validates each entry of `APIS`. */
export function validateApis(entries: unknown, context: ClientContext): ValidatedRegistrations {
  return validateRegistrations(entries, {
    setting: 'APIS',
    idField: 'identifier',
    schema: apiSchema,
    findProblems: (api) => apiProblems(api, context),
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
  const { data, problems } = validate(expected.schema, entry, path)
  if (!data) return { registration: undefined, problems }
  const found = expected.findProblems(data)
  if (isRepeated) {
    const id = Reflect.get(Object(data), expected.idField)
    const message = `is the id of two entries: ${id}.`
    found.push({ path: [expected.idField], code: 'exists', message })
  }
  return {
    registration: found.every(({ code }) => code === 'unlisted') ? data : undefined,
    problems: found.map((problem) => ({ ...problem, path: [...path, ...problem.path] })),
  }
}
