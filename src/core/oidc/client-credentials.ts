import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import { listRegistered } from '../../foundation/values/describe-sent.ts'
import type { AppContext } from '../http/app-env.ts'
import { addToLog } from '../http/request-log.ts'
import type { Api } from '../registration-schemas/apis.ts'
import type { AuthenticatedClient, Client } from '../registration-schemas/clients.ts'
import { apiScopes, mayUseAsMachine } from '../registrations/api-access.ts'
import { findApi, listApis } from '../registrations/find-api.ts'
import { UnavailableError } from '../storage/unavailable-error.ts'
import { accessTokenLifetime } from '../tokens/access-token.ts'
import { signMachineToken } from '../tokens/sign.ts'
import { findBoundTokens } from './bound-tokens.ts'
import { quoteParameter } from './invalid-target.ts'
import { tokenType } from './issue-tokens.ts'

/**
 * {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.4}: an access token for the client
 * itself. There is no user, so there is no ID token and no refresh token.
 */
export async function issueMachineToken(
  c: AppContext,
  client: AuthenticatedClient,
  form: URLSearchParams,
) {
  const config = c.get('config')
  const api = await requestedApi(c, client, form.getAll('resource'))
  findBoundTokens(config)?.requireAllowed(client, [api])
  const scope = requestedScope({ client, api, requested: form.get('scope') })
  const accessToken = await signMachineToken(c.env, config, { client, api, scope })
  addToLog(c, { event: 'machine_token', clientId: client.client_id })
  return {
    access_token: accessToken,
    token_type: tokenType(client),
    expires_in: accessTokenLifetime(config, [api], [api.identifier]),
    ...(scope.length > 0 && { scope: scope.join(' ') }),
  }
}

/** One API per token, so that no API can use the token at another one. */
async function requestedApi(
  c: AppContext,
  client: Client,
  resources: readonly string[],
): Promise<Api> {
  const [resource, ...others] = new Set(resources)
  if (others.length > 0) throw new OAuthError('invalid_target', 'Request one resource per token.')
  const candidates =
    resource === undefined ? await listCandidates(c, client) : await findCandidate(c, resource)
  const [api, ...otherApis] = candidates.filter((candidate) => mayUseAsMachine(client, candidate))
  if (!api) {
    const target = resource === undefined ? 'any API' : quoteParameter(resource)
    const text = `The client may not use ${target} without a user: the API must be registered with client_credentials, and be one of the resources of the client or have the client among its clients.`
    throw new OAuthError('invalid_target', text)
  }
  if (otherApis.length > 0) {
    const identifiers = [api, ...otherApis].map(({ identifier }) => quoteParameter(identifier))
    const text = `resource is missing. It must be one of: ${identifiers.join(', ')}`
    throw new OAuthError('invalid_target', text)
  }
  return api
}

async function findCandidate(c: AppContext, resource: string): Promise<Api[]> {
  const found = await findApi(c.env, c.get('config'), resource)
  return found.kind === 'found' ? [found.api] : []
}

/**
 * All APIs. While the registrations cannot be read, those of the settings, if the client may use one
 * of them.
 */
async function listCandidates(c: AppContext, client: Client): Promise<Api[]> {
  const config = c.get('config')
  try {
    return (await listApis(c.env, config)).apis
  } catch (error) {
    const isUsable = config.apis.some((api) => mayUseAsMachine(client, api))
    if (!(error instanceof UnavailableError) || !isUsable) throw error
    return [...config.apis]
  }
}

/** All scopes that the client may have, or those of the requested ones. */
function requestedScope({
  client,
  api,
  requested,
}: {
  client: Client
  api: Api
  requested: string | null
}): string[] {
  const names = [...new Set(requested?.split(' ') ?? client.scope)]
  const scope = apiScopes(client, { apis: [api], scope: names })
  if (requested !== null && scope.length === 0) {
    const allowed = apiScopes(client, { apis: [api], scope: client.scope })
    const text = `The client may have none of these scopes at this API. It may have: ${listRegistered(allowed)}.`
    throw new OAuthError('invalid_scope', text)
  }
  return scope
}
