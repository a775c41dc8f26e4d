import type { AppContext } from '../core/http/app-env.ts'
import type { Session } from '../core/users/session.ts'
import type { OperationGroup } from './operation-group.ts'

declare module '../core/config/feature.ts' {
  interface Feature {
    /** Operations for administrators, with their pages of the console. `admin()` serves them. */
    operations?: OperationGroup
  }

  interface LocalMethod {
    /** The id under which a sign-in finds an imported account; undefined if it is not an id. */
    normalizeAccountId?(id: string): string | undefined
  }
}

declare module '../core/session/feature-members.ts' {
  interface BoundSessions {
    /** A page instead of the console for an administrator whose session is not sufficient. */
    limitConsole?(c: AppContext, session: Session): Promise<Response | undefined>
  }
}
