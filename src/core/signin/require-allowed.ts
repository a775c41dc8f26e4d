import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { normalizeEmail } from '../../foundation/values/email-address.ts'
import type { SignInOrigin } from '../audit/user-events.ts'
import { decideSignIn } from '../callbacks/run-callbacks.ts'
import type { SignInUser } from '../config/callbacks.ts'
import type { AppContext } from '../http/app-env.ts'
import { addToLog } from '../http/request-log.ts'
import type { SignInMethod } from '../upstream/sign-in-methods.ts'
import { findOwner, type SignedInAccount } from '../users/directory.ts'
import { summarizeAccount, toCallbackAccount } from '../users/upstream-account.ts'
import type { Attempt } from './attempt.ts'
import { type IdentifiedAccount, upstreamProfile } from './identified-account.ts'
import { auditFailure, reportFailure } from './sign-in-failure.ts'

interface Permission {
  /** Where the user is sent instead of being signed in. */
  elsewhere?: string
  /** The user that was decided about; absent if there is no rule, or the user would be new. */
  userId?: string | undefined
}

/** Calls the deployment's own rule, before anything is stored. */
export async function requireAllowed(
  c: AppContext,
  provider: SignInMethod,
  identified: IdentifiedAccount,
  { origin, attempt }: { origin: SignInOrigin; attempt: Attempt },
): Promise<Permission> {
  const config = c.get('config')
  if (!config.callbacks.signIn) return {}
  const { user, userId } = await userToDecideAbout(c, identified, attempt)
  const decision = await decideSignIn(config, {
    ...describeAccount(identified),
    user: { ...user, ...(userId !== undefined && { id: userId }) },
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

/** What features determine about the user, by their ids. Without a profile, they are not asked. */
export async function readFeatureData(
  c: AppContext,
  identified: IdentifiedAccount,
): Promise<Record<string, string>> {
  const asked = c.get('config').features.filter(({ signInData }) => signInData)
  const { owner, account, isConfirmation } = identified
  const user = owner ?? (account && toSignInUser(account))
  if (asked.length === 0 || !user || isConfirmation) return {}
  const signIn = { ...describeAccount(identified), user }
  const found: Record<string, string> = {}
  for (const { id, signInData } of asked) {
    const data = await signInData?.(signIn)
    if (data) found[id] = data
  }
  return found
}

/** The account that was used, as callbacks receive it. */
function describeAccount(identified: IdentifiedAccount) {
  const account = { ...identified.reference, ...upstreamProfile(identified) }
  return {
    account: toCallbackAccount(summarizeAccount(account)),
    profile: Object(identified.profile),
  }
}

/** The user as the provider describes them, or as stored if the provider has no profiles. */
async function userToDecideAbout(
  c: AppContext,
  { owner, account }: IdentifiedAccount,
  { linkTo }: Attempt,
): Promise<{ user: SignInUser; userId: string | undefined }> {
  if (owner) return { user: owner, userId: owner.id }
  // Without a profile, the rule could not be applied.
  if (!account) throw new SignInError('provider_unavailable')
  const userId = linkTo ?? (await findOwner(c.env, c.get('config'), account))
  return { user: toSignInUser(account), userId }
}

function toSignInUser({ user }: SignedInAccount): SignInUser {
  const { name, username, emailVerified, image, url } = user
  // As it is stored, so that the rule and later comparisons are about the same address.
  const email = normalizeEmail(user.email)
  return {
    ...(name && { name }),
    ...(username && { username }),
    ...(email && { email }),
    emailVerified: email !== undefined && emailVerified === true,
    ...(image && { image }),
    ...(url && { url }),
  }
}
