import type { Config } from '../config/config.ts'
import type { LocalConfig } from '../config/feature.ts'
import { enabledProviders } from './enabled-providers.ts'
import { authenticationFacts, type ResolvedProvider } from './resolved-provider.ts'

/** What the service needs of a way to sign in, through another service or on pages of this one. */
export interface SignInMethod
  extends Pick<
    ResolvedProvider,
    | 'id'
    | 'name'
    | 'style'
    | 'accountIssuer'
    | 'clientId'
    | 'allowDangerousEmailAccountLinking'
    | 'sendsAuthTime'
    | 'promptParams'
    | 'keepsTokens'
    | 'account'
  > {
  /** Whether it has a part of the profile only. What it lacks is not removed from the user. */
  hasPartialProfile?: boolean
}

/** All ways to sign in: through another service, and on pages of this one. */
export function signInMethods(config: Config): readonly SignInMethod[] {
  return [...enabledProviders(config), ...config.localProviders.map(toSignInMethod)]
}

export function findSignInMethod(config: Config, id: string): SignInMethod | undefined {
  return signInMethods(config).find((method) => method.id === id)
}

/** The user authenticates here, so the time is known. */
const LOCAL_AUTHENTICATION = { sendsAuthTime: true, promptParams: {} }

/**
 * What a sign-in with the account can prove; undefined if nobody can sign in with it, because the
 * provider is not configured or its issuer was another one. A provider that is disabled because of
 * a problem is known too, but maybe not its issuer.
 */
export function findAuthenticationFacts(
  config: Config,
  { provider, issuer }: { provider: string; issuer: string },
): Pick<SignInMethod, 'sendsAuthTime' | 'promptParams'> | undefined {
  const method = findSignInMethod(config, provider)
  if (method) return method.accountIssuer === issuer ? method : undefined
  const disabled = config.disabledProviders.find(({ id }) => id === provider)
  if (!disabled) return undefined
  return 'method' in disabled ? LOCAL_AUTHENTICATION : authenticationFacts(disabled)
}

/** The issuer of each method that {@link findAuthenticationFacts} knows; null if it is not known. */
export function methodIssuers(config: Config): Record<string, string | null> {
  return Object.fromEntries([
    ...config.disabledProviders.map(({ id }) => [id, null]),
    ...signInMethods(config).map(({ id, accountIssuer }) => [id, accountIssuer]),
  ])
}

/** A local method has no issuer, no client id, and no tokens to store. */
export function toSignInMethod(provider: LocalConfig): SignInMethod {
  const { id, name, style = {} } = provider
  return {
    id,
    name,
    style,
    accountIssuer: '',
    clientId: '',
    allowDangerousEmailAccountLinking:
      'allowDangerousEmailAccountLinking' in provider &&
      provider.allowDangerousEmailAccountLinking === true,
    ...LOCAL_AUTHENTICATION,
    hasPartialProfile: true,
  }
}
