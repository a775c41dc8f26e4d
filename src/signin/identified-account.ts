import type { AppContext } from '../config/app-env.ts'
import type { Config } from '../config/config.ts'
import type { TokenSet } from '../providers/oauth-types.ts'
import type { IdentifiedUser } from '../upstream/identify-user.ts'
import { type SignInMethod, signInMethods } from '../upstream/sign-in-methods.ts'
import { selectTokens } from '../upstream/token-endpoint.ts'
import { additionalFields } from '../upstream/user-schema.ts'
import type { AccountReference } from '../users/account-reference.ts'
import type { SignedInAccount } from '../users/directory.ts'
import { sealTokens } from '../users/provider-token.ts'
import type { UpstreamAccount } from '../users/upstream-account.ts'
import { nowInSeconds } from '../values/clock.ts'
import { normalizeEmail } from '../values/email-address.ts'

/** What the directory stores; undefined without a profile. */
export function toSignedInAccount(
  config: Config,
  provider: SignInMethod,
  identified: IdentifiedUser,
): SignedInAccount | undefined {
  const { clientId, hasPartialProfile = false } = provider
  const { tokens, user, label } = identified
  if (!user) return undefined
  const account = accountReference(provider, identified)
  return {
    ...account,
    clientId,
    hasPartialProfile,
    label,
    user,
    scope: tokens.scope,
    ...(provider.allowDangerousEmailAccountLinking && {
      linksByEmailTo: linkingProviders(config),
    }),
  }
}

/** The providers that allow accounts to be linked by email, with their issuers. */
function linkingProviders(config: Config): Record<string, string> {
  return Object.fromEntries(
    signInMethods(config)
      .filter((method) => method.allowDangerousEmailAccountLinking)
      .map(({ id, accountIssuer }) => [id, accountIssuer]),
  )
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
  const storedTokens = await selectTokens(provider, tokens)
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

/** Some providers separate scopes by commas. */
export function grantedScopes({ scope = '' }: TokenSet): string[] {
  return scope.split(/[\s,]+/).filter(Boolean)
}
