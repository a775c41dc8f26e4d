import * as z from 'zod/mini'
import { callback, type Shape } from '../../foundation/values/schemas.ts'
import type { Awaitable } from '../../provider-interface/oauth-types.ts'
import type { CallbackAccount, CallbackClient, CallbackTools, CallbackUser } from './callbacks.ts'

/** Identifies an account. */
export type EventAccount = Pick<CallbackAccount, 'provider' | 'issuer' | 'id'>

/** Identifies a user. */
export type EventUser = Pick<CallbackUser, 'id'>

/** What each event reports. No payload contains a token, a code, a cookie or a secret. */
export interface EventPayloads {
  /** A session was opened. */
  signIn: { user: CallbackUser; account: EventAccount; isNewUser: boolean }
  /** A sign-in failed after the user had returned from the provider. */
  signInFailed: {
    provider: string
    /** The error code, as in the log: for example `access_denied` or `not_allowed`. */
    code: string
    /** The reference that the user sees, and that the log has as `requestId`. */
    reference: string
  }
  /** A user ended the session of this browser, another one, or all others. */
  signOut: { user: EventUser; sessions: 'current' | 'one' | 'others' }
  /** A user signed in for the first time. */
  createUser: { user: CallbackUser; account: EventAccount }
  /** A signed-in user linked another account. */
  linkAccount: { user: EventUser; account: EventAccount }
  /** A user disconnected an account. */
  unlinkAccount: { user: EventUser; account: EventAccount }
  /** A user was deleted: by themselves, or because they deleted their account at the provider. */
  deleteUser: { user: EventUser; reason: 'user' | 'provider' | 'administrator' }
  /** A client received an authorization code for a user. */
  grant: {
    user: EventUser
    client: CallbackClient
    scope: readonly string[]
    resources: readonly string[]
  }
  /**
   * The signing keys were rotated on schedule or by an operator, revoked by an operator, or
   * replaced because no secret opens them any more.
   */
  keysRotated: {
    reason: 'scheduled' | 'manual' | 'revoked' | 'secret_changed'
    /** The ids (`kid`) of the keys that sign from now on. */
    activeKeys: readonly string[]
  }
}

export type EventName = keyof EventPayloads

/** The argument of an event. */
export type EventInput<Name extends EventName> = EventPayloads[Name] & CallbackTools

/**
 * Notifications for the deployment. They run after the response, for at most five seconds each. An
 * error is logged and affects nobody.
 */
export type Events = {
  [Name in EventName]?: (input: EventInput<Name>) => Awaitable<unknown>
}

export function eventsSchema() {
  return z.strictObject({
    signIn: callback,
    signInFailed: callback,
    signOut: callback,
    createUser: callback,
    linkAccount: callback,
    unlinkAccount: callback,
    deleteUser: callback,
    grant: callback,
    keysRotated: callback,
  } satisfies Shape<Events>)
}
