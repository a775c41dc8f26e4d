import { type Client, findClient } from '../config/clients.ts'
import type { Config } from '../config/config.ts'
import { isLoopback } from '../config/loopback.ts'
import {
  AuthorizationError,
  type RegisteredRedirectUri,
  type ResponseAddress,
  SignInError,
} from '../errors.ts'
import { readClaimsParameter, requestedSubject } from './claims.ts'
import { hasRepeatedParameter } from './form.ts'

/** A valid authorization request. */
export interface AuthorizationRequest {
  client: Client
  address: ResponseAddress
  scope: readonly string[]
  resources: readonly string[]
  claims: { userinfo: readonly string[]; id_token: readonly string[] }
  nonce: string | undefined
  codeChallenge: string | undefined
  prompt: readonly string[]
  maxAge: number | undefined
  idTokenHint: string | undefined
  /** The user the client requires, from the `claims` parameter. */
  subject: string | undefined
  provider: string | undefined
  uiLocales: string | undefined
}

const DEFAULT_MAX_LENGTH = 1024
const MAX_LENGTHS: Record<string, number> = {
  client_id: 256,
  redirect_uri: 2048,
  state: 2048,
  nonce: 512,
  id_token_hint: 8192,
}

const PROMPTS = ['none', 'login', 'consent', 'select_account']

export const KNOWN_SCOPES = ['openid', 'profile', 'email', 'platform', 'offline_access']

/**
 * Validates an authorization request, the client and redirect URI first. Until these are known to be
 * valid, errors are shown to the user and never sent to the redirect URI.
 */
export function parseAuthorizationRequest(
  config: Config,
  params: URLSearchParams,
): AuthorizationRequest {
  const [client, redirectUri] = parseClient(config, params)
  const get = (name: string) => params.get(name) || undefined
  const responseMode = get('response_mode') ?? 'query'
  const address: ResponseAddress = {
    redirectUri,
    responseMode: responseMode === 'form_post' ? 'form_post' : 'query',
    state: get('state'),
  }
  const reject = (code: string, text: string) => new AuthorizationError(code, text, address)

  checkParameters(params, reject)
  if (responseMode !== 'query' && responseMode !== 'form_post') {
    throw reject('invalid_request', 'response_mode must be query or form_post.')
  }
  if (get('request')) throw reject('request_not_supported', 'request is not supported.')
  if (get('request_uri')) throw reject('request_uri_not_supported', 'request_uri is not supported.')
  checkResponseType(get('response_type'), reject)

  return {
    client,
    address,
    scope: parseScope(client, get('scope'), reject),
    resources: parseResources(client, params.getAll('resource').filter(Boolean), reject),
    claims: readClaimsParameter(get('claims'), reject),
    nonce: get('nonce'),
    codeChallenge: parseCodeChallenge(
      client,
      get('code_challenge'),
      get('code_challenge_method'),
      reject,
    ),
    prompt: parsePrompt(get('prompt'), reject),
    maxAge: parseMaxAge(get('max_age'), reject),
    idTokenHint: get('id_token_hint'),
    subject: requestedSubject(get('claims')),
    provider: get('provider'),
    uiLocales: get('ui_locales'),
  }
}

type Reject = (code: string, text: string) => AuthorizationError

function parseClient(config: Config, params: URLSearchParams): [Client, RegisteredRedirectUri] {
  const [clientId, ...otherIds] = params.getAll('client_id')
  const [redirectUri, ...otherUris] = params.getAll('redirect_uri')
  const client = findClient(config, clientId)
  if (!client || otherIds.length > 0) throw new SignInError('client_unknown')
  if (redirectUri === undefined || otherUris.length > 0 || !isRegistered(client, redirectUri)) {
    throw new SignInError('redirect_uri_refused')
  }
  return [client, redirectUri]
}

/** Exact comparison, except that the port of a native app's loopback address may differ (RFC 8252 §7.3). */
function isRegistered(client: Client, redirectUri: string): redirectUri is RegisteredRedirectUri {
  if (client.redirect_uris.includes(redirectUri)) return true
  const isLoopbackIp = /^http:\/\/(127\.0\.0\.1|\[::1\])[:/]/.test(redirectUri)
  if (client.application_type !== 'native' || !isLoopbackIp) return false
  if (!URL.canParse(redirectUri)) return false
  const withoutPort = (uri: string) =>
    uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}(?=\/|$)/, '$1')
  return client.redirect_uris.some(
    (uri) => isLoopback(uri) && withoutPort(uri) === withoutPort(redirectUri),
  )
}

function checkParameters(params: URLSearchParams, reject: Reject): void {
  if (hasRepeatedParameter(params)) {
    throw reject('invalid_request', 'A parameter is sent more than once.')
  }
  for (const [name, value] of params) {
    if (value.length > (MAX_LENGTHS[name] ?? DEFAULT_MAX_LENGTH)) {
      throw reject('invalid_request', 'A parameter is too long.')
    }
  }
}

function checkResponseType(responseType: string | undefined, reject: Reject): void {
  if (!responseType) throw reject('invalid_request', 'response_type is missing.')
  if (responseType !== 'code') {
    throw reject('unsupported_response_type', 'response_type must be code.')
  }
}

/** Unknown scopes are ignored (RFC 6749 §3.3); a known scope that the client is not registered for is an error. */
function parseScope(client: Client, scope = '', reject: Reject): string[] {
  const requested = [...new Set(scope.split(' ').filter(Boolean))]
  const isForbidden = (value: string) =>
    KNOWN_SCOPES.includes(value) && !client.scope.includes(value)
  if (requested.some(isForbidden)) {
    throw reject('invalid_scope', 'The client is not registered for one of the scopes.')
  }
  return requested.filter((value) => client.scope.includes(value))
}

/** {@link https://www.rfc-editor.org/rfc/rfc8707#section-2} */
function parseResources(
  client: Client,
  requested: readonly string[],
  reject: Reject,
): readonly string[] {
  if (requested.some((resource) => !client.resources.includes(resource))) {
    throw reject('invalid_target', 'The client is not registered for one of the resources.')
  }
  return requested.length > 0 ? [...new Set(requested)] : client.resources.slice(0, 1)
}

/** Only S256 (RFC 9700 §2.1.1). A challenge without a method would mean `plain`. */
function parseCodeChallenge(
  client: Client,
  challenge: string | undefined,
  method: string | undefined,
  reject: Reject,
): string | undefined {
  const isPublic = client.token_endpoint_auth_method === 'none'
  if (!challenge) {
    const isRequired = client.require_pkce || isPublic || method !== undefined
    if (isRequired) throw reject('invalid_request', 'code_challenge is missing.')
    return undefined
  }
  if (method !== 'S256') throw reject('invalid_request', 'code_challenge_method must be S256.')
  if (!/^[\w-]{43}$/.test(challenge)) {
    throw reject('invalid_request', 'code_challenge is malformed.')
  }
  return challenge
}

function parsePrompt(prompt = '', reject: Reject): string[] {
  const prompts = prompt.split(' ').filter((value) => PROMPTS.includes(value))
  if (prompts.includes('none') && prompt.trim() !== 'none') {
    throw reject('invalid_request', 'prompt=none cannot be combined with other prompts.')
  }
  return prompts
}

function parseMaxAge(maxAge: string | undefined, reject: Reject): number | undefined {
  if (maxAge === undefined) return undefined
  if (!/^\d{1,10}$/.test(maxAge)) {
    throw reject('invalid_request', 'max_age must be a number of seconds.')
  }
  return Number(maxAge)
}
