import { createHash } from 'node:crypto'
import { importJWK, type JWK } from 'jose'
import { unknownScopes } from '../../src/administration/unknown-scopes.ts'
import type { Config } from '../../src/core/config/config.ts'
import { settingName } from '../../src/core/config/providers.ts'
import { isPublicUrl } from '../../src/core/fetch/public-url.ts'
import { type Api, serviceApis } from '../../src/core/registration-schemas/apis.ts'
import { type Client, isOwnNativeClient } from '../../src/core/registration-schemas/clients.ts'
import { hasWildcard, wildcardOf } from '../../src/core/registration-schemas/wildcard.ts'
import { enabledProviders, hasScope } from '../../src/core/upstream/enabled-providers.ts'
import { unregisteredScopes } from '../../src/features/agents/registration-fields.ts'
import { readClientFields } from '../../src/features/provider-tokens/registration-fields.ts'
import { isFapi2 } from '../../src/features/sender-constrained/fapi2.ts'
import { objectsIn, parseJson } from '../../src/foundation/values/json.ts'
import { isLoopback } from '../../src/foundation/values/loopback.ts'
import { nearestName } from '../../src/foundation/values/nearest-name.ts'
import { type Diagnosis, type Finding, goodOrProblems, problem, warning } from '../finding.ts'

const NAME = 'clients'

/** The most that Cloudflare accepts as the value of one variable. */
const MAX_VARIABLE_SIZE = 5 * 1024 // bytes

/** From this size on, a few more clients would not fit. */
const LARGE_VARIABLE_SIZE = 4 * 1024 // bytes

/** The variables with registrations, and how they become smaller. */
const VARIABLES = {
  CLIENTS:
    'Run `npx vestibule-auth clients move`, which copies clients to the database and prints what to remove from wrangler.toml.',
  APIS: 'Register some of the APIs with `npx vestibule-auth apis add`, which stores them in the database, and remove them from APIS.',
}

/** Checks registrations that are valid, but do not work as their operator expects. */
export async function checkClients(
  config: Config,
  settings: Record<string, unknown>,
): Promise<Finding[]> {
  const { clients } = config
  const keys = await Promise.all(clients.map(diagnoseKeys))
  return [
    ...goodOrProblems(
      NAME,
      clients.flatMap((client, index) => [
        ...(keys[index] ?? []),
        ...diagnoseSecrets(client),
        ...diagnoseWildcards(client),
        ...diagnoseResources(config, client),
        ...diagnoseProviderTokens(config, client),
        ...diagnoseAddresses(config, client),
        ...diagnoseFapi2(config, client),
        ...diagnoseGrantTypes(config, client),
        ...diagnoseScope(registeredScope(settings, client), client),
        ...diagnoseLogoutNotification(config, client),
      ]),
      String(clients.length),
    ),
    ...clients.flatMap((client) => [
      ...warnAboutLoopback(config, client),
      ...warnAboutOtherSites(config, client),
      ...warnAboutUnknownScopes(config, client),
      ...warnAboutApiScopes(config, client),
      ...warnAboutLogoutAddresses(client),
      ...warnAboutMissingResources(config, client),
      ...warnAboutNativeSecret(client),
      ...warnAboutSharedOrigins(config, client),
    ]),
    ...config.apis.flatMap((api) => [
      ...warnAboutUnknownClients(config, api),
      ...warnAboutUnreachableScopes(config, api),
    ]),
    ...checkSize(settings),
  ]
}

/** The schema of the settings does not calculate, so it does not know whether a key exists. */
async function diagnoseKeys({ client_id, jwks }: Client): Promise<Diagnosis[]> {
  const keys = jwks?.keys ?? []
  const areKeys = await Promise.all(keys.map((key) => isKey(key as JWK)))
  return areKeys.flatMap((isValid, index) =>
    isValid
      ? []
      : {
          what: `The client ${client_id} has a key in jwks.keys.${index} that does not exist: its numbers are not those of a key.`,
          why: 'The client cannot authenticate with it.',
          fix: 'Copy the public key again, completely.',
        },
  )
}

async function isKey(jwk: JWK): Promise<boolean> {
  const alg = { RSA: 'RS256', EC: 'ES256', OKP: 'EdDSA' }[String(jwk.kty)]
  return importJWK(jwk, alg).then(
    () => true,
    () => false,
  )
}

/** What people enter for a secret that they mean to replace, and names of variables in quotes. */
const COMMON_SECRETS = [
  ...['secret', 'client_secret', 'clientsecret', 'client-secret', 'my-secret', 'mysecret'],
  ...['supersecret', 'super-secret', 'topsecret', 's3cret', 'password', 'passw0rd', 'pass'],
  ...['changeme', 'change-me', 'change_me', 'changeit', 'replaceme', 'replace-me', 'todo', 'xxx'],
  ...['test', 'testing', 'test-secret', 'example', 'sample', 'demo', 'dummy', 'foo', 'bar', 'abc'],
  ...['dev', 'development', 'local', 'localhost', 'admin', 'root', 'user', 'login', 'hello'],
  ...['qwerty', 'letmein', 'abc123', '0', '1', '123', '1234', '12345', '123456', '12345678'],
  ...['123456789', '1234567890', '111111', '000000', 'password123', 'secret123', 'x', 'a'],
  ...['undefined', 'null', 'none', 'empty', 'true', 'false', '...', '…', '-n ', ' ', '""', "''"],
  ...['$SECRET', '$CLIENT_SECRET', '%SECRET%', '%CLIENT_SECRET%', '$env:SECRET'],
]

/** Secrets that anyone would guess. That of an empty one is reported with the settings. */
function diagnoseSecrets(client: Client): Diagnosis[] {
  const { client_id, client_name, client_secrets_sha256: digests } = client
  const words = [...COMMON_SECRETS, client_id, client_name]
    .flatMap((word) => [
      word,
      word.toUpperCase(),
      word.replace(/^./, (first) => first.toUpperCase()),
    ])
    .flatMap((word) => [word, `${word}\n`])
  const guessed = new Set(words.map(digestOf))
  return digests.flatMap((digest, index) =>
    guessed.has(digest)
      ? {
          what: `The client ${client_id} has a secret that anyone would guess: client_secrets_sha256.${index} is the digest of a common word.`,
          why: 'Whoever guesses it gets tokens as the app.',
          fix: 'Create a secret with `openssl rand -base64 32`, change the app to it, and enter its SHA-256 instead.',
        }
      : [],
  )
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** URLs of APIs that differ from a registered one by a slash at the end. */
function diagnoseResources({ apis }: Config, client: Client): Diagnosis[] {
  const withoutSlash = (url: string) => url.replace(/\/$/, '')
  return (['resources', 'introspects'] as const).flatMap((field) =>
    client[field].flatMap((resource) => {
      if (apis.some(({ identifier }) => identifier === resource)) return []
      const meant = apis.find(
        ({ identifier }) => withoutSlash(identifier) === withoutSlash(resource),
      )
      if (!meant) return []
      return {
        what: `The client ${client.client_id} has ${resource} in ${field}, but the API is ${meant.identifier}.`,
        why: 'These are two APIs: URLs are compared exactly. Nothing that is registered for the API applies to the other one.',
        fix: `Enter ${meant.identifier}.`,
      }
    }),
  )
}

/** Those of redirect URIs are reported with the settings. */
function diagnoseWildcards(client: Client): Diagnosis[] {
  return client.post_logout_redirect_uris
    .filter((uri) => hasWildcard(uri) && uri !== wildcardOf(client))
    .map((uri) => ({
      what: `The client ${client.client_id} has a wildcard in post_logout_redirect_uris: ${uri}.`,
      why: 'Only the wildcard that redirect_uris has for previews works there, too. This one matches no request.',
      fix: 'List every address, or the wildcard of redirect_uris.',
    }))
}

/** Names that nobody can register (RFC 2606): addresses with them come from an example. */
const EXAMPLE_HOST = /(^|\.)(example|invalid|test|example\.(com|net|org))$/

/** Addresses of a public service that no user can reach. */
function diagnoseAddresses({ isDevelopment }: Config, client: Client): Diagnosis[] {
  if (isDevelopment) return []
  const { client_id, redirect_uris, application_type } = client
  const example = redirect_uris.find((uri) => EXAMPLE_HOST.test(URL.parse(uri)?.hostname ?? ''))
  if (example !== undefined) {
    return [
      {
        what: `The client ${client_id} has the example address ${example}.`,
        why: 'Users cannot be returned there.',
        fix: 'Enter the address of the app, or remove the client.',
      },
    ]
  }
  if (application_type === 'native' || redirect_uris.length === 0) return []
  if (!redirect_uris.every(isLoopback)) return []
  return [
    {
      what: `The client ${client_id} has only loopback addresses, such as ${redirect_uris[0]}.`,
      why: 'It works only on the computer of its developer, but the service is public.',
      fix: 'Enter the address of the app, remove the client, or set application_type = "native" for an app that runs on the computers of its users.',
    },
  ]
}

/** A loopback address next to others, which was needed during development. */
function warnAboutLoopback({ isDevelopment }: Config, client: Client): Finding[] {
  const { client_id, redirect_uris, application_type } = client
  const loopback = redirect_uris.find(isLoopback)
  if (isDevelopment || application_type === 'native' || loopback === undefined) return []
  // Otherwise this is a problem, which is reported above.
  if (redirect_uris.every(isLoopback)) return []
  return [
    warning(NAME, {
      what: `The client ${client_id} has the loopback address ${loopback} next to others.`,
      why: 'Any program on a computer of a user can receive codes there.',
      fix: 'Remove the address, and register another client for development.',
    }),
  ]
}

function diagnoseProviderTokens({ providers }: Config, client: Client): Diagnosis[] {
  return readClientFields(client).upstream_tokens.flatMap((id) => {
    const provider = providers.find((candidate) => candidate.id === id)
    if (!provider) {
      const enabled = providers.map((candidate) => candidate.id).join(', ')
      return [
        {
          what: `The client ${client.client_id} has ${id} in upstream_tokens, but no such provider is enabled.`,
          why: 'Every request for its tokens would be rejected.',
          fix: `Correct upstream_tokens: the enabled providers are ${enabled}.`,
        },
      ]
    }
    if (provider.keepsTokens || provider.account !== undefined) return []
    return [
      {
        what: `The client ${client.client_id} has ${id} in upstream_tokens, but the tokens of ${id} are not kept.`,
        why: 'Every request for them would be rejected.',
        fix: `Set ${settingName(id, 'TOKENS')} to keep, or remove ${id} from upstream_tokens.`,
      },
    ]
  })
}

/** What else its profile requires is reported with the settings. */
function diagnoseFapi2({ apis }: Config, client: Client): Diagnosis[] {
  const { client_id, resources } = client
  if (!isFapi2(client)) return []
  return apis
    .filter((api) => api.access_token_signing_alg === 'RS256' && resources.includes(api.identifier))
    .map(({ identifier }) => ({
      what: `The client ${client_id} has the profile fapi2, but tokens for ${identifier} are signed with RS256.`,
      why: 'FAPI 2.0 does not allow RS256, so that the client gets no tokens for this API.',
      fix: 'Remove access_token_signing_alg from the API once it accepts ES256, or the API from resources of the client.',
    }))
}

function warnAboutOtherSites({ issuer, isDevelopment }: Config, client: Client): Finding[] {
  if (isDevelopment || !client.first_party || isOwnNativeClient(client)) return []
  const site = siteOf(issuer)
  return client.origins
    .filter((origin) => siteOf(origin) !== site)
    .map((origin) =>
      warning(NAME, {
        what: `The client ${client.client_id} is first_party, but ${origin} is another site than ${issuer}.`,
        why: 'Browsers do not send the session cookie there, so its pages cannot call /api/auth/session. Signing in by OpenID Connect works, without asking users for consent.',
        fix: `Serve the app below ${site}, or let it sign users in by OpenID Connect. Remove first_party unless the app is your own.`,
      }),
    )
}

/** Suffixes under which anyone can have a name: a site is one label longer. */
const SHARED_SUFFIXES = ['workers.dev', 'pages.dev', 'vercel.app', 'netlify.app', 'github.io']

/**
 * The registrable domain, approximately: registries such as co.uk need one label more, so that some
 * pairs of different sites are not recognized.
 */
function siteOf(address: string): string {
  const { hostname } = new URL(address)
  if (isLoopback(address)) return hostname
  const isShared = SHARED_SUFFIXES.some((suffix) => hostname.endsWith(`.${suffix}`))
  return hostname
    .split('.')
    .slice(isShared ? -3 : -2)
    .join('.')
}

function warnAboutUnknownScopes(config: Config, client: Client): Finding[] {
  const isKnown = (scope: string) =>
    enabledProviders(config).some((provider) => hasScope(provider, scope))
  return client.upstream_scope
    .filter((scope) => !isKnown(scope))
    .map((scope) =>
      warning(NAME, {
        what: `The client ${client.client_id} requires the scope ${scope}, which no enabled provider requests or is known to have.`,
        why: 'If no provider grants it, nobody can use this client.',
        fix: 'Correct upstream_scope of the client, or list the scope in knownScopes of the provider.',
      }),
    )
}

/** What a client that acts for itself, or whose users stay signed in, needs besides its grant type. */
function diagnoseGrantTypes({ apis }: Config, client: Client): Diagnosis[] {
  const { client_id, grant_types, resources } = client
  if (grant_types.every((type) => type === 'refresh_token')) {
    return [
      {
        what: `The client ${client_id} has only refresh_token in grant_types.`,
        why: 'It can get no first token: a refresh token follows from another grant.',
        fix: 'Add authorization_code for an app that signs users in, or enter client_credentials alone for one that acts for itself.',
      },
    ]
  }
  if (!grant_types.includes('client_credentials')) return []
  const listing = apis.filter(
    (api) => resources.includes(api.identifier) || api.clients.includes(client_id),
  )
  const other = resources.find((uri) => !apis.some(({ identifier }) => identifier === uri))
  const isKnown = listing.length > 0 && other === undefined
  if (!isKnown || listing.some((api) => api.client_credentials)) return []
  return [
    {
      what: `The client ${client_id} has client_credentials, but ${listing.map(({ identifier }) => identifier).join(', ')} does not accept them.`,
      why: 'It gets no tokens of its own.',
      fix: 'Set client_credentials = true in the table of the API, or remove client_credentials from grant_types.',
    },
  ]
}

/** APIs in the database can list a client, too. */
function warnAboutMissingResources({ apis }: Config, client: Client): Finding[] {
  const { client_id, grant_types, resources } = client
  const isListed = apis.some((api) => api.clients.includes(client_id))
  if (!grant_types.includes('client_credentials') || resources.length > 0 || isListed) return []
  return [
    warning(NAME, {
      what: `The client ${client_id} has client_credentials, but no resources.`,
      why: 'Unless an API in the database lists it among its clients, it gets no tokens of its own.',
      fix: 'Enter the identifiers of its APIs in resources, or remove client_credentials from grant_types.',
    }),
  ]
}

/** The scope as it was entered. A client has only what it can be granted. */
function registeredScope(settings: Record<string, unknown>, { client_id }: Client): string[] {
  const { CLIENTS: value } = settings
  const list = objectsIn(typeof value === 'string' ? parseJson(value) : value)
  const scope = list.find((entry) => entry['client_id'] === client_id)?.['scope']
  return typeof scope === 'string' ? scope.split(' ') : []
}

function diagnoseScope(scope: readonly string[], client: Client): Diagnosis[] {
  const { client_id, grant_types } = client
  const joined = scope.find((value) => value.includes(','))
  if (joined !== undefined) {
    return [
      {
        what: `The client ${client_id} has the scope ${joined}: a comma is part of the name of a scope.`,
        why: 'No token will contain it.',
        fix: `Separate scopes by spaces: ${joined.split(',').filter(Boolean).join(' ')}.`,
      },
    ]
  }
  if (!scope.includes('offline_access') || grant_types.includes('refresh_token')) return []
  return [
    {
      what: `The client ${client_id} has offline_access in scope, but not refresh_token in grant_types.`,
      why: 'It gets no refresh tokens: its users have to sign in again when an access token has expired.',
      fix: 'Add refresh_token to grant_types, or remove offline_access from scope.',
    },
  ]
}

/** Cloudflare sends the notification, from outside every private network. */
function diagnoseLogoutNotification({ isDevelopment }: Config, client: Client): Diagnosis[] {
  const { client_id, backchannel_logout_uri: uri } = client
  if (isDevelopment || uri === undefined || isPublicUrl(uri)) return []
  return [
    {
      what: `The client ${client_id} has ${uri} as backchannel_logout_uri, which is not a public address.`,
      why: 'The service cannot reach it, and the app would not learn of sign-outs.',
      fix: 'Enter an https URL with a public name, or let the app read the revocation feed.',
    },
  ]
}

function warnAboutNativeSecret(client: Client): Finding[] {
  const { client_id, application_type, client_secrets_sha256, jwks } = client
  if (application_type !== 'native' || (client_secrets_sha256.length === 0 && !jwks)) return []
  return [
    warning(NAME, {
      what: `The client ${client_id} is native, and has ${jwks ? 'a key' : 'a secret'}.`,
      why: 'Everyone who has the app can read what is in it, and pose as the app.',
      fix: `Remove ${jwks ? 'jwks' : 'client_secrets_sha256'}: PKCE protects native apps. If only a server of yours has it, ignore this.`,
    }),
  ]
}

/** The session endpoint knows apps by their origin only. */
function warnAboutSharedOrigins({ clients }: Config, client: Client): Finding[] {
  if (!client.first_party) return []
  const others = clients.slice(clients.indexOf(client) + 1).filter((other) => other.first_party)
  return others.flatMap((other) => {
    const origin = client.origins.find((candidate) => other.origins.includes(candidate))
    if (origin === undefined) return []
    return warning(NAME, {
      what: `The clients ${client.client_id} and ${other.client_id} are first_party at the same origin, ${origin}.`,
      why: 'Pages there cannot be told apart: what one app may do, the other may do, too.',
      fix: 'Register one client for the origin, or give each app an origin of its own.',
    })
  })
}

/** Clients in the database are not known here. */
function warnAboutUnknownClients({ clients, disabledClients }: Config, api: Api): Finding[] {
  const ids = [...clients.map(({ client_id }) => client_id), ...disabledClients]
  return api.clients
    .filter((id) => !ids.includes(id))
    .map((id) => {
      const meant = nearestName(id, ids)
      return warning(NAME, {
        what: `The API ${api.identifier} lists the client ${id}, which is not in the settings.`,
        why: 'Unless it is in the database, the entry has no effect.',
        fix: meant
          ? `Enter ${meant}, if it is meant.`
          : 'Correct clients of the API, or ignore this if the client is in the database.',
      })
    })
}

/** If only clients in the database use the API, nothing is known. */
function warnAboutUnreachableScopes({ clients }: Config, api: Api): Finding[] {
  const { identifier } = api
  const users = clients.filter(
    ({ client_id, resources }) => resources.includes(identifier) || api.clients.includes(client_id),
  )
  if (users.length === 0) return []
  const reachable = [...users.flatMap(({ scope }) => scope), ...(unregisteredScopes(api) ?? [])]
  return api.scopes
    .filter(({ name }) => !reachable.includes(name))
    .map(({ name }) =>
      warning(NAME, {
        what: `The API ${identifier} has the scope ${name}, which no client in the settings can get.`,
        why: 'Unless a client in the database has it, no token will contain it.',
        fix: `Add ${name} to scope of a client that has the API in resources, or remove the scope.`,
      }),
    )
}

/** APIs in the database have further scopes. */
function warnAboutApiScopes(config: Config, client: Client): Finding[] {
  const apis = [...config.apis, ...serviceApis(config)]
  const known = apis.flatMap(({ scopes }) => scopes.map(({ name }) => name))
  // A comma is reported above.
  const unknown = unknownScopes(client.scope.join(' '), apis).filter((name) => !name.includes(','))
  return unknown.map((scope) =>
    warning(NAME, {
      what: `The client ${client.client_id} has the scope ${scope}, which no API in the settings has.`,
      why: 'Unless an API in the database has it, no token will contain it.',
      fix: `Correct scope of the client, or add the scope to an API: ${known.join(', ')} exist.`,
    }),
  )
}

function warnAboutLogoutAddresses(client: Client): Finding[] {
  const { client_id, redirect_uris, post_logout_redirect_uris } = client
  const origins = redirect_uris.map((uri) => URL.parse(uri)?.origin)
  return post_logout_redirect_uris
    .filter((uri) => !hasWildcard(uri) && !origins.includes(URL.parse(uri)?.origin))
    .map((uri) =>
      warning(NAME, {
        what: `The client ${client_id} returns users to ${uri} after signing out, which is at another origin than its redirect_uris.`,
        why: 'If the address is a mistake, users end up at a foreign site.',
        fix: 'Nothing, if the address is yours. Otherwise correct post_logout_redirect_uris.',
      }),
    )
}

function checkSize(settings: Record<string, unknown>): Finding[] {
  return Object.entries(VARIABLES).flatMap(([name, fix]) => {
    const value = settings[name]
    const size = Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value ?? []))
    if (size < LARGE_VARIABLE_SIZE) return []
    const isTooLarge = size > MAX_VARIABLE_SIZE
    const diagnosis = {
      what: `${name} has ${size} bytes; Cloudflare accepts at most ${MAX_VARIABLE_SIZE} in one variable.`,
      why: isTooLarge ? 'The deployment would be rejected.' : 'A few more entries would not fit.',
      fix,
    }
    return [isTooLarge ? problem(NAME, diagnosis) : warning(NAME, diagnosis)]
  })
}
