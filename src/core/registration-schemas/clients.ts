import * as z from 'zod/mini'
import { isLoopback } from '../../foundation/values/loopback.ts'
import {
  hexColor,
  imageUri,
  onFirstUse,
  SCOPE,
  sha256,
  shortName,
  text,
  uri,
} from '../../foundation/values/schemas.ts'
import type { Api } from './apis.ts'
import type { ProvenKey } from './bound-tokens.ts'
import { jwks } from './public-keys.ts'
import { hasPrivateScheme, redirectUri } from './redirect-uri.ts'
import type { RegisteringFeature } from './registration-part.ts'
import { hasWildcard } from './wildcard.ts'

/**
 * A subset of {@link https://www.rfc-editor.org/rfc/rfc6749#section-2.2} that never needs escaping.
 */
const CLIENT_ID = /^[A-Za-z0-9._~-]{1,256}$/

/**
 * The ids of users begin with this. The `sub` of a token is a user's id or, for machines, a
 * client's.
 */
export const USER_ID_PREFIX = 'usr_'

/** The ids of clients that register themselves begin with this. Operators cannot choose them. */
export const DYNAMIC_ID_PREFIX = 'dyn'

/** The client that exists without a registration: see command-line-client.ts. */
export const COMMAND_LINE_CLIENT_ID = 'vestibule-login'

/** What `grant_types` of a client can have; features add further ones. */
export const CLIENT_GRANT_TYPES = ['authorization_code', 'refresh_token', 'client_credentials']

/** The algorithms of what we sign for clients. The first one is the default of ID tokens. */
export const SIGNING_ALGORITHMS = ['RS256', 'ES256'] as const

/** What the assertions of a client may have as `aud` (RFC 10070): the issuer, or either of them. */
export function assertionAudience() {
  return z._default(z.enum(['issuer', 'token_endpoint']), 'issuer')
}

/**
 * The schema of a relying app's registration, without the fields of features. Names are those of
 * OpenID Connect registration where one exists. docs/reference.md describes the fields.
 */
export const clientSchema = onFirstUse(() => {
  const signingAlgorithm = z.enum(SIGNING_ALGORITHMS)
  const scopeList = text([
    (list) => list.split(' ').every((scope) => SCOPE.test(scope)),
    'must be a list of scopes separated by spaces.',
  ])
  const uris = z.array(uri)
  return z.strictObject({
    client_name: z.optional(shortName),
    client_id: text(
      [(id) => CLIENT_ID.test(id), 'may only contain letters, digits and . _ ~ -'],
      [(id) => !id.startsWith(USER_ID_PREFIX), 'must not begin with usr_, like the id of a user.'],
      [
        (id) => !id.startsWith(`${DYNAMIC_ID_PREFIX}_`),
        'must not begin with dyn_, like the id of a client that has registered itself.',
      ],
      [(id) => id !== COMMAND_LINE_CLIENT_ID, 'is the id of the client of `vestibule-auth login`.'],
    ),
    logo_uri: z.optional(imageUri),
    brand_color: z.optional(hexColor),
    policy_uri: z.optional(uri),
    tos_uri: z.optional(uri),

    redirect_uris: z._default(
      z
        .array(redirectUri, 'must be a list of addresses.')
        .check(z.refine((uris) => uris.length > 0, 'is empty.')),
      [],
    ),
    post_logout_redirect_uris: z._default(z.array(redirectUri), []),
    backchannel_logout_uri: z.optional(uri),

    application_type: z._default(z.enum(['web', 'native']), 'web'),
    token_endpoint_auth_method: z.optional(
      z.enum(['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt']),
    ),
    jwks: z.optional(jwks),
    jwks_uri: z.optional(uri),
    /** Several can be valid, so that one can be replaced. */
    client_secrets_sha256: z._default(z.array(sha256), []),

    first_party: z._default(z.boolean(), false),
    scope: z._default(scopeList, 'openid profile email offline_access'),
    required_scope: z.optional(scopeList),
    resources: z._default(uris, []),

    grant_types: z._default(
      z.array(z.string()).check(z.refine((types) => types.length > 0, 'is empty.')),
      ['authorization_code', 'refresh_token'],
    ),
    client_assertion_audience: assertionAudience(),
    skip_sign_in_page: z.optional(z.boolean()),
    require_pkce: z.optional(z.boolean()),
    id_token_claims: z._default(z.enum(['minimal', 'full']), 'full'),
    id_token_signed_response_alg: z._default(signingAlgorithm, 'RS256'),
    userinfo_signed_response_alg: z.optional(signingAlgorithm),
    placeholder_email: z._default(z.boolean(), false),
    introspects: z._default(uris, []),
    upstream_scope: z._default(z.array(text()), []),
  })
})

export type Registration = z.infer<ReturnType<typeof clientSchema>>

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
  /**
   * When its registration was last changed, in seconds since 1970. Absent if only a deployment can
   * change it, infinite if that is not known.
   */
  updatedAt?: number | undefined
  /** Present if no operator has registered it, so that nobody vouches for it. */
  unregistered?: UnregisteredFacts | undefined
  /** The algorithms that it may sign assertions with, if not all. */
  assertionAlgorithms?: readonly string[] | undefined
}

/** What the feature that finds unregistered clients knows of one. No registration can have its id. */
export interface UnregisteredFacts {
  /** The scopes that it may have at an API; undefined: it has no access. */
  scopesAt(api: Api): readonly string[] | undefined
  /**
   * Since when its redirect URIs, keys, name and scopes are what they are, in seconds since 1970.
   * Users who gave their consent before are asked again.
   */
  changedAt: number
}

/** A consent to what a client was before this time does not count. */
export function clientSince({ unregistered, registeredAt }: Client): number | undefined {
  return unregistered?.changedAt ?? registeredAt
}

/** A client that has authenticated, or is public. */
export interface AuthenticatedClient extends Client {
  /** Names the secret or key that it used; see `credentialIds`. Absent for a public client. */
  credentialId?: string | undefined
  /** The key to which the tokens of this request are bound, if a feature binds them. */
  key?: ProvenKey | undefined
}

/** What the service needs of a registration, with what follows from the fields of features. */
export function toClient(
  registration: Registration,
  { isDevelopment, features }: { isDevelopment: boolean; features: readonly RegisteringFeature[] },
): Client {
  const { token_endpoint_auth_method: method, ...fields } = registration
  return {
    ...fields,
    ...Object.assign(
      {},
      ...features.map(({ registrations }) => registrations?.clients?.imply?.(registration)),
    ),
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
  registration: Pick<Registration, 'client_secrets_sha256' | 'jwks' | 'jwks_uri'>,
): AuthenticationMethod[] {
  if (registration.client_secrets_sha256.length > 0) {
    return ['client_secret_basic', 'client_secret_post']
  }
  return [registration.jwks || registration.jwks_uri ? 'private_key_jwt' : 'none']
}

/** Whether a client has no credentials, so that anyone can pose as it at our endpoints. */
export function isPublicClient({ authenticationMethods }: Client): boolean {
  return authenticationMethods.includes('none')
}

/** Whether a client is a native app of the operator's own, which another program can pose as. */
export function isOwnNativeClient({ first_party, application_type }: Client): boolean {
  return first_party && application_type === 'native'
}

/** Whether users of a client go straight to the provider, if that is the only one. */
export function skipsSignInPage({ skip_sign_in_page, first_party }: Client): boolean {
  return skip_sign_in_page ?? first_party
}

/** Whether an operator may have registered a client with this id. */
export function isClientId(id: string): boolean {
  const isReserved = [USER_ID_PREFIX, `${DYNAMIC_ID_PREFIX}_`].some((prefix) =>
    id.startsWith(prefix),
  )
  return CLIENT_ID.test(id) && !isReserved && id !== COMMAND_LINE_CLIENT_ID
}

/** Whether a client with this id is unregistered. No registration can have such an id. */
export function isUnregisteredId(clientId: string): boolean {
  return URL.canParse(clientId) || clientId.startsWith(`${DYNAMIC_ID_PREFIX}_`)
}

/**
 * A public service does not share sessions with loopback pages, although a native app may redirect
 * there. Schemes of apps have no origin.
 */
export function sharedOrigins(uris: readonly string[], isDevelopment: boolean): string[] {
  const shared = uris.filter(
    (uri) => !hasPrivateScheme(uri) && !hasWildcard(uri) && (isDevelopment || !isLoopback(uri)),
  )
  return [...new Set(shared.map((uri) => new URL(uri).origin))]
}
