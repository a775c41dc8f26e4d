import * as z from 'zod/mini'
import { field } from '../../administration/registration-fields.ts'
import type { Api } from '../../core/registration-schemas/apis.ts'
import { fieldReader } from '../../core/registration-schemas/deployment-schemas.ts'
import type { Problem } from '../../foundation/values/problem.ts'
import { text } from '../../foundation/values/schemas.ts'

export const API_FIELDS = {
  roles: field(
    'Access',
    'Roles',
    'The roles that its access tokens name, if the user has them.',
    z._default(z.array(text()), []),
  ),
}

const readApiFields = fieldReader(API_FIELDS)

/** The roles that tokens for an API name. */
export function rolesOf(api: Api): readonly string[] {
  return readApiFields(api).roles
}

/** Roles of an API that the deployment does not have. No token names them. */
export function findApiProblems(api: Api, names: readonly string[]): Problem[] {
  const message = `must be ${names.join(' or ')}.`
  return rolesOf(api).flatMap((role, index): Problem[] =>
    names.includes(role) ? [] : [{ path: ['roles', index], code: 'unlisted', message }],
  )
}
