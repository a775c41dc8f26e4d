import type { Config } from '../config/config.ts'
import { type Api, isServiceApi, OPENID_SCOPES, serviceApis } from '../registration-schemas/apis.ts'
import type { Client } from '../registration-schemas/clients.ts'

/**
 * Whether a client may request access tokens of its users for an API. For one of this service, only
 * the clients that it lists.
 */
export function mayUseForUsers(
  config: Config,
  client: Client,
  { identifier, api }: { identifier: string; api: Api | undefined },
): boolean {
  if (isServiceApi(config, identifier)) {
    const own = serviceApis(config).find((other) => other.identifier === identifier)
    return own?.clients.includes(client.client_id) ?? false
  }
  if (isDisabledApi(config, identifier)) return false
  return scopesAt(client, { identifier, api }) !== undefined
}

/**
 * Whether an API is disabled, because its entry in the settings is invalid. An entry without a valid
 * identifier may be meant for any API that is neither in the settings otherwise nor part of this service.
 */
export function isDisabledApi(config: Config, identifier: string): boolean {
  if (config.disabledApis.includes(identifier)) return true
  if (!config.hasUnidentifiedApi || URL.parse(identifier)?.origin === config.issuer) return false
  return !config.apis.some((api) => api.identifier === identifier)
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
