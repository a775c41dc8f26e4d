import type { Problem } from '../../foundation/values/problem.ts'
import type { Config } from '../config/config.ts'
import { validateApi, validateClient } from '../config/validate-registration.ts'
import type { Api } from '../registration-schemas/apis.ts'
import type { Registration } from '../registration-schemas/clients.ts'
import { RegistrationError } from './registration-error.ts'

/** Validates a client's registration. Throws one error that lists everything wrong with it. */
export function parseClientRegistration(config: Config, registration: unknown): Registration {
  const { data, problems } = validateClient(registration, config)
  return requireValid(data, problems)
}

/** The same for an API. */
export function parseApiRegistration(config: Config, registration: unknown): Api {
  const { data, problems } = validateApi(registration, config)
  return requireValid(data, problems)
}

/**
 * Validates a client's registration that is stored. What belongs to a feature that the deployment
 * does not list has no effect, as in the settings.
 */
export function parseStoredClient(config: Config, registration: unknown): Registration {
  const { data, problems } = validateClient(registration, config)
  return requireValid(data, problems.filter(isEffective))
}

/** The same for an API. */
export function parseStoredApi(config: Config, registration: unknown): Api {
  const { data, problems } = validateApi(registration, config)
  return requireValid(data, problems.filter(isEffective))
}

function isEffective({ code }: Problem): boolean {
  return code !== 'unlisted'
}

function requireValid<Value>(data: Value | undefined, problems: readonly Problem[]): Value {
  if (data === undefined || problems.length > 0) throw new RegistrationError(...problems)
  return data
}
