import type { Context } from 'hono'
import type { Config } from '../config/config.ts'
import type { FailureDetail } from '../errors.ts'

/** What travels with a request. */
export interface AppEnv {
  Bindings: Env
  Variables: {
    /** The reference that people report and the log is searched for. */
    requestId: string
    config: Config
    /** What the request's log line says besides the request itself. */
    notes: LogNotes
  }
}

export type AppContext = Context<AppEnv>

/** The fields a log line may have: a fixed list, so that nothing secret gets in by accident. */
export interface LogNotes extends FailureDetail {
  event?:
    | 'signin'
    | 'signin_failed'
    | 'signout'
    | 'account_linked'
    | 'account_unlinked'
    | 'granted'
    | 'consent'
    | 'grant_replayed'
    | 'platform_token'
    | 'platform_removed'
    | 'account_deleted'
    | 'revoked'
    | 'session_copy_failed'
  code?: string
  userId?: string
  /** The sign-in that a request belongs to: the reference of its first request, the same in all its steps. */
  attempt?: string
  clientId?: string
  /** Why the platform took back what it had granted, in its own number. */
  reason?: number
  /** Problems of the configuration, or the stack of an unexpected error. */
  trouble?: readonly string[] | string
}
