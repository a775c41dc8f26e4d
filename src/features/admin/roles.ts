import * as z from 'zod/mini'
import { ADMIN_SCOPE_NAMES, type AdminScope, isGranted } from '../../administration/admin-scopes.ts'
import { field } from '../../administration/registration-fields.ts'
import { ADMINISTRATOR } from '../../core/config/settings.ts'
import { NO_CONTROL_CHARACTERS, text } from '../../foundation/values/schemas.ts'

/** Longer than every id that a provider is known to use, and short enough for a command line. */
const MAX_NAME_LENGTH = 512 // characters

/** What administrators of each role may do, as scopes of the API. */
const SCOPES = {
  owner: ['admin:read', 'admin:write', 'admin:administrators'],
  support: ['admin:read', 'admin:support'],
} as const satisfies Record<string, readonly AdminScope[]>

export type AdminRole = keyof typeof SCOPES

/** The one that may do most is the first. */
export const ADMIN_ROLES = Object.keys(SCOPES) as AdminRole[]

/** The scopes that a role allows, with those that are part of another one. */
export function roleScopes(role: AdminRole): readonly AdminScope[] {
  return ADMIN_SCOPE_NAMES.filter((scope) => isGranted(scope, SCOPES[role]))
}

/** The fields of an administrator, created on first use, because most isolates never need them. */
export function administratorSchema() {
  return z.strictObject({
    name: field(
      'Administrator',
      'User or account',
      'The ID of a user, usr_…, or a provider and its ID of the account, such as tiktok:8a1f…',
      text(
        [
          (name) => ADMINISTRATOR.test(name) && name.length <= MAX_NAME_LENGTH,
          'must be usr_… or provider:account id.',
        ],
        NO_CONTROL_CHARACTERS,
      ),
    ),
    role: field(
      'Administrator',
      'Role',
      'support: sees everything, exports, blocks, unblocks and signs out users, revokes the access of their clients, and removes their accounts. owner: changes everything.',
      z.enum(ADMIN_ROLES),
    ),
  })
}
