import { nowInSeconds } from '../../foundation/values/clock.ts'
import { normalizeEmail } from '../../foundation/values/email-address.ts'
import type { TokenSet } from '../../provider-interface/oauth-types.ts'
import type { Config } from '../config/config.ts'
import type { AppContext } from '../http/app-env.ts'
import type { IdentifiedUser } from '../upstream/identify-user.ts'
import { type SignInMethod, signInMethods } from '../upstream/sign-in-methods.ts'
import { additionalFields } from '../upstream/user-schema.ts'
import type { AccountReference } from '../users/account-reference.ts'
import type { SignedInAccount } from '../users/directory.ts'
import type { UpstreamAccount } from '../users/upstream-account.ts'

/** A user whom a provider or a local method has identified, and the account they signed in with. */
export interface IdentifiedAccount extends IdentifiedUser {
  reference: AccountReference
  /** What the directory stores; undefined without a profile. */
  account: SignedInAccount | undefined
}

export function identifyAccount(
  config: Config,
  provider: SignInMethod,
  identified: IdentifiedUser,
): IdentifiedAccount {
  const { id, accountIssuer } = provider
  const reference = { provider: id, issuer: accountIssuer, accountId: identified.accountId }
  const account = toSignedInAccount(config, provider, { ...identified, reference })
  return { ...identified, reference, account }
}

function toSignedInAccount(
  config: Config,
  provider: SignInMethod,
  { tokens, user, label, reference }: Omit<IdentifiedAccount, 'account'>,
): SignedInAccount | undefined {
  if (!user) return undefined
  const { clientId, hasPartialProfile = false } = provider
  return {
    ...reference,
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

/**
 * What the user's object stores; undefined without a profile. A feature seals the tokens, if they
 * are kept.
 */
export async function toUpstreamAccount(
  c: AppContext,
  provider: SignInMethod,
  identified: IdentifiedAccount,
): Promise<UpstreamAccount | undefined> {
  const { tokens, user, reference, idInTokens } = identified
  if (!user) return undefined
  const config = c.get('config')
  const { keepTokens } = config.features.find((feature) => feature.keepTokens) ?? {}
  return {
    ...reference,
    ...upstreamProfile(identified),
    readAt: nowInSeconds(),
    idInTokens: idInTokens === reference.accountId ? undefined : idInTokens,
    unverifiedEmail: user.emailVerified ? undefined : normalizeEmail(user.email),
    sealedTokens: await keepTokens?.(config, provider, { account: reference, tokens }),
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
