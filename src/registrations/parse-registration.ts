import type * as z from 'zod/mini'
import type { Config } from '../config/config.ts'
import { type Api, apiProblems, apiSchema } from '../registration-schemas/apis.ts'
import { clientProblems } from '../registration-schemas/client-problems.ts'
import { clientSchema, type Registration } from '../registration-schemas/clients.ts'
import { type Problem, validate } from '../values/problem.ts'
import { RegistrationError } from './registration-error.ts'

/** Validates a client's registration. Throws one error that lists everything wrong with it. */
export function parseClientRegistration(config: Config, registration: unknown): Registration {
  return parseRegistration(clientSchema, registration, (client) => clientProblems(client, config))
}

/**
 * Validates a client's registration that is stored. What belongs to a feature that the deployment
 * does not list has no effect, as in the settings.
 */
export function parseStoredClient(config: Config, registration: unknown): Registration {
  return parseRegistration(clientSchema, registration, (client) =>
    clientProblems(client, config).filter(({ code }) => code !== 'unlisted'),
  )
}

/** The same for an API. */
export function parseStoredApi(config: Config, registration: unknown): Api {
  return parseRegistration(apiSchema, registration, (api) =>
    apiProblems(api, config).filter(({ code }) => code !== 'unlisted'),
  )
}

/** Validates an API's registration. Throws one error that lists everything wrong with it. */
export function parseApiRegistration(config: Config, registration: unknown): Api {
  return parseRegistration(apiSchema, registration, (api) => apiProblems(api, config))
}

/** Validates a registration. Throws one error that lists everything wrong with it. */
export function parseRegistration<Value>(
  schema: z.ZodMiniType<Value>,
  registration: unknown,
  furtherProblems: (registration: Value) => Problem[],
): Value {
  const { data, problems } = validate(schema, registration)
  if (!data) throw new RegistrationError(...problems)
  const further = furtherProblems(data)
  if (further.length > 0) throw new RegistrationError(...further)
  return data
}
