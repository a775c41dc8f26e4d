import { type ConsentDecision, covers, type RequestedConsent } from '../grants/consents.ts'
import { type GrantTerms, withoutDeclined } from '../grants/grant.ts'
import { ACR, acrOf } from '../tokens/acr.ts'
import { type Authentication, confirmedSignIn, type Session } from './session.ts'
import type { UserRecord } from './user.ts'
import type { UserStorage } from './user-storage.ts'

/** A grant to open, and what the user's session must satisfy before it is opened. */
export interface GrantRequest {
  /** The user must have signed in at this time or later. */
  authenticatedSince: number | undefined
  /** The provider must have been requested to prompt the user again at this time or later. */
  promptedSince: number | undefined
  /** The user must have chosen an account at this time or later, also an unconfirmed one. */
  chosenSince?: number | undefined
  /** The values of `acr` that the client accepts; `undefined` if it accepts any. */
  acr: { values: readonly string[]; isEssential: boolean } | undefined
  /** The keys of the user's accounts that are not unconfirmed, if `acr` depends on them. */
  confirmedAccounts?: readonly string[] | undefined
  /** When this request sent the user to sign in because of `acr`. It does so once. */
  acrRequestedAt: number | undefined
  /** The user the client expects. */
  subject: string | undefined
  /** No page may be shown: an error is the only alternative to a grant (`prompt=none`). */
  isSilent: boolean
  /** The user must be asked for consent even if they have given it before. */
  forceConsent: boolean
  /** The consent the client needs; `undefined` for the operator's own apps. */
  consent: RequestedConsent | undefined
  /** A consent to what the client was before this time does not count. */
  clientSince?: number | undefined
  /** Scopes that the provider must have granted. */
  upstreamScope: readonly string[]
  grantId: string
  /** The digest of the secret in the code. */
  secretDigest: string
  terms: Omit<GrantTerms, 'sid' | 'authenticatedAt' | 'amr' | 'acr' | 'account' | 'steps'>
}

/** Whether a grant was opened, and if not, what is missing. */
export type AuthorizationResult =
  /** With the scope that the user has agreed to. */
  | { kind: 'granted'; scope: readonly string[] }
  | { kind: 'login_required' }
  /** The session does not count until the user has passed a step. */
  | { kind: 'step_required' }
  | { kind: 'upstream_scope_required' }
  /** The user can be authenticated as the client requests. */
  | { kind: 'acr_required' }
  /** The user cannot, or has chosen not to be. */
  | { kind: 'acr_unmet' }
  /** With what the user has decided before. */
  | { kind: 'consent_required'; user: UserRecord; before: ConsentDecision }

/** Opens the grant of an authorization request, or returns what it lacks. */
export function authorizeRequest(
  stored: UserStorage,
  sessionKey: string,
  request: GrantRequest,
): AuthorizationResult {
  const session = stored.readSession(sessionKey)?.session
  if (!session) return { kind: 'login_required' }
  const { sessions, upstream, grants, outbox } = stored
  const { clientId } = request.terms
  const { before, declined, isCovered } = readConsent(stored, request)
  const needsConsent = request.forceConsent || !isCovered
  const consentRequired = { kind: 'consent_required', user: session.user, before } as const
  // Any other error would tell a client without consent who is signed in, or since when.
  if (request.isSilent && needsConsent) return consentRequired
  const signIn = confirmedSignIn(session)
  if (!satisfies(session, signIn, request)) return { kind: 'login_required' }
  const missing = missingAcr(session, request, () => canResistPhishing(stored, request))
  // Before the user has given consent, the client does not learn how they sign in.
  if (missing === 'acr_unmet') return needsConsent ? consentRequired : { kind: missing }
  if (missing) return { kind: missing }
  const account = sessions.accountKeyForApps(sessionKey)
  const upstreamScope = upstream.find(account)?.scope ?? []
  if (!request.upstreamScope.every((scope) => upstreamScope.includes(scope))) {
    return { kind: 'upstream_scope_required' }
  }
  if (needsConsent) return consentRequired

  const { sid, steps } = session
  const terms = {
    ...withoutDeclined(request.terms, declined),
    sid,
    authenticatedAt: signIn?.authenticatedAt,
    account,
    amr: signIn?.amr,
    acr: signIn?.acr,
    steps,
  }
  grants.open(request.grantId, request.secretDigest, terms)
  outbox.addParticipant({ sid, clientId })
  return { kind: 'granted', scope: terms.scope }
}

/** What the user has decided before, and whether that covers the request. */
function readConsent({ consents }: UserStorage, { terms, clientSince, consent }: GrantRequest) {
  const found = consents.find(terms.clientId, clientSince)
  const { scope = [], resources = [] } = found ?? {}
  const optional = consent?.optional ?? []
  const declined = optional.filter(({ entry }) => found?.declined.includes(entry))
  return {
    before: { scope, resources, declined: declined.map(({ entry }) => entry) },
    declined,
    isCovered: !consent || covers(found, consent, declined),
  }
}

/** Whether the sign-in is recent enough and of the required user. */
function satisfies(
  session: Session,
  signIn: Authentication | undefined,
  { authenticatedSince, promptedSince, chosenSince, subject }: GrantRequest,
): boolean {
  const { id } = session.user
  return (
    (authenticatedSince === undefined || isSince(signIn, authenticatedSince)) &&
    (promptedSince === undefined || isPromptedSince(signIn, promptedSince)) &&
    (chosenSince === undefined || isPromptedSince(session, chosenSince)) &&
    (subject ?? id) === id
  )
}

function isSince(signIn: Authentication | undefined, time: number): boolean {
  return signIn !== undefined && signIn.authenticatedAt >= time
}

function isPromptedSince(signIn: Authentication | undefined, time: number): boolean {
  return isSince(signIn, time) && signIn?.level !== 'silent'
}

/** Whether the user has a way to sign in that resists phishing and is not unconfirmed. */
function canResistPhishing(stored: UserStorage, { confirmedAccounts = [] }: GrantRequest): boolean {
  return stored.phishingResistantAccounts().some((account) => confirmedAccounts.includes(account))
}

/** What is missing if the user was not authenticated as the client requests. */
function missingAcr(
  session: Session,
  { acr, acrRequestedAt, isSilent }: GrantRequest,
  canResistPhishing: () => boolean,
): 'acr_required' | 'acr_unmet' | undefined {
  const signIn = confirmedSignIn(session)
  if (!acr || (signIn && acr.values.includes(acrOf(signIn)))) return undefined
  const { values, isEssential } = acr
  if (isSilent && !isEssential) return undefined
  const isAvailable = (value: string) => value !== ACR.phishingResistant || canResistPhishing()
  // A preference is worth another sign-in only if that proves more.
  const canBeMet = isEssential
    ? values.some(isAvailable)
    : values.includes(ACR.phishingResistant) && canResistPhishing()
  const wasRequested = acrRequestedAt !== undefined && session.authenticatedAt >= acrRequestedAt
  if (canBeMet && !wasRequested) return 'acr_required'
  return isEssential ? 'acr_unmet' : undefined
}
