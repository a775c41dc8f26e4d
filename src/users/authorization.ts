import type { RequestedConsent } from '../grants/consents.ts'
import type { GrantTerms } from '../grants/grant.ts'
import type { Session } from './session.ts'
import type { UserRecord } from './user.ts'

/** A grant to open, and what the user's session must satisfy before it is opened. */
export interface GrantRequest {
  /** The user must have signed in at this time or later. */
  authenticatedSince: number | undefined
  /** The provider must have been requested to prompt the user again at this time or later. */
  promptedSince: number | undefined
  /** The user the client expects. */
  subject: string | undefined
  /** No page may be shown: an error is the only alternative to a grant (`prompt=none`). */
  isSilent: boolean
  /** The user must be asked for consent even if they have given it before. */
  forceConsent: boolean
  /** The consent the client needs; `undefined` for the operator's own apps. */
  consent: RequestedConsent | undefined
  /** Scopes that the provider must have granted. */
  upstreamScope: readonly string[]
  grantId: string
  /** The digest of the secret in the code. */
  secretDigest: string
  terms: Omit<GrantTerms, 'sid' | 'authenticatedAt' | 'account'>
}

/** Whether a grant was opened, and if not, what is missing. */
export type AuthorizationResult =
  /** With the scope that the user has agreed to. */
  | { kind: 'granted'; scope: readonly string[] }
  | { kind: 'login_required' }
  | { kind: 'upstream_scope_required' }
  /** With the scopes that the user has declined before. */
  | { kind: 'consent_required'; user: UserRecord; declined: readonly string[] }

/** Whether the session is recent enough and of the required user. */
export function satisfies(session: Session, request: GrantRequest): boolean {
  return (
    session.authenticatedAt >= (request.authenticatedSince ?? 0) &&
    session.promptedAt >= (request.promptedSince ?? 0) &&
    (request.subject ?? session.user.id) === session.user.id
  )
}
