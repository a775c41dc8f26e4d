import { apiSchema } from '../../src/core/registration-schemas/apis.ts'
import { clientSchema } from '../../src/core/registration-schemas/clients.ts'
import { API_FIELDS as AGENTS_API } from '../../src/features/agents/registration-fields.ts'
import { CLIENT_FIELDS as TOKENS_CLIENT } from '../../src/features/provider-tokens/registration-fields.ts'
import { API_FIELDS as ROLES_API } from '../../src/features/roles/registration-fields.ts'
import {
  API_FIELDS as BOUND_API,
  CLIENT_FIELDS as BOUND_CLIENT,
} from '../../src/features/sender-constrained/registration-fields.ts'

/** The fields of clients that any deployment can have. The deployment rejects those that it lacks. */
export const CLIENT_SCHEMA = {
  shape: { ...clientSchema().shape, ...BOUND_CLIENT, ...TOKENS_CLIENT },
}

/** The same for APIs. */
export const API_SCHEMA = {
  shape: { ...apiSchema().shape, ...ROLES_API, ...AGENTS_API, ...BOUND_API },
}
