import type { RegistrationKind } from '../../../operations/console/registration-section.tsx'
import { apiStore } from '../../../registrations/api-store.ts'

/** The pages of APIs. */
export const APIS: RegistrationKind = {
  store: apiStore,
  title: 'APIs',
  icon: 'm8 8-4 4 4 4m8-8 4 4-4 4',
  noun: 'an API',
  nameField: 'name',
  documentation: 'Fields of APIs',
  create: 'createApi',
  update: 'updateApi',
}
