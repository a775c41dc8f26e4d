import { recordFailedSignIn, type SignInOrigin } from '../audit/sign-ins.ts'
import { decideSignIn } from '../callbacks/sign-in.ts'
import type { SignInUser } from '../config/callbacks.ts'
import type { Client } from '../config/clients.ts'
import type { Config } from '../config/config.ts'
import { ATTEMPT_LIFETIME } from '../config/lifetimes.ts'
import { digest } from '../crypto/digest.ts'
import {
  CallbackError,
  callbackErrorCode,
  requireStorage,
  SignInError,
  type SignInErrorCode,
  UnavailableError,
} from '../errors.ts'
import { afterResponse } from '../http/after-response.ts'
import type { AppContext } from '../http/app-env.ts'
import { auditOrigin } from '../http/audit-origin.ts'
import { confirmedAccountPath, repeatedChangePath } from '../http/confirmation.ts'
import { deniedRequestPath } from '../http/denied-request.ts'
import { emitEvent } from '../http/events.ts'
import { setPreference } from '../http/preferences.ts'
import { addToLog } from '../http/request-log.ts'
import { isAuthorizationRequest, returnParams, safeReturnUrl } from '../http/return-url.ts'
import { guardObject } from '../limits/guard-object.ts'
import { cachedSession, openSession, requireRecentSession } from '../session/current.ts'
import { enabledProviders, providersWithScopes } from '../upstream/enabled-providers.ts'
import type { IdentifiedUser } from '../upstream/identify-user.ts'
import { type SignInMethod, signInMethods } from '../upstream/sign-in-methods.ts'
import { invalidResponse } from '../upstream/upstream-error.ts'
import {
  type ClaimedUser,
  findOwner,
  findUserByAccount,
  linkAccount,
  recordSignIn,
  type SignedInAccount,
} from '../users/directory.ts'
import {
  accountKey,
  summarizeAccount,
  toCallbackAccount,
  toEventAccount,
} from '../users/upstream-account.ts'
import type { UserRecord } from '../users/user.ts'
import type { Attempt } from './attempt.ts'
import {
  accountReference,
  grantedScopes,
  toSignedInAccount,
  toUpstreamAccount,
  upstreamProfile,
} from './identified-account.ts'
import { logSignIn, requestingClient } from './requesting-client.ts'

/** Tolerance for differences between the provider's clock and ours. */
const CLOCK_SKEW = 60 // seconds

/** Finishes an attempt: identifies the user, then opens a session or links the account. Returns where the user continues. */
export async function finishSignIn(
  c: AppContext,
  provider: SignInMethod,
  attempt: Attempt,
  identify: () => Promise<IdentifiedUser>,
): Promise<string> {
  const config = c.get('config')
  const returnTo = await safeReturnUrl(c.env, config, attempt.returnTo)
  const client = await requestingClient(c.env, config, returnTo)
  logSignIn(c, provider, client)
  const origin = signInOrigin(c, client)
  try {
    const identified = await identify()
    // A session that was confirmed continues with the scopes of its account.
    if (!identified.isConfirmation) requireUpstreamScope(identified, client)
    const elsewhere = attempt.linkTo
      ? await link(c, provider, identified, { userId: attempt.linkTo, attempt, origin, returnTo })
      : await signIn(c, provider, identified, { attempt, origin, returnTo })
    if (!attempt.linkTo) setPreference(c, 'provider', provider.id)
    return elsewhere ?? returnTo
  } catch (error) {
    const recoverable = toRecoverableError(error)
    reportFailure(c, provider, recoverable ?? error)
    auditFailure(c, provider, { error: recoverable ?? error, origin, attempt })
    if (!recoverable) throw error
    const params = await returnParams(c, returnTo)
    throw recoverable.withRecovery({
      provider: provider.id,
      returnTo,
      goBackUrl: await goBackUrl(config, returnTo, recoverable.code),
      app: client?.client_name,
      otherProvidersUrl: hasOtherMethods(config, { client, attempt })
        ? `/api/auth/signin?${new URLSearchParams(params)}`
        : undefined,
      returnParams: params,
    })
  }
}

/** Whether the sign-in page offers another way to do the same. */
function hasOtherMethods(
  config: Config,
  { client, attempt }: { client: Client | undefined; attempt: Attempt },
): boolean {
  if (attempt.linkTo) return false
  // Only other services can grant the scopes that the app needs.
  const { upstream_scope: scopes = [] } = client ?? {}
  const methods = scopes.length > 0 ? providersWithScopes(config, scopes) : signInMethods(config)
  return methods.length > 1
}

/**
 * An authorization request is answered with an error, instead of showing the sign-in page again: with
 * `access_denied` if the user cancelled, otherwise with the error of `prompt=none`.
 */
async function goBackUrl(config: Config, returnTo: string, code: SignInErrorCode): Promise<string> {
  if (!isAuthorizationRequest(config, returnTo)) return returnTo
  const { searchParams } = new URL(returnTo)
  if (code === 'access_denied') return deniedRequestPath(config, searchParams)
  searchParams.set('prompt', 'none')
  return `/oidc/authorize?${searchParams}`
}

/** Reports a failed sign-in to the deployment, with the code that the user sees. */
export function reportFailure(c: AppContext, { id }: SignInMethod, error: unknown): void {
  emitEvent(c, 'signInFailed', {
    provider: id,
    code: failureCode(error),
    reference: c.get('requestId'),
  })
}

/** Which client the user signs in for, and the request. */
function signInOrigin(c: AppContext, client: Client | undefined): SignInOrigin {
  const { address, requestId } = auditOrigin(c, 'anonymous')
  return { client: client?.client_id, address, requestId }
}

interface Failure {
  error: unknown
  origin: SignInOrigin
  attempt: Attempt
}

/**
 * Records a failed sign-in after the response. Only the failure of an attempt that was started here is
 * recorded; otherwise anyone could fill the table.
 */
function auditFailure(
  c: AppContext,
  { id }: SignInMethod,
  { error, origin, attempt }: Failure,
): void {
  const userId = attempt.linkTo
  const outcome = failureCode(error)
  // Already recorded, together with the user, by the transaction that found the user.
  if (outcome === 'user_blocked' && userId === undefined) return
  const entry = { ...origin, actor: userId ?? 'anonymous', subject: userId, provider: id, outcome }
  afterResponse(c, recordFirstFailure(c, attempt, entry))
}

/** An attempt that failed can be sent again with its cookie, but only its first failure is recorded. */
async function recordFirstFailure(
  c: AppContext,
  { state, expiresAt }: Attempt,
  entry: Parameters<typeof recordFailedSignIn>[2],
): Promise<void> {
  const name = `failure ${await digest(state)}`
  if (!(await guardObject(c.env, name).useOnce(name, expiresAt))) return
  await recordFailedSignIn(c.env, c.get('config'), entry)
}

function failureCode(error: unknown): SignInErrorCode {
  if (error instanceof CallbackError) return callbackErrorCode(error)
  return error instanceof SignInError ? error.code : 'internal'
}

function toRecoverableError(error: unknown): SignInError | undefined {
  if (error instanceof UnavailableError) {
    const { hint } = error
    const detail = { cause: String(error.cause), ...(hint && { hint }) }
    return new SignInError('unavailable', { cause: error, detail })
  }
  return error instanceof SignInError ? error : undefined
}

/**
 * Opens a session, unless the deployment sends the user elsewhere. Returns an address if the user continues elsewhere: where the
 * deployment sends them, or at a confirmation.
 */
async function signIn(
  c: AppContext,
  provider: SignInMethod,
  identified: IdentifiedUser,
  { attempt, origin, returnTo }: { attempt: Attempt; origin: SignInOrigin; returnTo: string },
): Promise<string | undefined> {
  const { elsewhere, userId } = await requireAllowed(c, provider, identified, { origin, attempt })
  if (elsewhere !== undefined) return elsewhere
  // Before anything is recorded, because a callback of the deployment may fail.
  const upstream = await toUpstreamAccount(c, provider, identified)
  const { user, claimedAt, isNewUser } = await findOrRecordUser(c, provider, identified, origin)
  // The user that the deployment has decided about may have been deleted in the meantime.
  if (userId !== undefined && userId !== user.id) throw new SignInError('attempt_missing')
  const reference = accountReference(provider, identified)
  if (isNewUser) {
    emitEvent(c, 'createUser', { user: { ...user }, account: toEventAccount(reference) })
  }
  if (!attempt.mayReplaceSession) await rejectOtherUser(c, user, provider)
  await openSession(c, user, {
    state: attempt.state,
    claimedAt,
    isPrompted: attempt.isPrompted,
    authenticatedAt: authenticationTime(provider, attempt, identified),
    amr: identified.amr,
    isConfirmation: identified.isConfirmation,
    upstream,
    account: accountKey(reference),
  })
  emitEvent(c, 'signIn', { user: { ...user }, account: toEventAccount(reference), isNewUser })
  return isNewUser && isAccountPage(c, returnTo)
    ? c.get('config').issuer + confirmedAccountPath('created')
    : undefined
}

interface Permission {
  /** Where the user is sent instead of being signed in. */
  elsewhere?: string
  /** The user that was decided about; absent if there is no rule, or the user would be new. */
  userId?: string | undefined
}

/** Calls the deployment's own rule, before anything is stored. */
async function requireAllowed(
  c: AppContext,
  provider: SignInMethod,
  identified: IdentifiedUser,
  { origin, attempt }: { origin: SignInOrigin; attempt: Attempt },
): Promise<Permission> {
  const config = c.get('config')
  if (!config.callbacks.signIn) return {}
  const { user, userId } = await userToDecideAbout(c, provider, identified, attempt)
  const account = { ...accountReference(provider, identified), ...upstreamProfile(identified) }
  const decision = await decideSignIn(config, {
    user: { ...user, ...(userId !== undefined && { id: userId }) },
    account: toCallbackAccount(summarizeAccount(account)),
    profile: Object(identified.profile),
    isNewUser: userId === undefined,
  })
  if (decision.kind === 'rejected') throw new SignInError('not_allowed')
  if (decision.kind === 'allowed') return { userId }
  addToLog(c, { event: 'signin_failed', code: 'not_allowed' })
  const error = new SignInError('not_allowed')
  reportFailure(c, provider, error)
  auditFailure(c, provider, { error, origin, attempt })
  return { elsewhere: decision.url }
}

/** The user as the provider describes them, or as they are stored if the provider has no profiles. */
async function userToDecideAbout(
  c: AppContext,
  provider: SignInMethod,
  identified: IdentifiedUser,
  { linkTo }: Attempt,
): Promise<{ user: SignInUser; userId: string | undefined }> {
  const { owner } = identified
  if (owner) return { user: owner, userId: owner.id }
  const account = toSignedInAccount(provider, identified)
  // Without a profile, the rule could not be applied.
  if (!account) throw new SignInError('provider_unavailable')
  const userId = linkTo ?? (await requireStorage(async () => findOwner(c.env, account)))
  return { user: toSignInUser(account), userId }
}

function toSignInUser({ user }: SignedInAccount): SignInUser {
  const { name, username, email, emailVerified, image, url } = user
  return {
    ...(name && { name }),
    ...(username && { username }),
    ...(email && { email }),
    emailVerified: emailVerified === true,
    ...(image && { image }),
    ...(url && { url }),
  }
}

/**
 * The provider's `auth_time`, if it is known. If the provider was requested to authenticate the user again and supports
 * `auth_time`, it must prove that it did.
 */
function authenticationTime(
  { sendsAuthTime }: SignInMethod,
  { isPrompted, expiresAt }: Attempt,
  { authenticatedAt }: IdentifiedUser,
): number | undefined {
  if (!isPrompted || !sendsAuthTime) return authenticatedAt
  const startedAt = expiresAt - ATTEMPT_LIFETIME
  if (authenticatedAt === undefined || authenticatedAt < startedAt - CLOCK_SKEW) {
    throw invalidResponse('The provider did not authenticate the user again.')
  }
  // A provider's clock that is slow must not make the new sign-in look older than the request for it.
  return Math.max(authenticatedAt, startedAt)
}

/** Records the user. If the provider could not send the profile, only a user we already have can sign in. */
async function findOrRecordUser(
  c: AppContext,
  provider: SignInMethod,
  identified: IdentifiedUser,
  origin: SignInOrigin,
): Promise<ClaimedUser> {
  const account = toSignedInAccount(provider, identified)
  const config = c.get('config')
  const result = await requireStorage(async () =>
    account
      ? recordSignIn(c.env, config, { account, origin })
      : findUserByAccount(c.env, config, {
          account: accountReference(provider, identified),
          origin,
        }),
  )
  // An account that was created here has been removed since the user was identified.
  if (!result) throw new SignInError(identified.owner ? 'attempt_missing' : 'provider_unavailable')
  if (result.kind === 'blocked') throw new SignInError('user_blocked')
  return result
}

/** A session of another user is replaced only if the user asked to choose an account. */
async function rejectOtherUser(
  c: AppContext,
  user: UserRecord,
  { name }: SignInMethod,
): Promise<void> {
  const session = await cachedSession(c)
  if (!session || session.user.id === user.id) return
  const users = { current: session.user, other: { ...user, provider: name } }
  throw new SignInError('already_signed_in', { users })
}

interface LinkOptions {
  userId: string
  attempt: Attempt
  origin: SignInOrigin
  returnTo: string
}

/**
 * Links the account to the signed-in user. Both must have been proved recently. Returns an address if
 * the user continues elsewhere: where the deployment sends them, or at a confirmation.
 */
async function link(
  c: AppContext,
  provider: SignInMethod,
  identified: IdentifiedUser,
  { userId, attempt, origin, returnTo }: LinkOptions,
): Promise<string | undefined> {
  const path = repeatedChangePath({ change: 'link', provider: provider.id })
  const session = await requireRecentSession(c, path)
  if (session.user.id !== userId) {
    throw new SignInError('already_signed_in', { users: { current: session.user } })
  }
  const account = toSignedInAccount(provider, identified)
  if (!account) throw new SignInError('provider_unavailable')
  const { elsewhere } = await requireAllowed(c, provider, identified, { origin, attempt })
  if (elsewhere !== undefined) return elsewhere
  // The user may have signed out everywhere while the deployment's rule was applied.
  const config = c.get('config')
  if (config.callbacks.signIn) await requireRecentSession(c, path)
  const result = await requireStorage(async () =>
    linkAccount(c.env, config, { userId, account, origin }),
  )
  if (result === 'taken') throw new SignInError('account_taken')
  if (result === 'blocked') throw new SignInError('user_blocked')
  addToLog(c, { event: 'account_linked', userId })
  emitEvent(c, 'linkAccount', { user: { id: userId }, account: toEventAccount(account) })
  if (!isAccountPage(c, returnTo)) return undefined
  // Another account is chosen at another service, which may not have asked.
  const isOther = enabledProviders(config).some(({ id }) => id === provider.id)
  const done = result === 'already_linked' && isOther ? 'alreadyLinked' : 'linked'
  return config.issuer + confirmedAccountPath(done, { provider: provider.id })
}

/** Whether the user continues on the account page, which can confirm what happened. */
function isAccountPage(c: AppContext, returnTo: string): boolean {
  return returnTo === `${c.get('config').issuer}/account`
}

/** The requesting app may need scopes that the user did not grant at the provider. */
function requireUpstreamScope({ tokens }: IdentifiedUser, client: Client | undefined): void {
  const granted = grantedScopes(tokens)
  const isSufficient = client?.upstream_scope.every((scope) => granted.includes(scope)) ?? true
  if (!isSufficient) throw new SignInError('scope_missing')
}
