import { adminApi, OPENID_SCOPES } from '../config/apis.ts'
import type { Config } from '../config/config.ts'
import { resourceMetadata } from '../verify/resource-metadata.ts'

/** The URL of userinfo, which clients may name as a resource like that of an API. */
function userinfoUrl({ issuer }: Pick<Config, 'issuer'>): string {
  return `${issuer}/oidc/userinfo`
}

/** The APIs among the requested resources. Tokens with `openid` are for userinfo, too. */
export function withoutUserinfo(config: Config, requested: readonly string[]): string[] {
  return [...new Set(requested)].filter((resource) => resource !== userinfoUrl(config))
}

/** What clients find out about our own APIs (RFC 9728), with the path and the URL of it. */
export function protectedResources(config: Config) {
  const { issuer } = config
  const { identifier, scopes } = adminApi(config)
  return {
    userinfo: resourceMetadata([userinfoUrl(config)], issuer, {
      scopes: OPENID_SCOPES.filter((scope) => scope !== 'offline_access'),
      metadata: { bearer_methods_supported: ['header', 'body'] },
    }),
    admin: resourceMetadata([identifier], issuer, {
      scopes: scopes.map((scope) => scope.name),
    }),
  }
}
