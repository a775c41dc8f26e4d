import type { Config } from '../../core/config/config.ts'
import { validateApi } from '../../core/config/validate-registration.ts'
import { serviceApis } from '../../core/registration-schemas/apis.ts'
import { apiSchemaOf } from '../../core/registration-schemas/deployment-schemas.ts'
import { requireValid } from '../../core/registrations/require-valid.ts'
import { APIS } from '../../core/registrations/stored-registrations.ts'
import { type Fields, type RegistrationRecord, RegistrationStore } from './registration-store.ts'

class ApiStore extends RegistrationStore {
  readonly noun = 'API'
  protected readonly eventPrefix = 'api'
  protected readonly fixedFields = ['identifier']

  schemaOf(features: Config['features']) {
    return apiSchemaOf(features)
  }

  protected configured(config: Config): RegistrationRecord[] {
    const schema = this.schemaOf(config.features)
    // Those of the service lack the fields of features.
    const ofService = serviceApis(config).map((api) => schema.parse(api))
    return [...ofService, ...config.apis].map((registration) => ({
      id: registration.identifier,
      registration,
      source: 'settings',
    }))
  }

  protected validate(config: Config, registration: Fields): void {
    requireValid(validateApi(registration, config))
  }

  protected describe(config: Config, stored: Fields) {
    const { data, unlisted } = validateApi(stored, config)
    return { registration: data ? { ...data, ...unlisted } : stored }
  }
}

/** Reads and changes the APIs. */
export const apiStore = new ApiStore(APIS)
