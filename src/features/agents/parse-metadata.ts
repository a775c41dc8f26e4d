import * as z from 'zod/mini'
import { invalid, type MetadataFailure } from '../../core/client-metadata/client-metadata-error.ts'
import { parseKeys } from '../../core/client-metadata/parse-keys.ts'
import { isHostName, mayRead } from '../../core/fetch/public-url.ts'
import { type Client, SIGNING_ALGORITHMS } from '../../core/registration-schemas/clients.ts'
import type { Jwks } from '../../core/registration-schemas/public-keys.ts'
import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import { isLoopback } from '../../foundation/values/loopback.ts'
import { formatProblem, validate } from '../../foundation/values/problem.ts'
import { shortName, text, uri } from '../../foundation/values/schemas.ts'

/** The metadata of an unregistered client (RFC 7591 §2), as far as they are used. */
export interface ClientMetadata
  extends Pick<Client, 'client_name' | 'redirect_uris' | 'application_type'> {
  /** Whether it may have `offline_access`. */
  usesRefreshTokens: boolean
  /** Documents cannot contain a secret; a client that registers itself gets one. */
  authenticationMethod: 'none' | 'private_key_jwt' | 'client_secret_basic' | 'client_secret_post'
  scope: string | undefined
  jwks: Jwks | undefined
  jwks_uri: string | undefined
  /** Absent if it does not choose one. Older records have neither. */
  id_token_signed_response_alg?: Client['id_token_signed_response_alg'] | undefined
  userinfo_signed_response_alg?: Client['userinfo_signed_response_alg']
  /** Whether it uses a key, if a feature binds tokens to keys. */
  dpop_bound_access_tokens?: boolean | undefined
}

/** Created on first use, because most isolates need none. Members that are not used are ignored. */
function createSchemas() {
  const texts = z.optional(z.array(z.string()))
  // The default replaces an algorithm that we do not support (RFC 7591 §2).
  const algorithm = z.catch(z.optional(z.enum(SIGNING_ALGORITHMS)), undefined)
  const common = z.object({
    client_name: z.optional(shortName),
    redirect_uris: z.array(z.string()),
    application_type: z.optional(z.string()),
    grant_types: texts,
    scope: z.optional(z.string()),
    token_endpoint_auth_methods_supported: texts,
    jwks: z.optional(z.unknown()),
    jwks_uri: z.optional(uri),
    id_token_signed_response_alg: algorithm,
    userinfo_signed_response_alg: algorithm,
    dpop_bound_access_tokens: z.optional(z.boolean()),
  })
  const includes = (value: string) =>
    z.refine<string[]>((values) => values.includes(value), `must include ${value}.`)
  const registration = z.extend(common, {
    grant_types: z.optional(z.array(z.string()).check(includes('authorization_code'))),
    response_types: z.optional(z.array(z.string()).check(includes('code'))),
    token_endpoint_auth_method: z._default(z.string(), 'client_secret_basic'),
  })
  const document = z.extend(common, {
    client_id: z.string(),
    token_endpoint_auth_method: z.optional(
      text([
        (method) => !/^client_secret/.test(method),
        'must be none or private_key_jwt, because there is no shared secret.',
      ]),
    ),
    client_secret: z.optional(z.never('must not be published.')),
    client_secret_expires_at: z.optional(z.never('is only for a client with a secret.')),
  })
  return { common, registration, document }
}

let schemas: ReturnType<typeof createSchemas> | undefined

/** Validates a client ID metadata document (draft-ietf-oauth-client-id-metadata-document §4). */
export function parseMetadata(
  json: unknown,
  { clientId, issuer }: { clientId: string; issuer: string },
): ClientMetadata | MetadataFailure {
  schemas ??= createSchemas()
  const { data, problems } = validate(schemas.document, json)
  if (!data) return invalid(clientId, problems.map(formatProblem).join(' '))
  // Compared as texts: https://example.com/a is not https://example.com:443/a.
  if (data.client_id !== clientId) return invalid(clientId, 'client_id is not this URL.')
  const authenticationMethod = chooseMethod(data)
  if (!authenticationMethod) {
    return invalid(clientId, 'The client must use none, or private_key_jwt with jwks or jwks_uri.')
  }
  const { host } = new URL(clientId)
  return toMetadata(data, { source: clientId, host, issuer, authenticationMethod })
}

/**
 * Validates what a client registers about itself (RFC 7591 §2). Throws the errors of RFC 7591
 * §3.2.2.
 */
export function parseRegistrationRequest(
  json: unknown,
  { issuer, isDevelopment }: { issuer: string; isDevelopment: boolean },
): ClientMetadata {
  schemas ??= createSchemas()
  const { data, problems } = validate(schemas.registration, json)
  if (!data) {
    const isAboutUris = problems.every(({ path }) => path[0] === 'redirect_uris')
    throw rejected(
      isAboutUris ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      problems.map(formatProblem).join(' '),
    )
  }
  const [redirectUri] = usableUris(data.redirect_uris, issuer)
  if (redirectUri === undefined) {
    const text = 'redirect_uris must contain an https URL, or http on loopback.'
    throw rejected('invalid_redirect_uri', text)
  }
  if (data.jwks_uri && !mayRead(data.jwks_uri, isDevelopment)) {
    throw rejected('invalid_client_metadata', 'jwks_uri must be a public https URL.')
  }
  const authenticationMethod = isSecretMethod(data.token_endpoint_auth_method)
    ? data.token_endpoint_auth_method
    : chooseMethod(data)
  if (!authenticationMethod) {
    const text = 'token_endpoint_auth_method is not supported, or the keys for it are missing.'
    throw rejected('invalid_client_metadata', text)
  }
  const { host } = new URL(redirectUri)
  const source = 'The registration'
  const metadata = toMetadata(data, { source, host, issuer, authenticationMethod })
  if ('reason' in metadata) throw rejected('invalid_client_metadata', metadata.detail)
  return metadata
}

/** What a document and a registration have in common. */
function toMetadata(
  data: z.infer<ReturnType<typeof createSchemas>['common']>,
  {
    source,
    host,
    issuer,
    authenticationMethod,
  }: {
    source: string
    host: string
    issuer: string
    authenticationMethod: ClientMetadata['authenticationMethod']
  },
): ClientMetadata | MetadataFailure {
  const redirect_uris = usableUris(data.redirect_uris, issuer)
  if (redirect_uris.length === 0) return invalid(source, 'No redirect URI can be used.')
  const jwks = data.jwks === undefined ? undefined : parseKeys(data.jwks, source)
  if (jwks && 'reason' in jwks) return jwks
  const isNative = data.application_type === 'native' || redirect_uris.some(isLoopback)
  return {
    client_name: data.client_name ?? host,
    redirect_uris,
    // Any program on the user's machine can receive a code on loopback.
    application_type: isNative ? 'native' : 'web',
    usesRefreshTokens: data.grant_types?.includes('refresh_token') ?? true,
    authenticationMethod,
    scope: data.scope,
    jwks,
    jwks_uri: jwks ? undefined : data.jwks_uri,
    id_token_signed_response_alg: data.id_token_signed_response_alg,
    userinfo_signed_response_alg: data.userinfo_signed_response_alg,
    dpop_bound_access_tokens: data.dpop_bound_access_tokens,
  }
}

/** Changes of these require a new consent. */
export function consentedPart(metadata: ClientMetadata): string {
  const { client_name, redirect_uris, authenticationMethod, scope, jwks, jwks_uri } = metadata
  const uris = redirect_uris.toSorted()
  return JSON.stringify([client_name, uris, authenticationMethod, scope, jwks, jwks_uri])
}

/**
 * The addresses of the app, and not of this service. Operators can block each of their hosts: a
 * name without a dot at its end, or loopback.
 */
function usableUris(redirectUris: readonly string[], issuer: string): string[] {
  return redirectUris.filter((redirectUri) => {
    if (!uri.safeParse(redirectUri).success) return false
    const { origin, hostname } = new URL(redirectUri)
    return origin !== issuer && (isLoopback(redirectUri) || isHostName(hostname))
  })
}

/**
 * The strongest method that both sides support, if the client lists several (OpenID Connect Relying
 * Party Metadata Choices).
 */
function chooseMethod({
  token_endpoint_auth_method: method,
  token_endpoint_auth_methods_supported: methods = [],
  jwks,
  jwks_uri,
}: {
  token_endpoint_auth_method?: string | undefined
  token_endpoint_auth_methods_supported?: string[] | undefined
  jwks?: unknown
  jwks_uri?: string | undefined
}): 'none' | 'private_key_jwt' | undefined {
  const hasKeys = (jwks ?? jwks_uri) !== undefined
  const listed = method === undefined ? methods : [method, ...methods]
  const [isKeyListed, isNoneListed] =
    listed.length > 0
      ? [listed.includes('private_key_jwt'), listed.includes('none')]
      : [hasKeys, !hasKeys]
  if (isKeyListed && hasKeys) return 'private_key_jwt'
  // A client that requires its keys must not become a public one.
  return isNoneListed && method !== 'private_key_jwt' ? 'none' : undefined
}

const SECRET_METHODS = ['client_secret_basic', 'client_secret_post'] as const

export function isSecretMethod(method: string): method is (typeof SECRET_METHODS)[number] {
  return SECRET_METHODS.some((known) => known === method)
}

export const ERRORS = ['invalid_redirect_uri', 'invalid_client_metadata'] as const

type MetadataError = (typeof ERRORS)[number]

function rejected(code: MetadataError, text: string): OAuthError<MetadataError> {
  return new OAuthError<MetadataError>(code, text)
}
