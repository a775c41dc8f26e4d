import type { RegistrationKind } from '../../../operations/console/registration-section.tsx'
import { apiStore } from '../../../registrations/api-store.ts'

/** The pages of APIs. */
export const APIS: RegistrationKind = {
  store: apiStore,
  title: 'APIs',
  noun: 'an API',
  nameField: 'name',
  documentation: 'Fields of APIs',
  create: 'createApi',
  update: 'updateApi',
}
