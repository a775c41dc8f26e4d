import type { Config } from '../config/config.ts'
import { apiSchema, serviceApis } from '../registration-schemas/apis.ts'
import { parseApiRegistration } from './parse-registration.ts'
import { type Fields, type RegistrationRecord, RegistrationStore } from './registration-store.ts'
import { APIS } from './stored-registrations.ts'

class ApiStore extends RegistrationStore {
  readonly noun = 'API'
  readonly schema = apiSchema
  protected readonly eventPrefix = 'api'
  protected readonly fixedFields = ['identifier']

  protected configured(config: Config): RegistrationRecord[] {
    return [...serviceApis(config), ...config.apis].map((registration) => ({
      id: registration.identifier,
      registration,
      source: 'settings',
    }))
  }

  protected validate(config: Config, registration: Fields): void {
    parseApiRegistration(config, registration)
  }

  protected describe(stored: Fields) {
    return { registration: this.schema.safeParse(stored).data ?? stored }
  }
}

/** Reads and changes the APIs. */
export const apiStore = new ApiStore(APIS)
