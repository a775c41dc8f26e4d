import { isLoopback } from '../../foundation/values/loopback.ts'
import { needsFeature, type Problem } from '../../foundation/values/problem.ts'
import { mayRead } from '../fetch/public-url.ts'
import { CLIENT_GRANT_TYPES, type Registration } from './clients.ts'
import { hasPrivateScheme } from './redirect-uri.ts'
import type { RegisteringFeature } from './registration-part.ts'
import { hasWildcard } from './wildcard.ts'

type Check = [field: keyof Registration, isWrong: boolean | undefined, message: string]

/** The parts of the configuration that registrations depend on. */
export interface ClientContext {
  issuer: string
  isDevelopment: boolean
  features: readonly RegisteringFeature[]
}

/** Problems that no single field of a registration shows, or that depend on the deployment. */
export function clientProblems(client: Registration, context: ClientContext): Problem[] {
  const { issuer, isDevelopment, features } = context
  const { token_endpoint_auth_method: method, backchannel_logout_uri } = client
  const hasSecret = client.client_secrets_sha256.length > 0
  const hasKeys = client.jwks !== undefined || client.jwks_uri !== undefined
  const isConfidential = hasSecret || hasKeys
  const scope = client.scope.split(' ')
  const requiredScope = client.required_scope?.split(' ') ?? []
  const isOnLoopback = (uri: string | undefined) => uri !== undefined && isLoopback(uri)
  const checks: Check[] = [
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
    ...(['redirect_uris', 'post_logout_redirect_uris'] as const).map(
      (field): Check => [
        field,
        client.application_type !== 'native' && client[field].some(hasPrivateScheme),
        'has a scheme that only apps can open: set application_type = "native", or use https.',
      ],
    ),
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
      'needs jwks or jwks_uri, and has neither.',
    ],
    ...keyChecks(client, { hasSecret, isDevelopment }),
    [
      'required_scope',
      !requiredScope.every((value) => scope.includes(value)),
      'must be part of scope.',
    ],
    [
      'placeholder_email',
      client.placeholder_email && !scope.includes('email'),
      'needs email in scope, which is what it replaces.',
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
      'backchannel_logout_uri',
      !isDevelopment && backchannel_logout_uri?.startsWith('http:'),
      'must be https.',
    ],
    // Users' browsers load or open these.
    ...(['logo_uri', 'policy_uri', 'tos_uri'] as const).map(
      (field): Check => [
        field,
        !isDevelopment && isOnLoopback(client[field]),
        'must not be a loopback address.',
      ],
    ),
  ]
  return [
    ...checks
      .filter(([, isWrong]) => isWrong)
      .map(([field, , message]): Problem => ({ path: [field], code: 'invalid', message })),
    ...features.flatMap(
      ({ registrations }) => registrations?.clients?.problems?.(client, context) ?? [],
    ),
    ...grantTypeProblems(client, features),
    ...wildcardProblems(client, features),
  ]
}

/** No wildcard has an effect, unless a feature knows what it stands for. */
function wildcardProblems(
  { redirect_uris }: Registration,
  features: readonly RegisteringFeature[],
): Problem[] {
  const isKnown = features.some(({ wildcards }) => wildcards)
  if (isKnown || !redirect_uris.some(hasWildcard)) return []
  const message = `has a wildcard, which ${needsFeature('previews()')}`
  return [{ path: ['redirect_uris'], code: 'unlisted', message }]
}

/** The client cannot use a grant type of a feature that the deployment does not list. */
function grantTypeProblems(
  { grant_types }: Registration,
  features: readonly RegisteringFeature[],
): Problem[] {
  const known = [
    ...CLIENT_GRANT_TYPES,
    ...features
      .flatMap(({ grantTypes = [] }) => grantTypes)
      .filter(({ needsRegistration }) => needsRegistration)
      .map(({ name }) => name),
  ]
  const message = `must be ${known.join(' or ')}. Features such as device() add further ones.`
  return grant_types.flatMap((type, index): Problem[] =>
    known.includes(type) ? [] : [{ path: ['grant_types', index], code: 'unlisted', message }],
  )
}

function keyChecks(
  { jwks, jwks_uri }: Registration,
  { hasSecret, isDevelopment }: { hasSecret: boolean; isDevelopment: boolean },
): Check[] {
  const hasUri = jwks_uri !== undefined
  const isReadable = hasUri && mayRead(jwks_uri, isDevelopment)
  const besideSecret = 'is set next to client_secrets_sha256: remove one of them.'
  return [
    ['jwks', hasSecret && jwks !== undefined, besideSecret],
    ['jwks_uri', hasSecret && hasUri, besideSecret],
    ['jwks_uri', jwks !== undefined && hasUri, 'is set next to jwks: remove one of them.'],
    ['jwks_uri', hasUri && !isReadable, 'must be a public https URL without an IP address.'],
  ]
}

/** Options and settings that have no effect, because no feature keeps tokens of providers. */
export function unkeptTokens(
  features: readonly { id: string; keepTokens?: unknown }[],
  paths: readonly Problem['path'][],
): Problem[] {
  if (features.some(({ keepTokens }) => keepTokens)) return []
  const message = needsFeature('providerTokens()')
  return paths.map((path) => ({ path, code: 'unlisted', message }))
}
