import type * as z from 'zod/mini'
import type { AppContext } from '../core/http/app-env.ts'
import type { Copies } from '../core/users/directory-rows.ts'
import type { Session } from '../core/users/session.ts'
import type { OperationGroup } from './operation-group.ts'

declare module '../core/config/feature.ts' {
  interface Feature {
    /** Operations for administrators, with their pages of the console. `admin()` serves them. */
    operations?: OperationGroup
    /** A page instead of the console for an administrator whose session is not sufficient. */
    limitConsole?(c: AppContext, session: Session): Promise<Response | undefined>
    /** The fields of an imported user, which are stored in the columns of `users` with their names. */
    importFields?(): Partial<Record<keyof Copies, z.ZodMiniType<string | undefined>>>
  }
}
