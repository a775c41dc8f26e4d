import type { SignInFacts } from '../config/callbacks.ts'
import type { AppContext } from '../http/app-env.ts'
import type { Messages } from '../messages/messages.ts'
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

/**
 * Binds sessions to their browsers: without a proof that each request of the browser has, the secret
 * of a bound session is not sufficient. No method reads storage.
 */
export interface BoundSessions {
  /** The proof of a request; `isMissing` if it has none, although its session is bound. */
  readProof(c: AppContext): Promise<{ proof?: string | undefined; isMissing?: boolean }>
  /** Adds headers to the response that opens a session, with which the browser can bind it. */
  offer(c: AppContext, opened: { userId: string; secretDigest: string }): Promise<void>
  /** Responds instead of the route to a request without proof that has one if it is repeated. */
  repeat(c: AppContext): Promise<Response | undefined>
  /** Whether the browser has no proof for a reason that passes. */
  isDelayed(c: AppContext): boolean
  /** Forgets the binding of this browser, whose session has ended or is replaced. */
  forget(c: AppContext): void
  /** What lists of sessions say about those that are bound. */
  label(messages: Messages): string
}

declare module '../config/feature.ts' {
  interface Feature {
    /** Binds sessions to their browsers. */
    boundSessions?: BoundSessions
  }

  interface Step {
    /** The path of the page on which the user passes it; undefined if nothing is asked of them. */
    required(c: AppContext, request: StepRequest): Promise<string | undefined>
    /**
     * Whether a grant of this user from before the step ends when it is used; by default, it stays.
     */
    endsGrants?(c: AppContext, user: { id: string }): Promise<boolean>
  }
}
