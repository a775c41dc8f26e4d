import type { Config } from '../config/config.ts'
import type { LocalProvider } from '../config/local-method.ts'
import { enabledProviders } from './enabled-providers.ts'
import type { ResolvedProvider } from './resolved-provider.ts'

/** A provider of any type, after it has identified the user. */
export interface SignInMethod extends ProviderFacts {
  /** Whether it has a part of the profile only. What it lacks is not removed from the user. */
  hasPartialProfile?: boolean
}

type ProviderFacts = Pick<
  ResolvedProvider,
  | 'id'
  | 'name'
  | 'style'
  | 'accountIssuer'
  | 'clientId'
  | 'allowDangerousEmailAccountLinking'
  | 'sendsAuthTime'
  | 'account'
>

/** All ways to sign in: through another service, and on pages of this one. */
export function signInMethods(config: Config): readonly SignInMethod[] {
  return [...enabledProviders(config), ...config.localProviders.map(toSignInMethod)]
}

export function findSignInMethod(config: Config, id: string): SignInMethod | undefined {
  return signInMethods(config).find((method) => method.id === id)
}

/** A local method has no issuer, no client id, and no tokens to store. */
export function toSignInMethod(provider: LocalProvider): SignInMethod {
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
    // The user authenticates here, so the time is known.
    sendsAuthTime: true,
    account: () => undefined,
    hasPartialProfile: true,
  }
}
