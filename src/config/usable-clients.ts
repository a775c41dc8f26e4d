import { type ClientContext, clientProblems } from '../registration-schemas/client-problems.ts'
import { clientSchema, type Registration } from '../registration-schemas/clients.ts'
import { isObject } from '../values/json.ts'
import { type Problem, validate } from '../values/problem.ts'

/** The entries of `CLIENTS`. One that is invalid is disabled, without affecting the others. */
interface ValidatedClients {
  /** Not a list, if `CLIENTS` is none. The schema of the settings rejects that. */
  clients: unknown
  /** The ids of the disabled ones. No client in the database replaces them. */
  disabled: readonly string[]
  problems: readonly Problem[]
}

/** Validates each entry of `CLIENTS`. */
export function validateClients(entries: unknown, context: ClientContext): ValidatedClients {
  if (!Array.isArray(entries)) return { clients: entries, disabled: [], problems: [] }
  const ids = entries.map((entry: unknown) => (isObject(entry) ? entry['client_id'] : undefined))
  const results = entries.map((entry, index) => {
    const isRepeated = ids.indexOf(ids[index]) !== ids.lastIndexOf(ids[index])
    return validateClient(entry, { path: ['CLIENTS', index], isRepeated, context })
  })
  return {
    clients: results.flatMap(({ client }) => client ?? []),
    disabled: ids.filter(
      (id, index): id is string => typeof id === 'string' && !results[index]?.client,
    ),
    problems: results.flatMap(({ problems }) => problems),
  }
}

/** Whether a problem is about one client, which is disabled because of it. */
export function isOfOneClient({ path: [setting, index] }: Problem): boolean {
  return setting === 'CLIENTS' && typeof index === 'number'
}

interface Entry {
  path: Problem['path']
  isRepeated: boolean
  context: ClientContext
}

/** The client, unless it has a problem other than a feature that is not listed. */
function validateClient(
  entry: unknown,
  { path, isRepeated, context }: Entry,
): { client: Registration | undefined; problems: Problem[] } {
  const { data, problems } = validate(clientSchema, entry, path)
  if (!data) return { client: undefined, problems }
  const found = clientProblems(data, context)
  if (isRepeated) {
    const message = `is the id of two entries: ${data.client_id}.`
    found.push({ path: ['client_id'], code: 'exists', message })
  }
  return {
    client: found.every(({ code }) => code === 'unlisted') ? data : undefined,
    problems: found.map((problem) => ({ ...problem, path: [...path, ...problem.path] })),
  }
}
