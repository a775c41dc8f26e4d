import * as z from 'zod/mini'
import type { OperationSchemas } from '../../../administration/operation-schemas.ts'
import type { ShownFields } from '../../../administration/shown-fields.ts'
import { ADMIN_ROLES } from '../roles.ts'

/** An entry that makes a user an administrator. */
export type Administrator = z.output<ReturnType<typeof createAdministratorSchema>>

/** What the API returns about an administrator. */
export function createAdministratorSchema({ text, optionalText, optionalTime }: OperationSchemas) {
  return z.object({
    /** `usr_…`, or `provider:account id`. */
    name: text,
    role: z.enum(ADMIN_ROLES),
    /** Those of `AUTH_ADMINS` are owners, and cannot be changed at runtime. */
    source: z.enum(['settings', 'database']),
    /** Absent if nobody has signed in with this name. */
    user_id: optionalText,
    user_name: optionalText,
    /** Since when the user may not sign in. */
    blocked_at: optionalTime,
    /** Absent for those of the settings. */
    created_at: optionalTime,
    /** `usr_…`, `client:<client_id>` or `operator`. Absent for those of the settings. */
    created_by: optionalText,
  })
}

export const NEVER_SIGNED_IN = 'nobody has signed in with this name'

/** The columns of a list, besides the name. */
export const ADMINISTRATOR_FIELDS = {
  Role: ({ role }) => role,
  User: ({ user_id, user_name = user_id }) =>
    user_id === undefined ? { problem: NEVER_SIGNED_IN } : { name: user_name },
  State: ({ blocked_at: since }) =>
    since === undefined ? undefined : { problem: 'blocked', since },
  'Defined in': ({ source }) => source,
  Added: ({ created_at }) => ({ time: created_at }),
  'Added by': ({ created_by }) => ({ id: created_by }),
} satisfies ShownFields<Administrator>
