import { clockSkew, clockTolerance } from 'oauth4webapi'
import * as z from 'zod/mini'
import { isHttpsImageUrl } from '../foundation/values/image-url.ts'
import { isObject } from '../foundation/values/json.ts'
import { isLoopback } from '../foundation/values/loopback.ts'
import { type Problem, validate } from '../foundation/values/problem.ts'
import {
  callback,
  hexColor,
  type Shape,
  shortName,
  text,
  unsupported,
} from '../foundation/values/schemas.ts'
import { isBuiltIn, toEndpoint } from './configure.ts'
import type {
  AppRegistration,
  AuthorizationEndpointHandler,
  OAuth2Config,
  OAuthProviderButtonStyles,
  OIDCConfig,
  ProviderSettings,
  TokenEndpointHandler,
  UserinfoEndpointHandler,
} from './oauth-types.ts'
import { isPrivateJwk } from './private-key.ts'
import type { OAuthConfig } from './types.ts'

/** The text that describes a private key as a client secret. */
export const PRIVATE_JWK_EXPECTED =
  'must be the private key as a JWK in JSON, because token_endpoint_auth_method is private_key_jwt.'

/**
 * What is wrong with a provider. Nothing is accepted and then ignored. The client's id and secret
 * may come from settings, whose schema requires them.
 */
export function providerProblems(config: OAuthConfig<unknown>): Problem[] {
  const schema: z.ZodMiniType = config.type === 'oidc' ? oidcSchema : oauthSchema
  const path = ['providers', config.id]
  return [
    ...validate(schema, config, path).problems,
    ...unknownSymbols(config, path, []),
    ...unknownSymbols(config.client, [...path, 'client'], CLIENT_SYMBOLS),
  ]
}

/** The schemas do not see symbols. */
function unknownSymbols(value: unknown, path: string[], known: readonly symbol[]): Problem[] {
  const symbols = isObject(value) ? Object.getOwnPropertySymbols(value) : []
  return symbols
    .filter((symbol) => !known.includes(symbol))
    .map((symbol) => ({
      path,
      code: 'invalid',
      message: `has the option ${String(symbol)}, which does not exist. ${SYMBOL_ADVICE}`,
    }))
}

const SYMBOL_ADVICE =
  'For client, import clockSkew and clockTolerance from vestibule-auth/providers.'

const flag = z.optional(z.boolean())
const optionalText = z.optional(z.string())
const texts = z.optional(z.array(z.string()))
const params = z.optional(z.record(z.string(), z.string()))
const headers = params

const SERVER_URL = 'must be an https URL, or http on loopback.'

const serverUrl = text([isServerUrl, SERVER_URL])

function isServerUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url?.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(text))
}

/** An empty URL is reported as a missing endpoint. */
const endpointUrl = z.optional(text([(url) => url === '' || isServerUrl(url), SERVER_URL]))

const UNUSED =
  'cannot be called: this service builds the authorization request itself. Use authorization.url and authorization.params.'

/** Without what {@link fromAuthJs} has translated. */
type EndpointOptions<Handler> = Omit<Handler, 'conform' | 'clientPrivateKey'>

const authorization = z.strictObject({
  url: endpointUrl,
  params,
  request: unsupported(UNUSED),
  normalizeResponse: unsupported(UNUSED),
} satisfies Shape<EndpointOptions<AuthorizationEndpointHandler>>)

const otherEndpoint = z.strictObject({
  url: endpointUrl,
  params,
  request: callback,
  normalizeResponse: callback,
} satisfies Shape<EndpointOptions<TokenEndpointHandler>>)

function endpoint<Handler extends z.ZodMiniType>(handler: Handler) {
  return z.optional(z.union([serverUrl, handler], 'must be a URL or an object.'))
}

const CLIENT_AUTH_METHODS = [
  'client_secret_post',
  'client_secret_basic',
  'client_secret_jwt',
  'private_key_jwt',
  'none',
]

/** What oauth4webapi uses of a client's metadata in the steps that this service takes. */
const client = z.strictObject({
  client_id: unsupported('is not used: use clientId instead.'),
  use_mtls_endpoint_aliases: z.optional(
    z.literal(false, 'cannot be used: this service has no certificate.'),
  ),
  token_endpoint_auth_method: z.optional(z.enum(CLIENT_AUTH_METHODS)),
  id_token_signed_response_alg: optionalText,
  userinfo_signed_response_alg: optionalText,
  require_auth_time: flag,
  default_max_age: z.optional(z.number()),
})

/** The symbols of oauth4webapi that apply to a client. */
const CLIENT_SYMBOLS: readonly symbol[] = [clockSkew, clockTolerance]

/** How the button of the sign-in page looks. */
export const styleSchema = z.strictObject({
  brandColor: z.optional(hexColor),
  logo: z.optional(
    text([
      (url) => isHttpsImageUrl(url) || /^data:image\//i.test(url),
      'must be an https URL or a data: URL of an image.',
    ]),
  ),
  bg: z.optional(hexColor),
  text: z.optional(hexColor),
} satisfies Shape<OAuthProviderButtonStyles>)

const shape = {
  id: z.string(),
  name: shortName,
  issuer: z.optional(serverUrl),
  jwks_endpoint: z.optional(serverUrl),
  wellKnown: z.optional(serverUrl),
  authorization: endpoint(authorization),
  token: endpoint(otherEndpoint),
  userinfo: endpoint(otherEndpoint),
  profile: callback,
  account: callback,
  client: z.optional(client),
  clientId: optionalText,
  clientSecret: optionalText,
  redirectProxyUrl: z.optional(
    text([
      (url) => isServerUrl(url) && url.endsWith('/api/auth'),
      'must be the /api/auth of the deployment whose callback is registered, such as https://login.example.com/api/auth.',
    ]),
  ),
  style: z.optional(styleSchema),
  allowDangerousEmailAccountLinking: flag,
  clientIdParameter: optionalText,
  codeChallengeEncoding: z.optional(z.enum(['base64url', 'hex'])),
  clientAuth: callback,
  fetch: callback,
  customFetch: callback,
  headers,
  profileParameter: optionalText,
  hasTenantIssuers: flag,
  accountIdFromTokens: callback,
  promptParams: params,
  sendsAuthTime: flag,
  isSelfHosted: flag,
  otherClientSecret: optionalText,
  revocation: z.optional(serverUrl),
  scopeSeparator: optionalText,
  knownScopes: texts,
  knownFields: texts,
  callbackParameters: texts,
  keepsTokens: flag,
  registration: z.optional(
    z.strictObject({
      url: optionalText,
      idName: optionalText,
      secretName: optionalText,
    } satisfies Shape<AppRegistration>),
  ),
  settings: z.optional(z.custom<ProviderSettings>()),
  readNotification: callback,
}

const oauthSchema = z
  .strictObject({
    ...shape,
    type: z.literal('oauth'),
    checks: z.optional(z.array(z.enum(['none', 'state', 'pkce']))),
  } satisfies Shape<Omit<OAuth2Config<unknown>, 'options'>>)
  .check(requireEndpoints, checkSecrets, rejectUnused, rejectUnknownFields)

const oidcSchema = z
  .strictObject({
    ...shape,
    type: z.literal('oidc'),
    checks: z.optional(z.array(z.enum(['none', 'state', 'nonce', 'pkce']))),
    idToken: flag,
  } satisfies Shape<Omit<OIDCConfig<unknown>, 'options'>>)
  .check(requireEndpoints, checkSecrets, rejectUnused, rejectUnknownFields)

/** The names of all options. */
export const OPTION_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(shape),
  'checks',
  'idToken',
])

/** An issuer that is missing may be a setting. The provider is checked again with the settings. */
function requireEndpoints({ value, issues }: z.core.ParsePayload<unknown>): void {
  const config = value as OAuthConfig<unknown>
  const { type, issuer, wellKnown, isSelfHosted } = config
  if (isSelfHosted && !issuer && !wellKnown) return
  const isOidc = type === 'oidc'
  // The document must name the issuer from whose URL its own is derived.
  if (wellKnown && !issuer && !isSelfHosted && !wellKnown.includes('/.well-known/')) {
    const message = 'lacks issuer, which is unknown if wellKnown has no path /.well-known/….'
    issues.push({ code: 'custom', input: value, message })
  }
  if (wellKnown || (isOidc && issuer)) return
  const hasUrl = (name: 'authorization' | 'token' | 'userinfo') => {
    const endpoint: { url?: string; request?: unknown } = toEndpoint(config[name], name)
    return Boolean(endpoint.url || (name !== 'authorization' && endpoint.request))
  }
  const readsIdToken = isOidc && config.idToken !== false
  const missing = [
    ...(isOidc ? ['issuer'] : []),
    ...(['authorization', 'token'] as const).filter((name) => !hasUrl(name)),
    ...(readsIdToken || hasUrl('userinfo') ? [] : ['userinfo']),
  ]
  if (missing.length === 0) return
  const advice = isOidc
    ? 'Set issuer or wellKnown, from which the endpoints are discovered.'
    : 'Set the URLs of these endpoints, or wellKnown.'
  issues.push({
    code: 'custom',
    input: value,
    message: `lacks ${missing.join(', ')}. ${advice}`,
  })
}

/** What the schemas of single options do not show: nothing is accepted and then ignored. */
function rejectUnused({ value, issues }: z.core.ParsePayload<unknown>): void {
  const config = value as OAuthConfig<unknown>
  const { client = {} } = config
  const report = (path: string[], message: string) =>
    issues.push({ code: 'custom', input: value, path, message })
  const userinfo: UserinfoEndpointHandler = toEndpoint(config.userinfo, 'userinfo')
  const hasParams = Object.keys(userinfo.params ?? {}).length > 0
  if (hasParams && isBuiltIn(userinfo.request ?? {}) && !userinfo.url) {
    report(['userinfo', 'params'], 'has no effect: no request is sent for the profile.')
  }
  const readsIdToken = config.type === 'oidc' && config.idToken !== false
  if (client.userinfo_signed_response_alg && (userinfo.request || readsIdToken)) {
    const reason = readsIdToken
      ? 'the profile is read from the ID token'
      : 'userinfo.request reads the response'
    report(['client', 'userinfo_signed_response_alg'], `has no effect, because ${reason}.`)
  }
}

/** A built-in request leaves out names that it does not know. */
function rejectUnknownFields({ value, issues }: z.core.ParsePayload<unknown>): void {
  const { knownFields = [], userinfo } = value as OAuthConfig<unknown>
  const { params, request }: UserinfoEndpointHandler = toEndpoint(userinfo, 'userinfo')
  if (knownFields.length === 0 || !isBuiltIn(request ?? {})) return
  const fields = params?.['fields']?.split(/[,\s]+/).filter(Boolean) ?? []
  const unknown = fields.filter((name) => !knownFields.includes(name))
  if (unknown.length === 0) return
  issues.push({
    code: 'custom',
    input: value,
    path: ['userinfo', 'params', 'fields'],
    message: `contains ${unknown.join(', ')}: the names are ${knownFields.join(', ')}.`,
  })
}

function checkSecrets({ value, issues }: z.core.ParsePayload<unknown>): void {
  const config = value as OAuthConfig<unknown>
  const method = config.client?.['token_endpoint_auth_method']
  for (const name of ['clientSecret', 'otherClientSecret'] as const) {
    const secret = config[name]
    if (!secret) continue
    const report = (message: string) =>
      issues.push({ code: 'custom', input: value, path: [name], message })
    if (method === 'none') report('must be absent, because token_endpoint_auth_method is none.')
    if (method === 'private_key_jwt' && !isPrivateJwk(secret)) report(PRIVATE_JWK_EXPECTED)
  }
}
