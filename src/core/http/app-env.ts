import type { Context } from 'hono'
import type { FailureDetail } from '../../foundation/errors/failure-detail.ts'
import type { Config } from '../config/config.ts'
import type { Client } from '../registration-schemas/clients.ts'
import type { LogEvent } from './log-events.ts'

/** The bindings, and the values that middleware adds to a request. */
export interface AppEnv {
  Bindings: Env
  Variables: RequestVariables
}

/** Middleware, and parts above this one, add values. */
export interface RequestVariables {
  /** The reference that users report and operators search the log for. */
  requestId: string
  config: Config
  /**
   * The name of the provider that the request is about, from the configuration. Error texts
   * contain it.
   */
  providerName: string | undefined
  /** The app of the interaction, once it has been read. Pages have its logo and colour. */
  client: Client | undefined
  /** The id of the interaction that leads from the account pages back to an app. */
  accountVisit: string | undefined
  /** That app. Pages have its logo and colour if there is no other app. */
  returnClient: Client | undefined
  /** The app that registered the origin of the request, once it has been looked up. */
  originClient: Promise<Client | undefined> | undefined
  /** Whether pages of all origins may call this endpoint, which uses no cookies. */
  isOpenToAllPages: true | undefined
  /** Fields of the request's log line, besides the request itself. */
  logFields: LogFields<string>
  /** The rate limit that counts the request once its session has been read. */
  pendingCounter: string | undefined
  /** The session cookie, once it has been opened. */
  sessionCookie: Promise<SessionCookie | undefined> | undefined
  /** The values of the request's cookies by name, once they have been parsed. */
  requestCookies: ReadonlyMap<string, readonly string[]> | undefined
  /** The values of the sealed cookies that the response sets, by name. */
  newCookies: Map<string, string> | undefined
  /** The CSRF token of this browser, once a form of the page has needed it. */
  csrfToken: Promise<string> | undefined
  /** Run after the response. */
  pendingEvents: (() => Promise<void>)[] | undefined
}

export type AppContext = Context<AppEnv>

/** The content of the session cookie. */
export interface SessionCookie {
  userId: string
  /**
   * With what the session is read: the digest of its secret, and the proof of a session that is
   * bound to its browser.
   */
  sessionKey: string
  /** The digest alone, by which requests of the same session recognise it. */
  secretDigest: string
  /** Whether the session is bound, and the request has no proof. It may have ended. */
  lacksProof?: boolean
}

/** The fields a log line may have. The list is fixed so that no secret is logged by accident. */
export interface LogFields<Event extends string = LogEvent>
  extends Omit<FailureDetail, 'event' | 'cause'> {
  event?: Event | FailureDetail['event']
  code?: string
  /** Instead of the path of the last matching route. */
  route?: string
  userId?: string
  /** The name of the provider in the text of the error page. */
  providerName?: string
  /** The requestId of the sign-in's first request, the same in all its steps. */
  attempt?: string
  clientId?: string
  /** TikTok's number for why it removed an authorization. */
  reason?: number
  /** The problems of the configuration, or the stack of an unexpected error. */
  cause?: readonly string[] | string
}
