import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { LINK_PATH } from '../account/account-link.ts'
import { keepAddedMethod } from '../account/keep-added-method.ts'
import type { SignInOrigin } from '../audit/user-events.ts'
import type { Config } from '../config/config.ts'
import { emitEvent } from '../http/after-response.ts'
import type { AppContext } from '../http/app-env.ts'
import { auditOrigin } from '../http/audit.ts'
import { requestSite } from '../http/fetch-metadata.ts'
import { addToLog } from '../http/request-log.ts'
import {
  attemptInteraction,
  cancelPath,
  continueUrl,
  type Interaction,
  interactionClient,
  signInUrl,
  updateRequest,
} from '../interaction/interaction.ts'
import { changesPath, confirmedAccountPath } from '../pages/account-path.ts'
import { readPreference, setPreference } from '../pages/preferences.ts'
import { type Client, isOwnNativeClient } from '../registration-schemas/clients.ts'
import { addEmail } from '../session/add-email.ts'
import { openSession } from '../session/open-session.ts'
import { authoritativeSession, sessionForDisplay } from '../session/read-session.ts'
import { requireRecentSession } from '../session/recent-session.ts'
import { readPendingSession } from '../session/step-session.ts'
import { enabledProviders, providersWithScopes } from '../upstream/enabled-providers.ts'
import type { IdentifiedUser } from '../upstream/identify-user.ts'
import { type SignInMethod, signInMethods } from '../upstream/sign-in-methods.ts'
import { toEventAccount } from '../users/account-reference.ts'
import { linkAccount } from '../users/directory.ts'
import { toStoredProfile, verifiedEmail } from '../users/profile.ts'
import type { UserRecord } from '../users/user.ts'
import { admitUser, announceAddedMethod, reportPendingSignIn, reportSignIn } from './admit-user.ts'
import type { Attempt } from './attempt.ts'
import { grantedScopes, type IdentifiedAccount, identifyAccount } from './identified-account.ts'
import { requireAllowed } from './require-allowed.ts'
import { auditFailure, reportFailure, toRecoverableError } from './sign-in-failure.ts'
import { logSignIn } from './start-sign-in.ts'
import { stepUrl } from './step-url.ts'

/**
 * Finishes an attempt: identifies the user, then opens a session or links the account. Returns
 * where the user continues.
 */
export async function finishSignIn(
  c: AppContext,
  provider: SignInMethod,
  attempt: Attempt,
  identify: () => Promise<IdentifiedUser>,
): Promise<string> {
  const config = c.get('config')
  const interaction = await attemptInteraction(c, attempt)
  const returnTo = await continueUrl(c, interaction)
  const client = await interactionClient(c, interaction)
  logSignIn(c, provider, client)
  const origin = signInOrigin(c, client)
  try {
    const identified = identifyAccount(config, provider, await identify())
    // A session that was confirmed continues with the scopes of its account.
    if (!identified.isConfirmation) requireUpstreamScope(identified, client)
    const elsewhere = attempt.linkTo
      ? await link(c, provider, identified, { userId: attempt.linkTo, attempt, origin, returnTo })
      : await signIn(c, provider, identified, { attempt, origin, interaction })
    if (!attempt.linkTo) setPreference(c, 'provider', provider.id)
    return elsewhere ?? returnTo
  } catch (error) {
    const recoverable = toRecoverableError(error)
    reportFailure(c, provider, recoverable ?? error)
    auditFailure(c, provider, { error: recoverable ?? error, origin, attempt })
    if (!recoverable) throw error
    const path = `/signin/${provider.id}`
    throw recoverable.withRecovery({
      provider: provider.id,
      returnTo,
      goBackUrl: goBackUrl(interaction, recoverable.code),
      app: client?.client_name,
      cancelledUrl: await cancelledUrl(c, attempt, interaction),
      otherMethodsUrl: hasOtherMethods(config, { client, attempt })
        ? signInUrl(interaction, '/signin')
        : undefined,
      chooseAccountUrl: signInUrl(interaction, path, { prompt: 'select_account' }),
      // The provider must prompt again; otherwise it may repeat its last response.
      tryAgainUrl: signInUrl(interaction, path, { prompt: 'consent' }),
      withoutAutofillUrl: signInUrl(interaction, '/signin', { autofill: 'off' }),
    })
  }
}

/**
 * The page on which a user who has cancelled chose the provider. Without a session, the provider
 * must prompt again; otherwise it may repeat its last response.
 */
async function cancelledUrl(
  c: AppContext,
  { linkTo, prompt }: Attempt,
  interaction: Interaction,
): Promise<string> {
  if (linkTo) return `${LINK_PATH}?cancelled=true`
  const isSignedIn = (await sessionForDisplay(c)) !== undefined
  return signInUrl(interaction, '/signin', {
    prompt: isSignedIn ? prompt : 'consent',
    cancelled: 'true',
  })
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
 * An authorization request is answered with an error, instead of showing the sign-in page again:
 * with `access_denied` if the user cancelled, otherwise with the error of `prompt=none`.
 */
function goBackUrl(interaction: Interaction, code: string): string {
  if (!interaction.request) return interaction.returnTo
  return cancelPath(interaction, code === 'access_denied' ? 'denied' : 'failed')
}

/** Which client the user signs in for, and the request. */
export function signInOrigin(c: AppContext, client: Client | undefined): SignInOrigin {
  const { network, requestId } = auditOrigin(c, 'anonymous')
  return { client: client?.client_id, network, requestId }
}

interface SignInOptions {
  attempt: Attempt
  origin: SignInOrigin
  interaction: Interaction
}

/**
 * Opens a session, unless the deployment sends the user elsewhere. Returns a URL if the user
 * continues there, or on the account page first, because their ways to sign in have changed.
 */
async function signIn(
  c: AppContext,
  provider: SignInMethod,
  identified: IdentifiedAccount,
  { attempt, origin, interaction }: SignInOptions,
): Promise<string | undefined> {
  const admitted = await admitUser(c, provider, identified, {
    attempt,
    origin,
    readCurrent: async () => (attempt.mayReplaceSession ? undefined : readCurrentUser(c)),
  })
  if ('elsewhere' in admitted) return admitted.elsewhere
  const { user, opening, reference, isNewUser, hasUnconfirmed } = admitted
  if (isNewUser) setPreference(c, 'new-user', 'yes')
  const opened = await openSession(c, user, {
    ...opening,
    state: attempt.state,
    secret: attempt.sessionSecret,
    isConfirmation: identified.isConfirmation,
    continuation: { account: reference, isNewUser, hasUnconfirmed },
  })
  const { secretDigest, methodsChangedAt, stepPath } = opened
  await keepPress(c, { attempt, interaction, secretDigest })
  await announceAddedMethod(c, admitted)
  if (opened.isPending) {
    reportPendingSignIn(c, { ...admitted, origin })
    return stepUrl(c, interaction, stepPath)
  }
  reportSignIn(c, { ...admitted, origin })
  return changesUrl(c, interaction, { methodsChangedAt, hasUnconfirmed })
}

/** The user of this browser's session, also of one from before the deployment had a step. */
async function readCurrentUser(c: AppContext): Promise<UserRecord | undefined> {
  const session = await authoritativeSession(c)
  if (session) return session.user
  const pending = await readPendingSession(c)
  // Another sign-in that is not finished can be given up.
  return pending?.isSignIn ? undefined : pending?.session.user
}

/**
 * Remembers for the request of a native app of our own that the user has pressed a button on our
 * pages: to start the sign-in at a provider, or to finish one here. A provider may answer silently.
 */
async function keepPress(
  c: AppContext,
  {
    attempt,
    interaction,
    secretDigest,
  }: Pick<SignInOptions, 'attempt' | 'interaction'> & { secretDigest: string },
): Promise<void> {
  const client = c.get('client')
  if (!interaction.request || !client || !isOwnNativeClient(client)) return
  const isPosted = c.req.method === 'POST' && requestSite(c) === 'same-origin'
  if (!attempt.isPressed && !isPosted) return
  const pressed = { session: secretDigest, at: nowInSeconds() }
  await updateRequest(c, interaction, { ...interaction.request, pressed })
}

/**
 * Where a user who signs in for an app sees a change that this browser has not shown yet, or another
 * way to sign in that they have not confirmed, at every sign-in; undefined if there is none.
 */
export function changesUrl(
  c: AppContext,
  interaction: Interaction,
  {
    methodsChangedAt = 0,
    hasUnconfirmed,
  }: { methodsChangedAt: number | undefined; hasUnconfirmed: boolean },
): string | undefined {
  const { issuer } = c.get('config')
  const isForApp =
    interaction.request !== undefined || new URL(interaction.returnTo).origin !== issuer
  const mustShow = isForApp && (hasUnconfirmed || methodsChangedAt > changesSeenAt(c))
  return mustShow ? issuer + changesPath(interaction) : undefined
}

/**
 * The next sign-in in this browser need not show a change that the user has made in a step of this
 * one. It still shows others that this browser has not.
 */
export function rememberOwnChange(
  c: AppContext,
  {
    methodsChangedAt = 0,
    ownChangeAt,
  }: Record<'methodsChangedAt' | 'ownChangeAt', number | undefined>,
): void {
  if (ownChangeAt === undefined || methodsChangedAt > changesSeenAt(c)) return
  setPreference(c, 'changes-seen', String(ownChangeAt))
}

/** When the last change was made that this browser has shown. */
function changesSeenAt(c: AppContext): number {
  return Number(readPreference(c, 'changes-seen') ?? 0)
}

interface LinkOptions {
  userId: string
  attempt: Attempt
  origin: SignInOrigin
  returnTo: string
}

/**
 * Links the account to the signed-in user. Both must have been proved recently. Returns a URL if
 * the user continues elsewhere: where the deployment sends them, or at a confirmation.
 */
async function link(
  c: AppContext,
  provider: SignInMethod,
  identified: IdentifiedAccount,
  { userId, attempt, origin, returnTo }: LinkOptions,
): Promise<string | undefined> {
  const session = await requireRecentSession(c, LINK_PATH)
  if (session.user.id !== userId) {
    throw new SignInError('already_signed_in', { users: { current: session.user } })
  }
  const config = c.get('config')
  const { account } = identified
  if (!account) throw new SignInError('provider_unavailable')
  const { elsewhere } = await requireAllowed(c, provider, identified, { origin, attempt })
  if (elsewhere !== undefined) return elsewhere
  const { marks } = session
  const result = await linkAccount(c.env, config, { userId, account, marks, origin })
  if (result === 'taken') throw new SignInError('account_taken')
  if (result === 'blocked') throw new SignInError('user_blocked')
  if (result === 'linked') {
    const { label } = toStoredProfile(account.user)
    await keepAddedMethod(c, {
      user: session.user,
      account,
      label: account.label ?? label ?? undefined,
      continueAt: LINK_PATH,
    })
  }
  if (verifiedEmail(account.user)) await addEmail(c, session)
  addToLog(c, { event: 'account_linked', userId })
  emitEvent(c, 'linkAccount', { user: { id: userId }, account: toEventAccount(account) })
  // Another service may have used the account that is signed in there, without asking for one.
  const isOtherService = enabledProviders(config).some(({ id }) => id === provider.id)
  const done = result === 'already_linked' && isOtherService ? 'alreadyLinked' : 'linked'
  return linkedUrl(config, { returnTo, done, provider })
}

/** Where a user who has linked an account sees that, if they return to the account page. */
export function linkedUrl(
  { issuer }: Config,
  { returnTo, done, provider }: LinkedUrlOptions,
): string | undefined {
  // Only the account page can confirm what happened.
  if (returnTo !== `${issuer}/account`) return undefined
  return issuer + confirmedAccountPath(done, { provider: provider.id })
}

interface LinkedUrlOptions {
  returnTo: string
  done: 'linked' | 'alreadyLinked'
  provider: SignInMethod
}

/** The requesting app may need scopes that the user did not grant at the provider. */
function requireUpstreamScope({ tokens }: IdentifiedUser, client: Client | undefined): void {
  const granted = grantedScopes(tokens)
  const isSufficient = client?.upstream_scope.every((scope) => granted.includes(scope)) ?? true
  if (!isSufficient) throw new SignInError('scope_missing')
}
