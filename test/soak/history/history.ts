/*
 * What a run records: one line of JSON for each request and its answer, for each fault, and at the
 * end for each entry of the audit log and each delivery to the webhook. All times are milliseconds of
 * one clock, that of the process that sends the requests.
 */

export interface Span {
  start: number
  end: number
}

/**
 * A request and its answer. Without a status, the answer was lost: the service may have carried it
 * out or not. The same is true of a status from 500 on.
 */
export interface Exchange extends Span {
  status?: number
  /** `X-Request-Id` of the response, which the entry of the audit log has, too. */
  request?: string
}

/** What is known of an access token, or of a session token, which has no grant. */
export interface IssuedToken {
  id: string
  sub: string
  sid: string
  grant?: string
  client?: string
  kid: string
  roles?: readonly string[]
  /** In seconds since 1970. */
  expiresAt: number
}

/** A user of the stand-in. It is always the same user of the service. */
interface OfPerson {
  person: string
}

/** The callback that opens a session. */
export interface SignIn extends Exchange, OfPerson {
  kind: 'sign-in'
  session: string
}

/** An authorization request that returned a code. */
export interface Authorization extends Exchange, OfPerson {
  kind: 'authorize'
  session: string
  client: string
  code?: string
}

/** A code or refresh token at the token endpoint. */
export interface TokenRequest extends Exchange, OfPerson {
  kind: 'redeem' | 'refresh'
  client: string
  /** The code or refresh token that was sent. */
  sent: string
  error?: string
  issued?: IssuedToken
  /** The refresh token of the response. */
  refreshToken?: string
}

/** Something that ends a session, a grant, or everything of a user. */
export interface SignOut extends Exchange, OfPerson {
  kind: 'sign-out'
  session: string
}

export interface Revocation extends Exchange, OfPerson {
  kind: 'revoke'
  grant: string
}

/** What an administrator, or the platform, does to a user. */
export interface UserChange extends Exchange, OfPerson {
  kind: 'block' | 'unblock' | 'end-sessions' | 'disconnect'
}

export interface RoleChange extends Exchange, OfPerson {
  kind: 'give-role' | 'take-role'
  role: string
}

export interface ClientChange extends Exchange {
  kind: 'disable-client' | 'enable-client' | 'rename-client'
  client: string
  name?: string
}

export interface KeyChange extends Exchange {
  kind: 'rotate-keys' | 'revoke-keys'
}

/** Whether a session exists: from the user's object, or from its copy for display. */
export interface SessionCheck extends Exchange, OfPerson {
  kind: 'session' | 'displayed-session'
  session: string
  isAccepted?: boolean
  issued?: IssuedToken
}

/** Whether a token is accepted, by the service or by an API whose clock differs. */
export interface TokenCheck extends Exchange, OfPerson {
  kind: 'userinfo' | 'introspect' | 'api'
  token: string
  isAccepted?: boolean
  /** How far the clock of the API is ahead, in seconds. */
  clock?: number
}

/** The signing keys that the service publishes. */
export interface KeyList extends Exchange {
  kind: 'jwks'
  kids: readonly string[]
}

/** Any other request, of which nothing is checked. */
export interface OtherRequest extends Exchange {
  kind: 'other'
  path: string
}

/** From the kill until the service responds again. */
export interface Kill extends Span {
  kind: 'kill'
  /** How far the clock of the next process is ahead, in seconds. */
  clock: number
}

/** While the calls of a binding fail, fail after they were carried out, or are slow. */
export interface Fault extends Span {
  kind: 'fault'
  binding: string
  mode: 'error' | 'error-after' | 'slow'
  /** How many calls it has affected. */
  hits: number
}

/** An entry of the audit log, as the admin API lists it at the end. */
export interface AuditRecord {
  kind: 'audit'
  id: string
  event: string
  outcome: string
  subject?: string
  client?: string
  detail?: string
  request_id?: string
}

/** An event at the receiver of the webhook, and how it has responded. */
export interface Delivery {
  kind: 'delivery'
  /** The id of the entry of the audit log. */
  id: string
  isAccepted: boolean
}

/** What the admin API shows of a user or client at the end. */
export interface FinalUser extends OfPerson {
  kind: 'final-user'
  sub: string
  isBlocked: boolean
  roles: readonly string[]
}

export interface FinalClient {
  kind: 'final-client'
  client: string
  name: string
  isDisabled: boolean
}

export type Line =
  | SignIn
  | Authorization
  | TokenRequest
  | SignOut
  | Revocation
  | UserChange
  | RoleChange
  | ClientChange
  | KeyChange
  | SessionCheck
  | TokenCheck
  | KeyList
  | OtherRequest
  | Kill
  | Fault
  | AuditRecord
  | Delivery
  | FinalUser
  | FinalClient

/** The lines of one kind, or of several. */
export type OfKind<Kind extends Line['kind'], Each = Line> = Each extends { kind: infer Own }
  ? [Kind & Own] extends [never]
    ? never
    : Each & { kind: Kind & Own }
  : never

export function isAcknowledged({ status = 0 }: Exchange): boolean {
  return status >= 200 && status < 400
}

/** The answer was lost, or says that something failed. */
export function isUnknown({ status = 500 }: Exchange): boolean {
  return status >= 500
}

export function mayHaveHappened(exchange: Exchange): boolean {
  return isAcknowledged(exchange) || isUnknown(exchange)
}

/** How much later a request may be carried out whose answer was lost. */
const LATE = 10_000 // milliseconds

/** When a request has been carried out, if it was. */
export function latestEnd(exchange: Exchange): number {
  return isUnknown(exchange) ? exchange.end + LATE : exchange.end
}

/** The code or refresh token was refused, and not the client. */
export function isInvalidGrant({ status, error }: TokenRequest): boolean {
  return status === 400 && error === 'invalid_grant'
}
