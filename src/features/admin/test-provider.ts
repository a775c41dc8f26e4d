import type { Config } from '../../core/config/config.ts'
import { settingPrefix } from '../../core/config/providers.ts'
import { authorizationServer } from '../../core/upstream/authorization-server.ts'
import { providerFetch } from '../../core/upstream/call-provider-function.ts'
import { findProvider } from '../../core/upstream/enabled-providers.ts'
import type { ResolvedProvider } from '../../core/upstream/resolved-provider.ts'
import { retryingFetch } from '../../core/upstream/retrying-fetch.ts'
import { formatProblem } from '../../foundation/values/problem.ts'

/** A page of an endpoint that was requested without parameters may be long. */
const MAX_RESPONSE_SIZE = 1024 * 1024 // bytes

/**
 * Why a provider does not work, as far as that shows without a sign-in, in sentences. Undefined if
 * the deployment has no such provider that is a service of its own.
 */
export async function testProvider(config: Config, id: string): Promise<string[] | undefined> {
  const provider = findProvider(config, id)
  if (provider) return testEndpoints(provider)
  if (!config.disabledProviders.some((disabled) => disabled.id === id)) return undefined
  return config.problems
    .filter(({ path }) => String(path[0]).startsWith(settingPrefix(id)))
    .map(formatProblem)
    .concat('The provider is disabled because of its settings.')
}

async function testEndpoints(provider: ResolvedProvider): Promise<string[]> {
  const { wellKnown } = provider
  const discovery = wellKnown === undefined ? [] : await testEndpoint(provider, wellKnown, [200])
  if (discovery.length > 0) return discovery
  const server = await authorizationServer(provider)
  const urls = [
    server.authorization_endpoint,
    server.token_endpoint,
    server.userinfo_endpoint,
    server.jwks_uri,
  ].filter((url) => url !== undefined)
  const problems = await Promise.all(urls.map((url) => testEndpoint(provider, url)))
  return problems.flat()
}

/** Endpoints reject a request without parameters in many ways, but they respond. */
async function testEndpoint(
  provider: ResolvedProvider,
  url: string,
  expected?: readonly number[],
): Promise<string[]> {
  const fetch = providerFetch(provider, retryingFetch, MAX_RESPONSE_SIZE)
  const status = await fetch(url, {}).then(
    (response) => response.status,
    () => undefined,
  )
  if (status === undefined) return [`${url} does not respond.`]
  const isExpected = expected ? expected.includes(status) : status < 500
  return isExpected ? [] : [`${url} responds with status ${status}.`]
}
