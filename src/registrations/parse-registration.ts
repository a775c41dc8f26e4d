import type * as z from 'zod/mini'
import type { Config } from '../config/config.ts'
import { validateApi, validateClient } from '../config/validate-registration.ts'
import type { Api } from '../registration-schemas/apis.ts'
import type { Registration } from '../registration-schemas/clients.ts'
import { type Problem, validate } from '../values/problem.ts'
import { RegistrationError } from './registration-error.ts'

/** Validates a client's registration. Throws one error that lists everything wrong with it. */
export function parseClientRegistration(config: Config, registration: unknown): Registration {
  return requireValid(validateClient(registration, config))
}

/**
 * Validates a client's registration that is stored. What belongs to a feature that the deployment
 * does not list has no effect, as in the settings.
 */
export function parseStoredClient(config: Config, registration: unknown): Registration {
  return requireValid(withoutUnlisted(validateClient(registration, config)))
}

/** The same for an API. */
export function parseStoredApi(config: Config, registration: unknown): Api {
  return requireValid(withoutUnlisted(validateApi(registration, config)))
}

/** Validates an API's registration. Throws one error that lists everything wrong with it. */
export function parseApiRegistration(config: Config, registration: unknown): Api {
  return requireValid(validateApi(registration, config))
}

/** Validates a registration. Throws one error that lists everything wrong with it. */
export function parseRegistration<Value>(
  schema: z.ZodMiniType<Value>,
  registration: unknown,
  furtherProblems: (registration: Value) => Problem[],
): Value {
  const { data, problems } = validate(schema, registration)
  return requireValid({ data, problems: data ? furtherProblems(data) : problems })
}

function withoutUnlisted<Value>({ data, problems }: Validated<Value>): Validated<Value> {
  return { data, problems: problems.filter(({ code }) => code !== 'unlisted') }
}

interface Validated<Value> {
  data?: Value | undefined
  problems: readonly Problem[]
}

function requireValid<Value>({ data, problems }: Validated<Value>): Value {
  if (data === undefined || problems.length > 0) throw new RegistrationError(...problems)
  return data
}
