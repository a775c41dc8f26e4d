import { createHash } from 'node:crypto'
import { importJWK, type JWK } from 'jose'
import { unknownScopes } from '../../src/administration/unknown-scopes.ts'
import type { Config } from '../../src/core/config/config.ts'
import { settingName } from '../../src/core/config/providers.ts'
import { serviceApis } from '../../src/core/registration-schemas/apis.ts'
import { type Client, isOwnNativeClient } from '../../src/core/registration-schemas/clients.ts'
import { hasWildcard, wildcardOf } from '../../src/core/registration-schemas/wildcard.ts'
import { enabledProviders, hasScope } from '../../src/core/upstream/enabled-providers.ts'
import { readClientFields } from '../../src/features/provider-tokens/registration-fields.ts'
import { isFapi2 } from '../../src/features/sender-constrained/fapi2.ts'
import { isLoopback } from '../../src/foundation/values/loopback.ts'
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
      ]),
      String(clients.length),
    ),
    ...clients.flatMap((client) => [
      ...warnAboutLoopback(config, client),
      ...warnAboutOtherSites(config, client),
      ...warnAboutUnknownScopes(config, client),
      ...warnAboutApiScopes(config, client),
      ...warnAboutLogoutAddresses(client),
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

/** APIs in the database have further scopes. */
function warnAboutApiScopes(config: Config, client: Client): Finding[] {
  const apis = [...config.apis, ...serviceApis(config)]
  const known = apis.flatMap(({ scopes }) => scopes.map(({ name }) => name))
  return unknownScopes(client.scope.join(' '), apis).map((scope) =>
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
