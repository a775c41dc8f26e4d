import { ACR, authenticationContext } from '../config/authentication-context.ts'
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
  /** The values of `acr` that the client accepts; `undefined` if it accepts any. */
  context: { values: readonly string[]; isEssential: boolean } | undefined
  /** When this request sent the user to sign in because of `acr`. It does so once. */
  contextRequestedAt: number | undefined
  /** The user the client expects. */
  subject: string | undefined
  /** No page may be shown: an error is the only alternative to a grant (`prompt=none`). */
  isSilent: boolean
  /** The user must be asked for consent even if they have given it before. */
  forceConsent: boolean
  /** The consent the client needs; `undefined` for the operator's own apps. */
  consent: RequestedConsent | undefined
  /** A consent from before was given to another client with the same id. */
  clientRegisteredAt?: number | undefined
  /** Scopes that the provider must have granted. */
  upstreamScope: readonly string[]
  grantId: string
  /** The digest of the secret in the code. */
  secretDigest: string
  terms: Omit<GrantTerms, 'sid' | 'authenticatedAt' | 'amr' | 'account'>
}

/** Whether a grant was opened, and if not, what is missing. */
export type AuthorizationResult =
  /** With the scope that the user has agreed to. */
  | { kind: 'granted'; scope: readonly string[] }
  | { kind: 'login_required' }
  | { kind: 'upstream_scope_required' }
  /** The user can be authenticated as the client requests. */
  | { kind: 'context_required' }
  /** The user cannot, or has chosen not to be. */
  | { kind: 'context_unmet' }
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

/** What is missing if the user was not authenticated as the client requests. */
export function missingContext(
  session: Session,
  { context, contextRequestedAt, isSilent }: GrantRequest,
  hasPasskey: () => boolean,
): 'context_required' | 'context_unmet' | undefined {
  if (!context || context.values.includes(authenticationContext(session.amr))) return undefined
  const { values, isEssential } = context
  if (isSilent && !isEssential) return undefined
  const isAvailable = (value: string) => value !== ACR.phishingResistant || hasPasskey()
  // A preference is worth another sign-in only if that proves more.
  const canBeMet = isEssential
    ? values.some(isAvailable)
    : values.includes(ACR.phishingResistant) && hasPasskey()
  const wasRequested =
    contextRequestedAt !== undefined && session.authenticatedAt >= contextRequestedAt
  if (canBeMet && !wasRequested) return 'context_required'
  return isEssential ? 'context_unmet' : undefined
}
