import type { Config } from '../config/config.ts'
import type { LocalProvider } from '../config/local-providers.ts'
import { signInKind } from '../pages/sign-in-kind.ts'

/** The providers of this service whose accounts are linked like those of others. Passkeys have a part of the account page. */
export function linkableLocalProviders({ localProviders }: Config): LocalProvider[] {
  return localProviders.filter((provider) => !signInKind(provider).accountPart)
}
