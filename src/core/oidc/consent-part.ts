import type { Child } from 'hono/jsx'
import type { Api } from '../registration-schemas/apis.ts'
import type { Client } from '../registration-schemas/clients.ts'
import type { UserRecord } from '../users/user.ts'

/** The app that asks for a user's consent. */
export interface ConsentRequest {
  client: Client
  /** Where the response is sent. */
  redirectUri: string
  /** The registered APIs that it requests tokens for. */
  apis: readonly Api[]
  user: UserRecord
}

/** What a user allows. */
export interface ConsentDecision {
  client: Client
  userId: string
  resources: readonly string[]
  /** Where the user continues who has to sign in again before. */
  continueAt: string
}

/** What a feature adds to the consent page. */
export interface ConsentPart {
  /** Replaces the title of the page. */
  title?: string
  /** Whether nobody vouches for the app, so that the page does not recommend to allow it. */
  isWarning?: boolean
  /** Precedes what the app requests. */
  notice?: Child
  /** What the app gets besides what it requests. It cannot be declined. */
  permissions?: readonly string[]
}
