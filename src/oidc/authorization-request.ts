import type { Client } from '../config/clients.ts'
import type { Config } from '../config/config.ts'
import { isLoopback } from '../config/loopback.ts'
import {
  type AnswerAddress,
  AuthorizationError,
  type RegisteredRedirectUri,
  SignInError,
} from '../errors.ts'
import type { Pairs } from '../query.ts'
import { readClaims, subjectAsked } from './claims.ts'
import { hasRepetition } from './form.ts'

/** An authorization request that may be answered. */
export interface AuthorizationRequest {
  client: Client
  address: AnswerAddress
  scope: readonly string[]
  resources: readonly string[]
  claims: { userinfo: readonly string[]; id_token: readonly string[] }
  nonce: string | undefined
  codeChallenge: string | undefined
  prompt: readonly string[]
  maxAge: number | undefined
  idTokenHint: string | undefined
  /** Whom the client insists on, by the `claims` parameter. */
  subject: string | undefined
  provider: string | undefined
  uiLocales: string | undefined
}

/** Lengths beyond which a parameter is somebody's trick. Others may have 1024. */
const LONGEST: Record<string, number> = {
  client_id: 256,
  redirect_uri: 2048,
  state: 2048,
  nonce: 512,
  id_token_hint: 8192,
}

const PROMPTS = ['none', 'login', 'consent', 'select_account']

/**
 * Checks an authorization request, its client and redirect URI first: until those are known, nobody
 * but the person is told what is wrong.
 */
export function readAuthorizationRequest(config: Config, given: Pairs): AuthorizationRequest {
  const [client, redirectUri] = readClient(config, given)
  // Of a parameter that is sent twice, the first tells where to say so.
  const values = new Map(given.toReversed())
  const get = (name: string) => values.get(name) || undefined
  const responseMode = get('response_mode') ?? 'query'
  const address: AnswerAddress = {
    redirectUri,
    responseMode: responseMode === 'form_post' ? 'form_post' : 'query',
    state: get('state'),
  }
  const refuse = (code: string, text: string) => new AuthorizationError(code, text, address)

  if (hasRepetition(given)) throw refuse('invalid_request', 'A parameter is sent twice.')
  if (given.some(([name, value]) => value.length > (LONGEST[name] ?? 1024))) {
    throw refuse('invalid_request', 'A parameter is too long.')
  }
  if (responseMode !== 'query' && responseMode !== 'form_post') {
    throw refuse('invalid_request', 'response_mode must be query or form_post.')
  }
  if (get('request')) throw refuse('request_not_supported', 'Request objects are not supported.')
  if (get('request_uri'))
    throw refuse('request_uri_not_supported', 'Request objects are not supported.')
  const responseType = get('response_type')
  if (!responseType) throw refuse('invalid_request', 'response_type is missing.')
  if (responseType !== 'code')
    throw refuse('unsupported_response_type', 'response_type must be code.')

  return {
    client,
    address,
    scope: readScope(client, get('scope'), refuse),
    resources: readResources(client, allOf(given, 'resource').filter(Boolean), refuse),
    claims: readClaims(get('claims'), refuse),
    nonce: get('nonce'),
    codeChallenge: readChallenge(
      client,
      get('code_challenge'),
      get('code_challenge_method'),
      refuse,
    ),
    prompt: readPrompt(get('prompt'), refuse),
    maxAge: readMaxAge(get('max_age'), refuse),
    idTokenHint: get('id_token_hint'),
    subject: subjectAsked(get('claims')),
    provider: get('provider'),
    uiLocales: get('ui_locales'),
  }
}

type Refuse = (code: string, text: string) => AuthorizationError

function allOf(given: Pairs, wanted: string): string[] {
  return given.filter(([name]) => name === wanted).map(([, value]) => value)
}

function readClient(config: Config, given: Pairs): [Client, RegisteredRedirectUri] {
  const [clientId, ...otherIds] = allOf(given, 'client_id')
  const [redirectUri, ...otherUris] = allOf(given, 'redirect_uri')
  const client = config.clients.find(({ client_id }) => client_id === clientId)
  if (!client || otherIds.length > 0) throw new SignInError('client_unknown')
  if (redirectUri === undefined || otherUris.length > 0 || !isRegistered(client, redirectUri)) {
    throw new SignInError('redirect_uri_refused')
  }
  return [client, redirectUri]
}

/** Letter for letter; of a native app's loopback address the port may differ (RFC 8252 §7.3). */
function isRegistered(client: Client, redirectUri: string): redirectUri is RegisteredRedirectUri {
  if (client.redirect_uris.includes(redirectUri)) return true
  if (!URL.canParse(redirectUri)) return false
  if (
    client.application_type !== 'native' ||
    !/^http:\/\/(127\.0\.0\.1|\[::1\])[:/]/.test(redirectUri)
  )
    return false
  const withoutPort = (uri: string) =>
    uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}(?=\/|$)/, '$1')
  return client.redirect_uris.some(
    (uri) => isLoopback(uri) && withoutPort(uri) === withoutPort(redirectUri),
  )
}

/** Unknown scopes are left out (RFC 6749 §3.3); known ones that this client may not have are an error. */
function readScope(client: Client, scope = '', refuse: Refuse): string[] {
  const asked = [...new Set(scope.split(' ').filter(Boolean))]
  const forbidden = asked.find((one) => KNOWN_SCOPES.includes(one) && !client.scope.includes(one))
  if (forbidden) throw refuse('invalid_scope', 'A scope is not allowed for this client.')
  return asked.filter((one) => client.scope.includes(one))
}

export const KNOWN_SCOPES = ['openid', 'profile', 'email', 'platform', 'offline_access']

/** {@link https://www.rfc-editor.org/rfc/rfc8707#section-2} */
function readResources(
  client: Client,
  asked: readonly string[],
  refuse: (code: 'invalid_target', text: string) => Error,
): readonly string[] {
  if (asked.some((resource) => !client.resources.includes(resource))) {
    throw refuse('invalid_target', 'This client may not ask for tokens for that resource.')
  }
  return asked.length > 0 ? [...new Set(asked)] : client.resources.slice(0, 1)
}

/** S256 and nothing else (RFC 9700 §2.1.1): a challenge without a method would be a plain one. */
function readChallenge(
  client: Client,
  challenge: string | undefined,
  method: string | undefined,
  refuse: Refuse,
): string | undefined {
  const isConfidential = client.token_endpoint_auth_method !== 'none'
  if (!challenge && (client.require_pkce || !isConfidential))
    throw refuse('invalid_request', 'code_challenge is missing.')
  if (!challenge && method) throw refuse('invalid_request', 'code_challenge is missing.')
  if (challenge && method !== 'S256')
    throw refuse('invalid_request', 'code_challenge_method must be S256.')
  if (challenge && !/^[\w-]{43}$/.test(challenge))
    throw refuse('invalid_request', 'code_challenge is malformed.')
  return challenge
}

function readPrompt(prompt = '', refuse: Refuse): string[] {
  const prompts = prompt.split(' ').filter((one) => PROMPTS.includes(one))
  if (prompts.includes('none') && prompt.trim() !== 'none') {
    throw refuse('invalid_request', 'prompt=none goes with no other prompt.')
  }
  return prompts
}

function readMaxAge(maxAge: string | undefined, refuse: Refuse): number | undefined {
  if (maxAge === undefined) return undefined
  if (!/^\d{1,10}$/.test(maxAge)) throw refuse('invalid_request', 'max_age is a number of seconds.')
  return Number(maxAge)
}
