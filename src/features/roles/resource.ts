import * as z from 'zod/mini'
import type { OperationSchemas } from '../../administration/operation-schemas.ts'

/** A role. */
export type Role = z.output<ReturnType<typeof createRoleSchemas>['role']>

/** A user who has a role. */
export type RoleUser = z.output<ReturnType<typeof createRoleSchemas>['roleUser']>

/** What the API returns about roles. */
export function createRoleSchemas({ text, optionalText, texts }: OperationSchemas) {
  return {
    role: z.object({ name: text }),
    roleUser: z.object({ id: text, name: optionalText }),
    userRoles: z.object({ id: text, roles: texts }),
  }
}
