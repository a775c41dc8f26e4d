import type { SignInFacts } from '../config/callbacks.ts'
import type { AppContext } from '../http/app-env.ts'
import type { Client } from '../registration-schemas/clients.ts'
import type { UserRecord } from '../users/user.ts'

/** The user of a session. */
export interface SignedInUser {
  user: UserRecord
  /** The public id of the session. */
  sid: string
  signIn: SignInFacts
  /** The key of the account that has signed in. */
  method: string | undefined
}

/** Who signs in, and how. */
export interface StepRequest {
  user: UserRecord
  signIn: SignInFacts
  /** Whether the user has had a session in this browser before, and not of an unconfirmed account. */
  isKnownBrowser: boolean
  /** The app that the user signs in to; undefined for our own pages. */
  client: Client | undefined
  /** Whether an administrator is about to use the console or its API. */
  isAdministration: boolean
}

declare module '../config/feature.ts' {
  interface Step {
    /** The path of the page on which the user passes it; undefined if nothing is asked of them. */
    required(c: AppContext, request: StepRequest): Promise<string | undefined>
    /**
     * Whether a grant of this user from before the step ends when it is used; by default, it stays.
     */
    endsGrants?(c: AppContext, user: { id: string }): Promise<boolean>
  }
}
