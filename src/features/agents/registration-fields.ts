import * as z from 'zod/mini'
import { field } from '../../administration/registration-fields.ts'
import type { Api } from '../../core/registration-schemas/apis.ts'
import { fieldReader } from '../../core/registration-schemas/deployment-schemas.ts'
import type { Problem } from '../../foundation/values/problem.ts'
import { text } from '../../foundation/values/schemas.ts'

export const API_FIELDS = {
  unregistered_client_scopes: field(
    'Access',
    'Scopes of unregistered clients',
    'The scopes that clients may have which nobody has registered. Not set: they cannot use the API.',
    z.optional(z.array(text())),
  ),
}

const readApiFields = fieldReader(API_FIELDS)

/** The scopes that an unregistered client may have at an API; undefined if it cannot use it. */
export function unregisteredScopes(api: Api): readonly string[] | undefined {
  return readApiFields(api).unregistered_client_scopes
}

export function findApiProblems(api: Api): Problem[] {
  const scopes = unregisteredScopes(api) ?? []
  if (scopes.every((scope) => api.scopes.some(({ name }) => name === scope))) return []
  const message = 'must be part of scopes.'
  return [{ path: ['unregistered_client_scopes'], code: 'invalid', message }]
}
