import type { Config } from '../config/config.ts'
import { type Api, isServiceApi, OPENID_SCOPES } from '../registration-schemas/apis.ts'
import type { Client } from '../registration-schemas/clients.ts'

/**
 * What is known about an API. `unusable`: its registration is invalid, so it is not known what the
 * API requires, and nobody gets tokens for it. `unknown`: it is not registered.
 */
export type FoundApi = { kind: 'found'; api: Api } | { kind: 'unusable' } | { kind: 'unknown' }

/**
 * Whether a client may request access tokens of its users for an API. For one of this service, only
 * the clients that it lists.
 */
export function mayUseForUsers(
  config: Config,
  client: Client,
  { identifier, found }: { identifier: string; found: FoundApi },
): boolean {
  if (found.kind === 'unusable') return false
  const api = found.kind === 'found' ? found.api : undefined
  if (isServiceApi(config, identifier)) return api?.clients.includes(client.client_id) ?? false
  return scopesAt(client, { identifier, api }) !== undefined
}

/** Whether a client may request access tokens of its own for an API, without a user. */
export function mayUseAsMachine(client: Client, api: Api): boolean {
  return (
    client.grant_types.includes('client_credentials') &&
    api.client_credentials &&
    scopesAt(client, { identifier: api.identifier, api }) !== undefined
  )
}

/**
 * The scopes that a client may have at an API, because its own registration lists the API, or because
 * the API's registration lists the client; undefined: it may not use it.
 */
function scopesAt(
  { client_id, unregistered, resources, scope }: Client,
  { identifier, api }: { identifier: string; api: Api | undefined },
): readonly string[] | undefined {
  if (unregistered) return api && unregistered.scopesAt(api)
  return resources.includes(identifier) || api?.clients.includes(client_id) ? scope : undefined
}

/** Those of the scopes that the client may request and one of these APIs defines. */
export function apiScopes(
  client: Client,
  { apis, scope }: { apis: readonly Api[]; scope: readonly string[] },
): string[] {
  return scope.filter((value) => {
    const defining = apis.filter(({ scopes }) => scopes.some(({ name }) => name === value))
    // A token has its scopes at each of its APIs.
    const isAllowed = defining.every((api) =>
      scopesAt(client, { identifier: api.identifier, api })?.includes(value),
    )
    return defining.length > 0 && isAllowed
  })
}

/** Those of the scopes that a client may have in a token of its users for these APIs. */
export function userScopes(
  client: Client,
  requested: { apis: readonly Api[]; scope: readonly string[] },
): string[] {
  const ofApis = apiScopes(client, requested)
  return requested.scope.filter(
    (value) =>
      ofApis.includes(value) || (OPENID_SCOPES.includes(value) && client.scope.includes(value)),
  )
}
