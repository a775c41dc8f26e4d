import type { RegistrationKind } from '../../../administration/console/registration-section.tsx'
import { apiStore } from '../../../administration/registrations/api-store.ts'

/** The pages of APIs. */
export const APIS: RegistrationKind = {
  store: apiStore,
  title: 'APIs',
  icon: 'm8 8-4 4 4 4m8-8 4 4-4 4',
  noun: 'an API',
  purpose:
    'An API accepts access tokens of this service. Add it, so that apps get tokens with its scopes.',
  nameField: 'name',
  documentation: 'Fields of APIs',
  create: 'createApi',
  update: 'updateApi',
}
