import * as z from 'zod/mini'
import { isLoopback } from '../values/loopback.ts'
import type { Problem } from '../values/problem.ts'
import { ADVANCED, field } from './registration-fields.ts'
import { hexColor, imageUri, SCOPE, sha256, shortName, text, uri } from './schemas.ts'

/**
 * A subset of {@link https://www.rfc-editor.org/rfc/rfc6749#section-2.2} that never needs escaping.
 */
const CLIENT_ID = /^[A-Za-z0-9._~-]{1,256}$/

/**
 * The ids of users begin with this. The `sub` of a token is a user's id or, for machines, a
 * client's.
 */
export const USER_ID_PREFIX = 'usr_'

/** The length of a 2048-bit modulus in base64url, the minimum that RFC 7518 §3.3 allows. */
const MIN_MODULUS_LENGTH = 342

const signingAlgorithm = z.enum(['RS256', 'ES256'])

const scopeList = text([
  (list) => list.split(' ').every((scope) => SCOPE.test(scope)),
  'must be a list of scopes separated by spaces.',
])

const uris = z._default(z.array(uri), [])

const texts = z._default(z.array(text()), [])

const keyMember = z.optional(z.string())

const publicKey = z
  .object({
    kty: z.enum(['EC', 'RSA']),
    kid: keyMember,
    crv: z.optional(z.enum(['P-256'])),
    x: keyMember,
    y: keyMember,
    n: z.optional(text([(n) => n.length >= MIN_MODULUS_LENGTH, 'has less than 2048 bits.'])),
    e: keyMember,
    // Only in private and symmetric keys; listed so that they can be rejected.
    d: keyMember,
    k: keyMember,
  })
  .check(
    z.refine(({ d, k }) => !d && !k, {
      error: 'contains a private key or a secret: only the app may have it.',
    }),
    z.refine(({ kty, n, e, crv, x, y }) => (kty === 'RSA' ? n && e : crv && x && y), {
      error: 'is not a public key.',
    }),
  )

const jwks = z.object({
  keys: z.array(publicKey).check(z.refine((keys) => keys.length > 0, 'is empty.')),
})

/**
 * A relying app's registration. Names are those of OpenID Connect registration where one exists.
 */
export const clientSchema = z.strictObject({
  client_id: field(
    'Name and look',
    'Identifies the app: letters, digits and . _ ~ -. It cannot be changed later.',
    text(
      [(id) => CLIENT_ID.test(id), 'may only contain letters, digits and . _ ~ -'],
      [(id) => !id.startsWith(USER_ID_PREFIX), 'must not begin with usr_, like the id of a user.'],
    ),
  ),
  client_name: field(
    'Name and look',
    'The name that users see. By default the client_id.',
    z.optional(shortName),
  ),
  logo_uri: field('Name and look', 'The https URL of its logo.', z.optional(imageUri)),
  brand_color: field(
    'Name and look',
    'The colour of its main button in hex, such as #1a73e8.',
    z.optional(hexColor),
  ),
  policy_uri: field('Name and look', 'The https URL of its privacy policy.', z.optional(uri)),
  tos_uri: field('Name and look', 'The https URL of its terms of service.', z.optional(uri)),

  redirect_uris: field(
    'URLs',
    'Where users return: https, or http on loopback. Required if the app signs users in.',
    z._default(
      z
        .array(uri, 'must be a list of addresses.')
        .check(z.refine((uris) => uris.length > 0, 'is empty.')),
      [],
    ),
  ),
  post_logout_redirect_uris: field(
    'URLs',
    'Where users may return after signing out. Compared exactly.',
    uris,
  ),
  backchannel_logout_uri: field(
    'URLs',
    'The https URL that is called when a session ends.',
    z.optional(uri),
  ),

  application_type: field(
    'Credentials',
    'native: a program on the users’ own machines, which cannot keep a secret.',
    z._default(z.enum(['web', 'native']), 'web'),
  ),
  token_endpoint_auth_method: field(
    'Credentials',
    'Not set: a secret, or jwks if it has keys. none: no secret, such as for an app in the browser.',
    z.optional(z.enum(['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'])),
  ),
  jwks: field('Credentials', 'Its public keys, instead of a secret.', z.optional(jwks)),
  /**
   * Not entered: the service creates secrets. Several can be valid, so that one can be replaced.
   */
  client_secrets_sha256: z._default(z.array(sha256), []),

  first_party: field(
    'Access',
    'Your own app: it may read the session, and users are not asked for consent.',
    z._default(z.boolean(), false),
  ),
  scope: field(
    'Access',
    'The scopes it may have, separated by spaces.',
    z._default(scopeList, 'openid profile email offline_access'),
  ),
  required_scope: field(
    'Access',
    'The scopes that users cannot decline on the consent page.',
    z.optional(scopeList),
  ),
  resources: field('Access', 'The URLs of APIs that its access tokens may be for.', uris),

  grant_types: field(
    ADVANCED,
    'authorization_code: signs users in. refresh_token: may have offline_access. client_credentials: gets tokens for itself.',
    z._default(
      z
        .array(z.enum(['authorization_code', 'refresh_token', 'client_credentials']))
        .check(z.refine((types) => types.length > 0, 'is empty.')),
      ['authorization_code', 'refresh_token'],
    ),
  ),
  skip_sign_in_page: field(
    ADVANCED,
    'true: straight to the provider if there is only one. Not set: as first_party.',
    z.optional(z.boolean()),
  ),
  require_pkce: field(
    ADVANCED,
    'Not set: required unless a request has openid and a nonce. true: always, which is recommended. false: never.',
    z.optional(z.boolean()),
  ),
  id_token_claims: field(
    ADVANCED,
    'minimal: only userinfo has the profile, not the ID token.',
    z._default(z.enum(['minimal', 'full']), 'full'),
  ),
  id_token_signed_response_alg: field(
    ADVANCED,
    'How ID tokens are signed. ES256 is cheaper.',
    z._default(signingAlgorithm, 'RS256'),
  ),
  userinfo_signed_response_alg: field(
    ADVANCED,
    'Not set: userinfo is JSON. Otherwise it is a signed JWT.',
    z.optional(signingAlgorithm),
  ),
  introspects: field(
    ADVANCED,
    'The APIs whose tokens it may introspect, because it is their credential.',
    uris,
  ),
  upstream_scope: field(
    ADVANCED,
    'The provider’s scopes that users must have granted, as the provider spells them.',
    texts,
  ),
  upstream_tokens: field(
    ADVANCED,
    'The providers whose own tokens it may receive. Requires first_party, and a secret or jwks.',
    texts,
  ),
})

export type Registration = z.infer<typeof clientSchema>

/** How a client authenticates at our endpoints. */
export type AuthenticationMethod = NonNullable<Registration['token_endpoint_auth_method']>

/** A relying app, ready for use. */
export interface Client
  extends Omit<Registration, 'scope' | 'required_scope' | 'token_endpoint_auth_method'> {
  client_name: string
  /** The methods it may authenticate with; each request uses one of them. */
  authenticationMethods: readonly AuthenticationMethod[]
  scope: readonly string[]
  required_scope: readonly string[]
  /**
   * The origins of its redirect URIs: users may be returned there, and its pages may read the
   * session.
   */
  origins: readonly string[]
  /**
   * When it was added to the database, in seconds since 1970. What users granted before belonged to
   * another client with the same id, which was deleted. Absent if it is, or once was, in the
   * settings.
   */
  registeredAt?: number | undefined
}

export function toClient(
  { token_endpoint_auth_method: method, ...registration }: Registration,
  isDevelopment: boolean,
): Client {
  return {
    ...registration,
    client_name: registration.client_name ?? registration.client_id,
    authenticationMethods: method ? [method] : defaultMethods(registration),
    scope: registration.scope.split(' ').filter((scope) => isGrantable(scope, registration)),
    required_scope: registration.required_scope?.split(' ') ?? [],
    origins: sharedOrigins(registration.redirect_uris, isDevelopment),
  }
}

/** Without the grant type `refresh_token`, `offline_access` has no effect. */
function isGrantable(scope: string, { grant_types }: Pick<Registration, 'grant_types'>): boolean {
  return scope !== 'offline_access' || grant_types.includes('refresh_token')
}

/** Libraries differ in how they send a secret by default. */
function defaultMethods(
  registration: Pick<Registration, 'client_secrets_sha256' | 'jwks'>,
): AuthenticationMethod[] {
  if (registration.client_secrets_sha256.length > 0) {
    return ['client_secret_basic', 'client_secret_post']
  }
  return [registration.jwks ? 'private_key_jwt' : 'none']
}

/** Whether a client has no credentials, so that anyone can pose as it at our endpoints. */
export function isPublicClient({ authenticationMethods }: Client): boolean {
  return authenticationMethods.includes('none')
}

/** Whether users of a client go straight to the provider, if that is the only one. */
export function skipsSignInPage({ skip_sign_in_page, first_party }: Client): boolean {
  return skip_sign_in_page ?? first_party
}

/** Whether a client may have this id. All others are rejected before any storage is read. */
export function isClientId(id: string): boolean {
  return CLIENT_ID.test(id) && !id.startsWith(USER_ID_PREFIX)
}

/** Problems that no single field of a registration shows, or that depend on the deployment. */
export function clientProblems(
  client: Registration,
  { issuer, isDevelopment }: { issuer: string; isDevelopment: boolean },
): Problem[] {
  const { token_endpoint_auth_method: method, first_party, backchannel_logout_uri } = client
  const hasSecret = client.client_secrets_sha256.length > 0
  const hasKeys = client.jwks !== undefined
  const isConfidential = hasSecret || hasKeys
  const scope = client.scope.split(' ')
  const requiredScope = client.required_scope?.split(' ') ?? []
  const isOnLoopback = (uri: string | undefined) => uri !== undefined && isLoopback(uri)
  const checks: [field: keyof Registration, isWrong: boolean | undefined, message: string][] = [
    [
      'redirect_uris',
      client.grant_types.includes('authorization_code') && client.redirect_uris.length === 0,
      'is missing: a client that signs users in needs at least one.',
    ],
    [
      'redirect_uris',
      client.redirect_uris.some((uri) => new URL(uri).origin === issuer),
      'has an address of this service: codes are for the app alone.',
    ],
    [
      'token_endpoint_auth_method',
      method === 'none' && isConfidential,
      'is none, but the client has a secret or keys.',
    ],
    [
      'token_endpoint_auth_method',
      method?.startsWith('client_secret') && !hasSecret,
      'needs client_secrets_sha256, which is empty.',
    ],
    [
      'token_endpoint_auth_method',
      method === 'private_key_jwt' && !hasKeys,
      'needs jwks, which is missing.',
    ],
    ['jwks', hasSecret && hasKeys, 'is set next to client_secrets_sha256: remove one of them.'],
    [
      'required_scope',
      !requiredScope.every((value) => scope.includes(value)),
      'must be part of scope.',
    ],
    [
      'grant_types',
      client.grant_types.includes('client_credentials') && !isConfidential,
      'has client_credentials, but this is a public client: anyone could request tokens as this client.',
    ],
    [
      'require_pkce',
      !isConfidential && client.require_pkce === false,
      'cannot be false for a public client.',
    ],
    [
      'introspects',
      client.introspects.length > 0 && !isConfidential,
      'must be empty for a public client: anyone could introspect tokens as this client.',
    ],
    [
      'upstream_tokens',
      client.upstream_tokens.length > 0 && !(isConfidential && first_party),
      'is only for confidential first_party clients.',
    ],
    [
      'first_party',
      client.application_type === 'native' && first_party,
      'cannot be true for a native app: any program can impersonate it, and users must be asked for consent (RFC 8252 §8.6).',
    ],
    [
      'backchannel_logout_uri',
      !isDevelopment && backchannel_logout_uri?.startsWith('http:'),
      'must be https.',
    ],
    // Users' browsers load or open these.
    ...(['logo_uri', 'policy_uri', 'tos_uri'] as const).map((field): (typeof checks)[number] => [
      field,
      !isDevelopment && isOnLoopback(client[field]),
      'must not be a loopback address.',
    ]),
  ]
  return checks
    .filter(([, isWrong]) => isWrong)
    .map(([field, , message]) => ({ path: [field], code: 'invalid', message }))
}

/**
 * A public service does not share sessions with loopback pages, although a native app may redirect
 * there.
 */
export function sharedOrigins(uris: readonly string[], isDevelopment: boolean): string[] {
  const shared = uris.filter((uri) => isDevelopment || !isLoopback(uri))
  return [...new Set(shared.map((uri) => new URL(uri).origin))]
}
