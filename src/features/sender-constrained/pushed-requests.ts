import type { AppContext } from '../../core/http/app-env.ts'
import { INTERACTION_LIFETIME } from '../../core/interaction/interaction.ts'
import { MAX_KEPT_LENGTH } from '../../core/interaction/return-url.ts'
import { useDigestOnce } from '../../core/limits/use-once.ts'
import { AuthorizationError } from '../../core/oidc/authorization-error.ts'
import type { AuthorizationRequest } from '../../core/oidc/authorization-request.ts'
import {
  parseAuthorizationRequest,
  supportedParameters,
} from '../../core/oidc/parse-authorization-request.ts'
import type { Client } from '../../core/registration-schemas/clients.ts'
import { digest } from '../../foundation/crypto/digest.ts'
import { openUnexpired, sealUntil } from '../../foundation/crypto/expiring-seal.ts'
import { randomId } from '../../foundation/crypto/random.ts'
import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { readClientFields } from './registration-fields.ts'

/** Time to redirect the browser. A user who has opened the page in time can take longer. */
const REQUEST_URI_LIFETIME = 60 // seconds

const REQUEST_URI_PREFIX = 'urn:ietf:params:oauth:request_uri:'

/**
 * The parameter that has the id of a pushed request and the time at which it was pushed, which clients
 * cannot send, and what requests are sealed for.
 */
export const PUSHED = 'pushed'

/**
 * Validates a request that a client pushes, and seals it into the URI that the client then sends the
 * user with (RFC 9126 §2.2). Nothing is stored.
 */
export async function pushRequest(c: AppContext, client: Client, form: URLSearchParams) {
  if (form.has('request_uri')) {
    throw new OAuthError('invalid_request', 'A pushed request cannot have a request_uri.')
  }
  // First, because the other parameters are inside.
  if (form.has('request')) {
    throw new OAuthError('request_not_supported', 'request is not supported.')
  }
  const params = supportedParameters(form)
  params.set('client_id', client.client_id)
  await parseAuthorizationRequest(c, new URLSearchParams(params))
  params.set(PUSHED, `${randomId('par')} ${nowInSeconds()}`)
  const text = params.toString()
  if (text.length > MAX_KEPT_LENGTH) {
    throw new OAuthError('invalid_request', 'The request is too long.')
  }
  const { seal } = c.get('config')
  const expiresAt = nowInSeconds() + REQUEST_URI_LIFETIME
  const sealed = await sealUntil<typeof PUSHED>(seal, expiresAt, {
    ...requestUse(client.client_id),
    text,
  })
  return { request_uri: REQUEST_URI_PREFIX + sealed, expires_in: REQUEST_URI_LIFETIME }
}

/** The request of one client does not open for another one. */
function requestUse(clientId: string) {
  return { purpose: PUSHED, context: clientId } as const
}

/**
 * The parameters of the pushed request that a query refers to. The others of the query are ignored
 * (RFC 9126 §4): OpenID Connect requires some of them to be there.
 */
export async function readPushedRequest(
  c: AppContext,
  query: URLSearchParams,
): Promise<string | undefined> {
  const [uri, ...otherUris] = query.getAll('request_uri')
  if (!uri?.startsWith(REQUEST_URI_PREFIX)) return undefined
  const [clientId = '', ...otherIds] = query.getAll('client_id')
  if (otherUris.length > 0 || otherIds.length > 0) throw new SignInError('request_invalid')
  const sealed = uri.slice(REQUEST_URI_PREFIX.length)
  const params = await openUnexpired<typeof PUSHED>(
    c.get('config').seal,
    sealed,
    requestUse(clientId),
  )
  if (params === undefined) {
    throw new SignInError('request_uri_invalid', { parameter: 'request_uri' })
  }
  return params
}

/** Reads a pushed request; undefined for others. */
export async function readRequest(
  c: AppContext,
  params: URLSearchParams,
): Promise<AuthorizationRequest | undefined> {
  const id = params.get(PUSHED)
  if (id === null) return undefined
  params.delete(PUSHED)
  const request = await parseAuthorizationRequest(c, params)
  // It may have been pushed by a deleted client with the same id.
  const [, pushedAt] = id.split(' ')
  if (Number(pushedAt) < (request.client.registeredAt ?? 0)) {
    throw new SignInError('request_uri_invalid', { parameter: 'request_uri' })
  }
  return { ...request, useUp: ({ env }) => useUp(env, id, request) }
}

/** Throws after the first time. The user may have opened the page more than once. */
async function useUp(
  env: Env,
  id: string,
  { destination }: Pick<AuthorizationRequest, 'destination'>,
): Promise<void> {
  // Until then, an interaction that was started with the same request can continue.
  const expiresAt = nowInSeconds() + REQUEST_URI_LIFETIME + INTERACTION_LIFETIME
  if (await useDigestOnce(env, 'pushed requests', { digest: await digest(id), expiresAt })) return
  const text = 'The pushed request was already used.'
  throw new AuthorizationError('invalid_request_uri', text, destination)
}

/** Rejects a request that was not pushed, if its client or the deployment requires that. */
export async function requirePushed(
  request: AuthorizationRequest,
  isAlwaysRequired: boolean,
): Promise<AuthorizationRequest> {
  const { client, useUp: isPushed, answer, destination } = request
  const isRequired =
    isAlwaysRequired || readClientFields(client).require_pushed_authorization_requests
  // One that a feature answers, such as that of a device, was not sent by a browser either.
  if (!isRequired || isPushed || answer) return request
  const text = 'The request must be pushed to pushed_authorization_request_endpoint (RFC 9126).'
  throw new AuthorizationError('invalid_request', text, destination)
}
