import { decodeJwt, errors } from 'jose'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { describeText, describeUri, listRegistered } from '../../foundation/values/describe-sent.ts'
import type { Config } from '../config/config.ts'
import type { AppContext } from '../http/app-env.ts'
import { isNavigation } from '../http/fetch-metadata.ts'
import { addToLog } from '../http/request-log.ts'
import { count } from '../metrics/count.ts'
import { type Client, isPublicClient } from '../registration-schemas/clients.ts'
import { hasPrivateScheme } from '../registration-schemas/redirect-uri.ts'
import { hasWildcard, isPreview } from '../registration-schemas/wildcard.ts'
import { mayUseForUsers, userScopes } from '../registrations/api-access.ts'
import { findApi, findUserApis } from '../registrations/find-api.ts'
import { findRequestingClient, listForDeveloper } from '../registrations/find-client.ts'
import { readRequester } from '../session/limit-requests-by-user.ts'
import {
  AuthorizationError,
  RESPONSE_MODES,
  type RegisteredRedirectUri,
  type ResponseDestination,
} from './authorization-error.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { findBoundTokens } from './bound-tokens.ts'
import { parseClaimsParameter, requestedClaims } from './claims.ts'
import { hasRepeatedParameter } from './form.ts'
import { describeTargetError } from './invalid-target.ts'
import { withoutUserinfo } from './protected-resources.ts'
import { parseAcr } from './requested-acr.ts'

/**
 * The parameters we support, with their maximum lengths. A request object is rejected at any
 * length.
 */
const MAX_LENGTHS = new Map([
  ['client_id', 256],
  ['redirect_uri', 2048],
  ['response_type', 1024],
  ['response_mode', 1024],
  ['scope', 1024],
  ['state', 2048],
  ['nonce', 512],
  ['code_challenge', 1024],
  ['code_challenge_method', 1024],
  ['dpop_jkt', 1024],
  ['resource', 1024],
  ['claims', 1024],
  ['prompt', 1024],
  ['max_age', 1024],
  ['acr_values', 1024],
  ['id_token_hint', 8192],
  ['provider', 1024],
  ['ui_locales', 1024],
  ['request', Number.POSITIVE_INFINITY],
  ['request_uri', Number.POSITIVE_INFINITY],
])

const PROMPTS = ['none', 'login', 'consent', 'select_account']

/**
 * The parameters we support. Others must be ignored (RFC 6749 §3.1), also when a request is
 * repeated.
 */
export function supportedParameters(params: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...params].filter(([name]) => MAX_LENGTHS.has(name)))
}

/**
 * Validates an authorization request, the client and redirect URI first. Until these are known to
 * be valid, errors are shown to the user and never sent to the redirect URI.
 */
export async function parseAuthorizationRequest(
  c: AppContext,
  params: URLSearchParams,
): Promise<AuthorizationRequest> {
  const config = c.get('config')
  const [client, redirectUri] = await parseClient(c, params)
  const get = (name: string) => params.get(name) || undefined
  const modes = responseModes(client, redirectUri)
  const sent = { responseMode: get('response_mode'), state: get('state') }
  const destination = responseDestination({ client, redirectUri, modes }, sent)
  const reject = (code: string, text: string) => new AuthorizationError(code, text, destination)

  if (hasRepeatedParameter(params)) {
    throw reject('invalid_request', 'A parameter is sent more than once.')
  }
  checkRequestObject({ request: get('request'), uri: get('request_uri') }, destination, modes)
  checkLengths(params, reject)
  checkResponseMode(client, { modes, ...sent }, reject)
  checkResponseType(get('response_type'), reject)
  if (!client.grant_types.includes('authorization_code')) {
    throw reject('unauthorized_client', 'The client is not registered for authorization_code.')
  }
  const requested = { scope: get('scope'), resources: params.getAll('resource').filter(Boolean) }
  const { scope, resources, apis } = await parseAccess(c, { client, ...requested }, (text) =>
    reject('invalid_target', text),
  )
  const nonce = get('nonce')
  const claims = parseClaimsParameter(get('claims'), reject)

  return {
    client,
    destination,
    scope,
    resources,
    apis,
    claims: requestedClaims(claims, client),
    nonce,
    codeChallenge: parseCodeChallenge(
      get,
      {
        client,
        isPreview: isPreview(config, client, redirectUri),
        hasNonce: scope.includes('openid') && nonce !== undefined,
      },
      reject,
    ),
    keyThumbprint: findBoundTokens(config) ? parseThumbprint(get('dpop_jkt'), reject) : undefined,
    prompt: parsePrompt(get('prompt'), reject),
    maxAge: parseMaxAge(get('max_age'), reject),
    acr: parseAcr(config, { acrValues: get('acr_values'), claims }, reject),
    idTokenHint: get('id_token_hint'),
    subject: claims.id_token?.sub?.value,
    provider: get('provider'),
    uiLocales: get('ui_locales'),
  }
}

type Reject = (code: string, text: string) => AuthorizationError

async function parseClient(
  c: AppContext,
  params: URLSearchParams,
): Promise<[Client, RegisteredRedirectUri]> {
  const [clientId, ...otherIds] = params.getAll('client_id')
  const [redirectUri, ...otherUris] = params.getAll('redirect_uri')
  // Frames and images of any page could use up the limit of the networks of its visitors.
  const introduction = isNavigation(c) ? { requester: await readRequester(c) } : undefined
  const client = await findRequestingClient(c.env, c.get('config'), { clientId, introduction })
  if (!client) count('vestibule_unknown_clients_total', { endpoint: 'authorize' })
  if (!client || otherIds.length > 0) {
    const hint = await explainUnknownClient(c, clientId, otherIds.length > 0)
    throw new SignInError('client_unknown', { parameter: 'client_id', detail: { hint } })
  }
  // A parameter without a value is treated as if it were missing (RFC 6749 §3.1).
  if (!redirectUri && otherUris.length === 0) {
    throw new SignInError('redirect_uri_missing', { parameter: 'redirect_uri' })
  }
  if (
    redirectUri === undefined ||
    otherUris.length > 0 ||
    !isRegistered(c.get('config'), client, redirectUri)
  ) {
    const sent = otherUris.length > 0 ? 'sent more than once' : describeUri(redirectUri ?? '')
    const registered = listRegistered(client.redirect_uris.map(describeUri))
    const hint = `redirect_uri is ${sent}. ${client.client_id} has registered: ${registered}.`
    throw new SignInError('redirect_uri_refused', { parameter: 'redirect_uri', detail: { hint } })
  }
  return [client, redirectUri]
}

/** What the developers of an app, or the operator, have to correct. */
async function explainUnknownClient(
  c: AppContext,
  clientId: string | undefined,
  isRepeated: boolean,
): Promise<string> {
  const config = c.get('config')
  if (config.disabledClients.includes(clientId ?? '')) {
    return 'It is disabled in CLIENTS: /readyz says why.'
  }
  const sent = clientId ? describeText(clientId) : 'missing'
  const known = await listForDeveloper(c.env, config)
  const registered = known ? ` Registered: ${listRegistered(known.ids)}.` : ''
  return `client_id is ${isRepeated ? 'sent more than once' : sent}.${registered}`
}

/**
 * The beginning of a loopback URL (RFC 8252 §7.3): its host, its port, and the slash of its path,
 * which may be missing if the path is empty. The documents of many programs list `localhost`.
 */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?:\/|$)/

/**
 * Exact comparison, except that the port of a native app's loopback URL may differ (RFC 8252 §7.3),
 * that a missing path is the same as `/` there, and for previews.
 */
function isRegistered(
  config: Config,
  client: Client,
  redirectUri: string,
): redirectUri is RegisteredRedirectUri {
  if (hasWildcard(redirectUri)) return false
  if (client.redirect_uris.includes(redirectUri)) return true
  if (isPreview(config, client, redirectUri)) return true
  if (client.application_type !== 'native' || !URL.canParse(redirectUri)) return false
  const withoutPort = (uri: string) => uri.replace(LOOPBACK, '$1/')
  return client.redirect_uris.some((uri) => withoutPort(uri) === withoutPort(redirectUri))
}

/**
 * Browsers take a fragment or a posted form along when a page redirects. Nobody has checked the
 * redirect URIs of unregistered clients, which may be such pages of others. A form cannot be posted
 * to the scheme of an app.
 */
function responseModes(
  { unregistered }: Client,
  redirectUri: RegisteredRedirectUri,
): ResponseDestination['responseMode'][] {
  if (unregistered) return ['query']
  return RESPONSE_MODES.filter((mode) => mode !== 'form_post' || !hasPrivateScheme(redirectUri))
}

/** A response mode that the client may not use is not used for the error about it either. */
function responseDestination(
  { modes, ...destination }: Pick<ResponseDestination, 'client' | 'redirectUri'> & ResponseModes,
  { responseMode, state }: { responseMode: string | undefined; state: string | undefined },
): ResponseDestination {
  const supported = modes.find((mode) => mode === responseMode)
  return { ...destination, responseMode: supported ?? 'query', state }
}

/** Those that the client may use. */
interface ResponseModes {
  modes: readonly ResponseDestination['responseMode'][]
}

/**
 * Rejects request objects. The `response_mode` and `state` inside supersede those of the query
 * (OpenID Connect Core §6.1), so the client expects them in the error response. Nothing else in
 * them is used.
 */
function checkRequestObject(
  { request, uri }: { request: string | undefined; uri: string | undefined },
  destination: ResponseDestination,
  modes: ResponseModes['modes'],
): void {
  if (request) {
    const inside = decodeRequestObject(request)
    const text = (name: string) => (typeof inside[name] === 'string' ? inside[name] : undefined)
    const inObject = responseDestination(
      { ...destination, modes },
      {
        responseMode: text('response_mode') || destination.responseMode,
        state: text('state') || destination.state,
      },
    )
    throw new AuthorizationError('request_not_supported', 'request is not supported.', inObject)
  }
  if (uri) {
    const text = 'request_uri is not supported.'
    throw new AuthorizationError('request_uri_not_supported', text, destination)
  }
}

/** The claims of a request object, without verifying it; none if it is not a JWT. */
function decodeRequestObject(request: string): Record<string, unknown> {
  try {
    return decodeJwt(request)
  } catch (error) {
    if (error instanceof errors.JOSEError) return {}
    throw error
  }
}

function checkLengths(params: URLSearchParams, reject: Reject): void {
  for (const [name, value] of params) {
    if (value.length > (MAX_LENGTHS.get(name) ?? Number.POSITIVE_INFINITY)) {
      throw reject('invalid_request', 'A parameter is too long.')
    }
  }
}

function checkResponseMode(
  client: Client,
  { modes, responseMode = 'query' }: ResponseModes & { responseMode: string | undefined },
  reject: Reject,
): void {
  if (modes.some((mode) => mode === responseMode)) return
  const expected = client.unregistered
    ? 'query for an unregistered client'
    : modes.join(', ').replace(/, (\w+)$/, ' or $1')
  throw reject('invalid_request', `response_mode must be ${expected}.`)
}

function checkResponseType(responseType: string | undefined, reject: Reject): void {
  if (!responseType) throw reject('invalid_request', 'response_type is missing.')
  if (responseType !== 'code') {
    throw reject('unsupported_response_type', 'response_type must be code.')
  }
}

/**
 * What a client requests. Scopes that it is not registered for, or that neither OpenID Connect nor
 * one of the APIs defines, are omitted (RFC 6749 §3.3); the token response lists the rest.
 */
export async function parseAccess(
  c: AppContext,
  request: { client: Client; scope: string | undefined; resources: readonly string[] },
  rejectTarget: (text: string) => Error,
): Promise<Pick<AuthorizationRequest, 'scope' | 'resources' | 'apis'>> {
  const config = c.get('config')
  const { client, scope = '' } = request
  // https://www.rfc-editor.org/rfc/rfc8707#section-2
  const resources =
    request.resources.length > 0
      ? withoutUserinfo(config, request.resources)
      : await defaultResources(c, client)
  const found = await findUserApis(c.env, config, { client, resources })
  const resource = resources.find((identifier) => !found.resources.includes(identifier))
  if (resource !== undefined) {
    throw rejectTarget(await describeTargetError(c.env, config, { client, resource }))
  }
  const requested = { apis: found.apis, scope: [...new Set(scope.split(' ').filter(Boolean))] }
  const granted = userScopes(client, requested)
  const omitted = requested.scope.filter((value) => !granted.includes(value))
  if (omitted.length > 0 && config.isDevelopment) {
    const hint = `Scopes that are not granted: ${listRegistered(omitted.map(describeText))}. ${client.client_id} is registered for: ${client.scope.join(' ')}.`
    addToLog(c, { hint })
  }
  return { ...found, scope: granted }
}

/** The first API of a client that it can use. */
async function defaultResources(c: AppContext, client: Client): Promise<string[]> {
  const config = c.get('config')
  for (const identifier of client.resources) {
    const found = await findApi(c.env, config, identifier)
    if (mayUseForUsers(config, client, { identifier, found })) return [identifier]
  }
  return []
}

/**
 * Only S256 (RFC 9700 §2.1.1). A challenge without a method would mean `plain`. Public clients
 * always need PKCE. Unless its registration decides, a confidential client may omit it if the ID
 * token will contain a nonce, which also binds the code to the client's own request.
 */
function parseCodeChallenge(
  get: (name: string) => string | undefined,
  { client, isPreview, hasNonce }: { client: Client; isPreview: boolean; hasNonce: boolean },
  reject: Reject,
): string | undefined {
  const challenge = get('code_challenge')
  const method = get('code_challenge_method')
  if (!challenge) {
    const mustHave = isPublicClient(client) || isPreview
    const isRequired = mustHave || (client.require_pkce ?? !hasNonce)
    if (!isRequired && method === undefined) return undefined
    const nonceSuffices = !mustHave && client.require_pkce === undefined
    const alternative = nonceSuffices ? ', or send a nonce with the scope openid' : ''
    const text = `code_challenge is missing. Enable PKCE in your client${alternative}.`
    throw reject('invalid_request', text)
  }
  if (method !== 'S256') throw reject('invalid_request', 'code_challenge_method must be S256.')
  if (!/^[\w-]{43}$/.test(challenge)) {
    throw reject('invalid_request', 'code_challenge is malformed.')
  }
  return challenge
}

/** {@link https://www.rfc-editor.org/rfc/rfc9449#section-10} */
function parseThumbprint(thumbprint: string | undefined, reject: Reject): string | undefined {
  if (thumbprint !== undefined && !/^[\w-]{43}$/.test(thumbprint)) {
    throw reject('invalid_request', 'dpop_jkt is malformed.')
  }
  return thumbprint
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
