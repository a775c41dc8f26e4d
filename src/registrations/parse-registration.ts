import type * as z from 'zod/mini'
import { type Api, apiProblems, apiSchema } from '../config/apis.ts'
import { clientProblems, clientSchema, type Registration } from '../config/clients.ts'
import type { Config } from '../config/config.ts'
import { RegistrationError } from './registration-error.ts'

/** Validates a client's registration. Throws one error that lists everything wrong with it. */
export function parseClientRegistration(
  { isDevelopment }: Config,
  registration: unknown,
): Registration {
  const client = parse(clientSchema, registration)
  rejectProblems(clientProblems(client, isDevelopment))
  return client
}

/** Validates an API's registration. Throws one error that lists everything wrong with it. */
export function parseApiRegistration(config: Config, registration: unknown): Api {
  const api = parse(apiSchema, registration)
  rejectProblems(apiProblems(api, config))
  return api
}

function parse<Schema extends z.ZodMiniType>(
  schema: Schema,
  registration: unknown,
): z.infer<Schema> {
  const { data, error } = schema.safeParse(registration)
  if (error) throw new RegistrationError('invalid', error.issues.flatMap(describeIssue))
  return data
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${path && `${path}.`}${key} is not a field of a registration.`)
  }
  return [path ? `${path} ${issue.message}` : 'The registration must be an object.']
}

function rejectProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw new RegistrationError('invalid', problems)
}
