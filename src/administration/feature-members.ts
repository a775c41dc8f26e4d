import type * as z from 'zod/mini'
import type { Copies } from '../core/users/directory-rows.ts'
import type { OperationGroup } from './operation-group.ts'

declare module '../core/config/feature.ts' {
  interface Feature {
    /** Operations for administrators, with their pages of the console. `admin()` serves them. */
    operations?: OperationGroup
    /** The fields of an imported user, which are stored in the columns of `users` with their names. */
    importFields?(): Partial<Record<keyof Copies, z.ZodMiniType<string | undefined>>>
  }
}
