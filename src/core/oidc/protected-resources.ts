import { resourceMetadata } from '../../foundation/resource-server/resource-metadata.ts'
import type { Config } from '../config/config.ts'
import { type Api, OPENID_SCOPES, serviceApis } from '../registration-schemas/apis.ts'

/** The URL of userinfo, which clients may name as a resource like that of an API. */
function userinfoUrl({ issuer }: Pick<Config, 'issuer'>): string {
  return `${issuer}/oidc/userinfo`
}

/** The APIs among the requested resources. Tokens with `openid` are for userinfo, too. */
export function withoutUserinfo(config: Config, requested: readonly string[]): string[] {
  return [...new Set(requested)].filter((resource) => resource !== userinfoUrl(config))
}

/** What clients find out about userinfo (RFC 9728), with the path and the URL of it. */
export function userinfoMetadata(config: Config) {
  return resourceMetadata([userinfoUrl(config)], config.issuer, {
    scopes: OPENID_SCOPES.filter((scope) => scope !== 'offline_access'),
    metadata: { bearer_methods_supported: ['header', 'body'] },
  })
}

/** What clients find out about an API of a feature. */
export function apiMetadata({ issuer }: Config, { identifier, scopes }: Api) {
  return resourceMetadata([identifier], issuer, { scopes: scopes.map(({ name }) => name) })
}

/** What clients find out about the API of ours whose metadata is at this path, if there is one. */
export function metadataAt(config: Config, path: string) {
  const apis = serviceApis(config).map((api) => apiMetadata(config, api))
  return [userinfoMetadata(config), ...apis].find((resource) => resource.path === path)?.metadata
}
