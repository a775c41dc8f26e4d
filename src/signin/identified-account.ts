import type { AppContext } from '../config/app-env.ts'
import type { TokenSet } from '../providers/oauth-types.ts'
import type { IdentifiedUser } from '../upstream/identify-user.ts'
import type { SignInMethod } from '../upstream/sign-in-methods.ts'
import { callbackError } from '../upstream/upstream-error.ts'
import { additionalFields } from '../upstream/user-schema.ts'
import type { AccountReference } from '../users/account-reference.ts'
import type { SignedInAccount } from '../users/directory.ts'
import { sealTokens } from '../users/provider-token.ts'
import type { UpstreamAccount } from '../users/upstream-account.ts'
import { nowInSeconds } from '../values/clock.ts'
import { normalizeEmail } from '../values/email-address.ts'

/** What the directory stores; undefined without a profile. */
export function toSignedInAccount(
  provider: SignInMethod,
  identified: IdentifiedUser,
): SignedInAccount | undefined {
  const { clientId, allowDangerousEmailAccountLinking: linksByEmail } = provider
  const { hasPartialProfile = false } = provider
  const { tokens, user, label } = identified
  if (!user) return undefined
  const account = accountReference(provider, identified)
  return { ...account, clientId, linksByEmail, hasPartialProfile, label, user, scope: tokens.scope }
}

/** Identifies the account that the user signed in with. */
export function accountReference(
  { id, accountIssuer }: SignInMethod,
  { accountId }: IdentifiedUser,
): AccountReference {
  return { provider: id, issuer: accountIssuer, accountId }
}

/**
 * What the user's object stores; undefined without a profile. The provider's `account` callback
 * selects the tokens.
 */
export async function toUpstreamAccount(
  c: AppContext,
  provider: SignInMethod,
  identified: IdentifiedUser,
): Promise<UpstreamAccount | undefined> {
  const { tokens, user } = identified
  if (!user) return undefined
  const account = accountReference(provider, identified)
  const storedTokens = selectTokens(provider, tokens)
  return {
    ...account,
    ...upstreamProfile(identified),
    readAt: nowInSeconds(),
    unverifiedEmail: user.emailVerified ? undefined : normalizeEmail(user.email),
    sealedTokens: storedTokens && (await sealTokens(c.get('config'), account, storedTokens)),
  }
}

/** The scopes that the provider granted, and further fields of the profile. */
export function upstreamProfile({
  tokens,
  user,
}: IdentifiedUser): Pick<UpstreamAccount, 'scope' | 'extras' | 'profileFields'> {
  const extras = Object.entries(user?.extras ?? {}).filter(([, value]) => value !== undefined)
  return {
    scope: grantedScopes(tokens),
    extras: Object.fromEntries(extras) as UpstreamAccount['extras'],
    profileFields: user && JSON.stringify(additionalFields(user)),
  }
}

/** The tokens to store. A failure of the deployment's own callback is a bug in it. */
function selectTokens({ account }: SignInMethod, tokens: TokenSet): TokenSet | undefined {
  try {
    return account(tokens) ?? undefined
  } catch (cause) {
    throw callbackError('account_callback_failed', cause)
  }
}

/** Some providers separate scopes by commas. */
export function grantedScopes({ scope = '' }: TokenSet): string[] {
  return scope.split(/[\s,]+/).filter(Boolean)
}
