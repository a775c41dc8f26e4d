import type { Config } from '../config/config.ts'
import { type ResolvedProvider, resolveProvider } from './resolved-provider.ts'

const cache = new WeakMap<Config, readonly ResolvedProvider[]>()

/** The enabled providers, in the order of the sign-in page. */
export function enabledProviders(config: Config): readonly ResolvedProvider[] {
  const cached = cache.get(config)
  if (cached) return cached
  const providers = config.providers.map((provider) =>
    resolveProvider(provider, config.issuer, config.redirectProxy.url),
  )
  cache.set(config, providers)
  return providers
}

/** The enabled provider with this id. */
export function findProvider(config: Config, id: string | undefined): ResolvedProvider | undefined {
  return enabledProviders(config).find((provider) => provider.id === id)
}

/** The enabled providers that are known to have all of these scopes; all providers, if none is. */
export function providersWithScopes(
  config: Config,
  scopes: readonly string[],
): readonly ResolvedProvider[] {
  const providers = enabledProviders(config)
  const suitable = providers.filter((provider) =>
    scopes.every((scope) => hasScope(provider, scope)),
  )
  return suitable.length > 0 ? suitable : providers
}

/** Whether users are known to be able to grant this scope at the provider. */
export function hasScope(
  { authorization, scopeSeparator, knownScopes }: ResolvedProvider,
  scope: string,
): boolean {
  const requested = (authorization.params['scope'] ?? '').split(scopeSeparator)
  return (
    requested.includes(scope) ||
    knownScopes.some((known) => (known.endsWith('.') ? scope.startsWith(known) : scope === known))
  )
}
