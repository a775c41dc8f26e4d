import { toEndpoint } from '../providers/configure.ts'
import type { OAuthProviderButtonStyles, OIDCConfig } from '../providers/oauth-types.ts'
import { parseColor } from '../values/css-color.ts'
import { isHttpsImageUrl } from '../values/image-url.ts'
import { isObject } from '../values/json.ts'
import { isLoopback } from '../values/loopback.ts'
import { isPrivateJwk } from './private-key.ts'
import type { AnyProvider } from './providers.ts'
import { CONTROL_CHARACTERS, MAX_NAME_LENGTH } from './schemas.ts'

/** The text that describes a private key as a client secret. */
export const PRIVATE_JWK_EXPECTED =
  'must be the private key as a JWK in JSON, because token_endpoint_auth_method is private_key_jwt.'

/** Every field of a provider; `idToken` is for OpenID Connect only. */
const FIELDS: Record<keyof OIDCConfig<unknown>, true> = {
  id: true,
  name: true,
  type: true,
  issuer: true,
  jwks_endpoint: true,
  wellKnown: true,
  authorization: true,
  token: true,
  userinfo: true,
  profile: true,
  account: true,
  checks: true,
  client: true,
  clientId: true,
  clientSecret: true,
  redirectProxyUrl: true,
  style: true,
  allowDangerousEmailAccountLinking: true,
  idToken: true,
  clientIdParameter: true,
  codeChallengeEncoding: true,
  clientAuth: true,
  customFetch: true,
  accountIdFromTokens: true,
  promptParams: true,
  sendsAuthTime: true,
  isSelfHosted: true,
  otherClientSecret: true,
  revocation: true,
  scopeSeparator: true,
  knownScopes: true,
  callbackParameters: true,
  hasQrLogin: true,
  keepsTokens: true,
  registration: true,
  builtInProfile: true,
}

const STYLE_FIELDS: Record<keyof OAuthProviderButtonStyles, true> = {
  brandColor: true,
  logo: true,
  bg: true,
  text: true,
}

const CLIENT_AUTH_METHODS = [
  'client_secret_post',
  'client_secret_basic',
  'client_secret_jwt',
  'private_key_jwt',
  'none',
]

/** The fields that are addresses of the provider's servers. */
const ADDRESS_FIELDS = ['issuer', 'wellKnown', 'jwks_endpoint', 'revocation'] as const

/**
 * What is wrong with a provider, in complete sentences. Nothing is accepted and then ignored. The
 * client's id and secret may come from settings, whose schema requires them.
 */
export function providerProblems(config: AnyProvider): string[] {
  const problems = [
    ...nameProblems(config),
    ...unknownFieldProblems(config),
    ...missingFieldProblems(config),
    ...addressProblems(config),
    ...endpointProblems(config),
    ...callbackProblems(config),
    ...typeProblems(config),
    ...checksProblems(config),
    ...clientProblems(config),
    ...styleProblems(config.style ?? {}),
  ]
  return problems.map((problem) => `The provider ${config.id} ${problem}`)
}

function nameProblems({ name }: AnyProvider): string[] {
  const isName =
    typeof name === 'string' &&
    name.trim() !== '' &&
    name.length <= MAX_NAME_LENGTH &&
    !CONTROL_CHARACTERS.test(name)
  return isName
    ? []
    : [`needs a name of at most ${MAX_NAME_LENGTH} characters without control characters.`]
}

function unknownFieldProblems(config: AnyProvider): string[] {
  const isKnown = (name: string) =>
    Object.hasOwn(FIELDS, name) && (name !== 'idToken' || config.type === 'oidc')
  return Object.keys(config)
    .filter((name) => !isKnown(name))
    .map((name) => `has the option ${name}, which does not exist for the type ${config.type}.`)
}

/** An issuer that is missing may be a setting. The provider is checked again with the settings. */
function missingFieldProblems(config: AnyProvider): string[] {
  const { type, issuer, wellKnown, isSelfHosted } = config
  if (isSelfHosted && !issuer && !wellKnown) return []
  const isOidc = type === 'oidc'
  const isDiscovered = Boolean(wellKnown || (isOidc && issuer))
  const isGiven = (name: 'authorization' | 'token' | 'userinfo') => {
    if (!isEndpoint(config[name])) return config[name] !== undefined
    const endpoint: { url?: string; request?: unknown } = toEndpoint(config[name])
    return Boolean(endpoint.url || (name !== 'authorization' && endpoint.request))
  }
  const readsIdToken = isOidc && config.idToken !== false
  const required = [
    ['issuer', !isOidc || isDiscovered],
    ['authorization', isDiscovered || isGiven('authorization')],
    ['token', isDiscovered || isGiven('token')],
    ['userinfo', isDiscovered || readsIdToken || isGiven('userinfo')],
  ] as const
  const missing = required.filter(([, isPresent]) => !isPresent).map(([name]) => name)
  if (missing.length === 0) return []
  const advice = isOidc
    ? 'Set issuer or wellKnown, from which the endpoints are discovered.'
    : 'Set the addresses of these endpoints, or wellKnown.'
  return [`lacks ${missing.join(', ')}. ${advice}`]
}

function addressProblems(config: AnyProvider): string[] {
  const problems = ADDRESS_FIELDS.filter(
    (name) => config[name] !== undefined && !isServerAddress(config[name]),
  ).map((name) => `has an invalid ${name}: ${ADDRESS_EXPECTED}`)
  const { redirectProxyUrl } = config
  const isProxy =
    redirectProxyUrl === undefined ||
    (isServerAddress(redirectProxyUrl) && redirectProxyUrl.endsWith('/api/auth'))
  if (isProxy) return problems
  return [
    ...problems,
    'has an invalid redirectProxyUrl: it must be the /api/auth of the deployment whose callback is registered, such as https://login.example.com/api/auth.',
  ]
}

const ADDRESS_EXPECTED = 'it must be an https address, or http on loopback.'

function isServerAddress(address: unknown): boolean {
  const url = typeof address === 'string' ? URL.parse(address) : null
  if (url?.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.href))
}

function endpointProblems(config: AnyProvider): string[] {
  return (['authorization', 'token', 'userinfo'] as const).flatMap((name) => {
    if (config[name] === undefined) return []
    if (!isEndpoint(config[name])) {
      return [`has an invalid ${name}: it must be an address or an object.`]
    }
    const { url, ...rest } = toEndpoint(config[name])
    const problems = partProblems(name, rest)
    if (url && !isServerAddress(url)) {
      problems.unshift(`has an invalid address in ${name}: ${ADDRESS_EXPECTED}`)
    }
    return problems
  })
}

function isEndpoint(endpoint: unknown): boolean {
  return typeof endpoint === 'string' || isObject(endpoint)
}

/** The parts of an endpoint besides its address. */
function partProblems(endpoint: string, parts: Record<string, unknown>): string[] {
  return Object.entries(parts).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (name === 'params')
      return isTextRecord(value) ? [] : [`has ${endpoint}.params that are not texts.`]
    if (name !== 'request' && name !== 'normalizeResponse') {
      return [`has ${endpoint}.${name}, which does not exist.`]
    }
    if (endpoint === 'authorization') {
      return [
        `has authorization.${name}, which cannot be called: this service builds the authorization request itself. Use authorization.url and authorization.params.`,
      ]
    }
    return typeof value === 'function' ? [] : [`has ${endpoint}.${name} that is not a function.`]
  })
}

function callbackProblems(config: AnyProvider): string[] {
  return (['profile', 'account', 'clientAuth', 'customFetch', 'accountIdFromTokens'] as const)
    .filter((name) => config[name] !== undefined && typeof config[name] !== 'function')
    .map((name) => `has ${name} that is not a function.`)
}

/** Text such as `false`, from a setting, would otherwise mean true. */
function typeProblems(config: AnyProvider): string[] {
  const { client, codeChallengeEncoding, registration = {} } = config
  const flags = Object.entries(config).filter(
    ([name, value]) => FLAGS.includes(name) && value !== undefined && typeof value !== 'boolean',
  )
  const texts = (['clientIdParameter', 'scopeSeparator'] as const).filter(
    (name) => config[name] !== undefined && typeof config[name] !== 'string',
  )
  const lists = (['callbackParameters', 'knownScopes'] as const).filter(
    (name) => !isTextList(config[name] ?? []),
  )
  return [
    ...flags.map(([name]) => `has ${name} that is neither true nor false.`),
    ...texts.map((name) => `has ${name} that is not a text.`),
    ...(client !== undefined && !isObject(client) ? ['has client that is not an object.'] : []),
    ...lists.map((name) => `has ${name} that are not a list of texts.`),
    ...(isTextRecord(registration) ? [] : ['has registration that is not an object of texts.']),
    ...(['base64url', 'hex', undefined].includes(codeChallengeEncoding)
      ? []
      : ['has a codeChallengeEncoding that is neither base64url nor hex.']),
  ]
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}

const FLAGS = [
  'allowDangerousEmailAccountLinking',
  'idToken',
  'sendsAuthTime',
  'isSelfHosted',
  'hasQrLogin',
  'keepsTokens',
]

function checksProblems({ type, checks = [] }: AnyProvider): string[] {
  const allowed = type === 'oidc' ? ['none', 'state', 'nonce', 'pkce'] : ['none', 'state', 'pkce']
  const isValid = Array.isArray(checks) && checks.every((check) => allowed.includes(check))
  return isValid ? [] : [`has invalid checks: they must be a list of ${allowed.join(', ')}.`]
}

function clientProblems({ client = {}, clientSecret, otherClientSecret }: AnyProvider): string[] {
  const problems: string[] = []
  const method = client['token_endpoint_auth_method']
  if (client.client_id !== undefined) problems.push('has client.client_id: use clientId instead.')
  if (client.use_mtls_endpoint_aliases) {
    problems.push('has client.use_mtls_endpoint_aliases, but this service has no certificate.')
  }
  if (method !== undefined && !CLIENT_AUTH_METHODS.includes(String(method))) {
    problems.push(
      `has the token_endpoint_auth_method ${method}, which is not supported. Use one of ${CLIENT_AUTH_METHODS.join(', ')}.`,
    )
  }
  for (const [name, secret] of Object.entries({ clientSecret, otherClientSecret })) {
    if (method === 'none' && secret) {
      problems.push(`has a ${name}, but token_endpoint_auth_method is none.`)
    }
    if (method === 'private_key_jwt' && secret && !isPrivateJwk(secret)) {
      problems.push(`has an invalid ${name}: it ${PRIVATE_JWK_EXPECTED}`)
    }
  }
  return problems
}

function styleProblems(style: OAuthProviderButtonStyles): string[] {
  const unknown = Object.keys(style).filter((name) => !Object.hasOwn(STYLE_FIELDS, name))
  const colors = (['brandColor', 'bg', 'text'] as const).filter((name) => {
    const color: unknown = style[name]
    return color !== undefined && (typeof color !== 'string' || !parseColor(color))
  })
  const { logo } = style
  return [
    ...unknown.map((name) => `has style.${name}, which does not exist.`),
    ...colors.map(
      (name) =>
        `has an invalid colour in style.${name}: use a hex code, rgb(), hsl() or the name of a colour.`,
    ),
    ...(logo === undefined || isImageAddress(logo)
      ? []
      : ['has an invalid style.logo: it must be an https address or a data: address of an image.']),
  ]
}

function isImageAddress(address: unknown): boolean {
  if (typeof address !== 'string') return false
  return isHttpsImageUrl(address) || /^data:image\//i.test(address)
}

function isTextRecord(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((item) => typeof item === 'string')
}
