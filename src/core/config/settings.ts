import * as z from 'zod/mini'
import { JURISDICTIONS } from '../../foundation/values/jurisdiction.ts'
import { describeUnknown, type Problem } from '../../foundation/values/problem.ts'
import { NOT_EMPTY, NOT_JSON, shortName, text } from '../../foundation/values/schemas.ts'
import { isPrivateJwk } from '../../provider-interface/private-key.ts'
import { PRIVATE_JWK_EXPECTED } from '../../provider-interface/provider-schema.ts'
import type { Api } from '../registration-schemas/apis.ts'
import type { Registration } from '../registration-schemas/clients.ts'
import type { FeatureSetting, LocalProvider } from './feature.ts'
import { CREATED_BY } from './local-providers.ts'
import { type DeclaredProvider, needsSecret, settingName } from './providers.ts'

/** `usr_…`, or a provider and the provider's id of the account. */
export const ADMINISTRATOR = /^(usr_[\w-]{22}|[a-z0-9-]+:[^\s,<>]+)$/

/** 32 random bytes are at least this long in every usual encoding. */
const MIN_SECRET_LENGTH = 32

/** 32 random characters contain at least ten different ones even in hex. */
const MIN_DISTINCT_CHARACTERS = 10

const EXAMPLE_VALUE =
  /example|change.?me|placeholder|your.secret|stand-?in|loopback-only|test-only/i

interface SettingsContext {
  /** The service runs on a loopback address. */
  isDevelopment: boolean
  /** The names of the older secrets that are present. */
  olderSecrets: readonly string[]
  /** The enabled providers. */
  providers: readonly DeclaredProvider[]
  /** The providers whose users sign in on pages of this service. */
  localProviders?: readonly LocalProvider[]
  /** The settings that features, local methods and providers declare. */
  declared: readonly FeatureSetting[]
}

/** The schema of every setting of a deployment. */
export function settingsSchema(context: SettingsContext) {
  const { isDevelopment, olderSecrets, providers, localProviders = [], declared } = context
  const secret = text(NOT_EMPTY, [
    (value) => isDevelopment || isStrong(value),
    `is too weak: use ${MIN_SECRET_LENGTH} random bytes, for example from \`openssl rand -base64 32\`.`,
  ])
  const credential = text(NOT_EMPTY, [
    (value) => isDevelopment || !EXAMPLE_VALUE.test(value),
    'is an example value.',
  ])
  const fixed = {
    AUTH_URL: text(
      [(url) => url === url.toLowerCase(), 'must be in lower case, as browsers spell it.'],
      [
        (url) => isOrigin(url) && (isDevelopment || url.startsWith('https:')),
        'must be an https origin without a path, such as https://login.example.com.',
      ],
    ),
    AUTH_SECRET: secret,
    AUTH_JURISDICTION: z.optional(z.enum(JURISDICTIONS)),
    // Each entry has been validated before: see usable-registrations.ts.
    CLIENTS: tables('CLIENTS', z.custom<Registration>()),
    APIS: tables('APIS', z.custom<Api>()),
    AUTH_ADMINS: z.optional(
      text(
        [
          (list) => !/<.*>/.test(list),
          'is still the placeholder: replace what is between < and >, or remove the setting.',
        ],
        [
          (list) => list.split(',').every((name) => ADMINISTRATOR.test(name)),
          'must be a list of users separated by commas without spaces, each as usr_… or as provider:account id.',
        ],
      ),
    ),
    AUTH_AUDIT_DAYS: z.optional(
      text([
        (value) => /^\d{1,4}$/.test(value) && Number(value) > 0,
        'must be a number of days, such as 90.',
      ]),
    ),
    AUTH_REDIRECT_PROXY_URL: z.optional(
      text([
        (url) => isAddress(url) && url.endsWith('/api/auth'),
        'must be the /api/auth of the deployment whose callback is registered, such as https://login.example.com/api/auth.',
      ]),
    ),
    AUTH_REDIRECT_PROXY_ORIGINS: z.optional(
      text([
        (list) => list.split(',').every(isOriginPattern),
        'must be a list of origins separated by commas without spaces, such as https://*.preview.example.com,http://localhost:8787.',
      ]),
    ),
    AUTH_REDIRECT_PROXY_SECRET: z.optional(secret),
  }
  const dynamic = Object.fromEntries([
    ...olderSecrets.map((name) => [name, secret] as const),
    ...providers.flatMap((provider) => providerSchemas(provider, credential, isDevelopment)),
    ...localProviders.map(({ id }) => [settingName(id, 'ENABLED'), onOrOff] as const),
    ...declared.map((setting) => declaredSchema(setting, isDevelopment)),
  ])
  // A list of the names that exist would be too long.
  return z.strictObject({ ...fixed, ...dynamic } as typeof fixed, {
    error: (issue) =>
      describeUnknown(
        issue,
        (suggestion) => `is not a setting of this service${suggestion ? `: ${suggestion}` : '.'}`,
      ),
  })
}

/** The settings that every deployment can have, besides those of providers. */
export function settingNames(): string[] {
  const none = { isDevelopment: true, olderSecrets: [], providers: [], declared: [] }
  return Object.keys(settingsSchema(none).shape)
}

/** A list of registrations. */
function tables<Schema extends z.ZodMiniType<object>>(setting: string, schema: Schema) {
  return z.array(schema, {
    error: ({ input }) =>
      typeof input === 'string'
        ? NOT_JSON
        : `must be a list of tables, each under [[vars.${setting}]].`,
  })
}

export type Settings = z.infer<ReturnType<typeof settingsSchema>>

const onOrOff = z.optional(z.enum(['on', 'off']))

type SettingSchema = readonly [name: string, schema: z.ZodMiniType]

function providerSchemas(
  { config }: DeclaredProvider,
  credential: z.ZodMiniType<string>,
  isDevelopment: boolean,
): SettingSchema[] {
  const { id, clientId, client, issuer, isSelfHosted } = config
  const method = client?.['token_endpoint_auth_method']
  const secret = method === 'private_key_jwt' ? privateKey : credential
  const schemas: SettingSchema[] = [
    [settingName(id, 'ID'), clientId ? z.optional(credential) : credential],
    [settingName(id, 'NAME'), z.optional(shortName)],
    [settingName(id, 'TOKENS'), z.optional(z.enum(['keep', 'drop']))],
    [settingName(id, 'SCOPE'), z.optional(text())],
    [settingName(id, 'ENABLED'), onOrOff],
  ]
  // A public client has no secret.
  if (method !== 'none') {
    schemas.push(
      [settingName(id, 'SECRET'), needsSecret(config) ? secret : z.optional(secret)],
      [settingName(id, 'SECRET_1'), z.optional(secret)],
    )
  }
  if (!isSelfHosted) return schemas
  const issuerAddress = text([
    (url) => isAddress(url) && (isDevelopment || url.startsWith('https:')),
    "must be the provider's issuer, an https URL.",
  ])
  schemas.push([settingName(id, 'ISSUER'), issuer ? z.optional(issuerAddress) : issuerAddress])
  if (config.type === 'oidc') {
    schemas.push(
      [settingName(id, 'USERINFO'), onOrOff],
      [settingName(id, 'RESPONSE_MODE'), z.optional(z.enum(['query', 'form_post']))],
    )
  }
  return schemas
}

/** A setting that a feature, a local method or a provider declares. */
function declaredSchema(setting: FeatureSetting, isDevelopment: boolean): SettingSchema {
  if ('schema' in setting) return [setting.name, setting.schema]
  const { name, isRequired, isSecret = false, isForDevelopment = false, format } = setting
  const schema = text(
    NOT_EMPTY,
    [
      () => isDevelopment || !isForDevelopment,
      'is for development only: remove it when AUTH_URL is public.',
    ],
    [(value) => isDevelopment || !isSecret || !EXAMPLE_VALUE.test(value), 'is an example value.'],
    [(value) => format === undefined || format[0].test(value), `${format?.[1]}.`],
  )
  return [name, isRequired ? schema : z.optional(schema)]
}

const privateKey = text(NOT_EMPTY, [isPrivateJwk, PRIVATE_JWK_EXPECTED])

/** An origin whose first host label may be `*`. */
function isOriginPattern(pattern: string): boolean {
  const origin = pattern.replace('//*.', '//x.')
  return isOrigin(origin) && !origin.includes('*')
}

function isAddress(url: string): boolean {
  const parsed = URL.parse(url)
  return (
    parsed !== null &&
    /^https?:$/.test(parsed.protocol) &&
    parsed.search === '' &&
    parsed.hash === ''
  )
}

/** An issuer is compared as text, so only the canonical spelling of an origin is accepted. */
function isOrigin(url: string): boolean {
  return /^https?:/.test(url) && URL.parse(url)?.origin === url
}

function isStrong(secret: string): boolean {
  return (
    secret.length >= MIN_SECRET_LENGTH &&
    new Set(secret).size >= MIN_DISTINCT_CHARACTERS &&
    !EXAMPLE_VALUE.test(secret)
  )
}

/** Problems that no single setting shows. */
export function settingProblems(
  settings: Record<string, unknown>,
  { providers, localProviders = [] }: SettingsContext,
): Problem[] {
  const problems: Problem[] = []
  if (providers.length === 0 && localProviders.length === 0) {
    problems.push({
      path: [],
      code: 'missing',
      message:
        'No provider is enabled: set AUTH_TIKTOK_ID and AUTH_TIKTOK_SECRET, or those of another provider.',
    })
  }
  const isAdded = localProviders.every(({ method }) => method.isCreatedByDevice)
  if (providers.length === 0 && localProviders.length > 0 && isAdded) {
    const names = localProviders.map(({ type }) => CREATED_BY[type])
    problems.push({
      path: ['providers'],
      code: 'invalid',
      message: `has only ${names.join(', ')}, which users add after they have signed in another way: add another provider.`,
    })
  }
  const usesProxy =
    settings['AUTH_REDIRECT_PROXY_URL'] ??
    settings['AUTH_REDIRECT_PROXY_ORIGINS'] ??
    providers.find(({ config }) => config.redirectProxyUrl)
  if (usesProxy && !settings['AUTH_REDIRECT_PROXY_SECRET']) {
    problems.push({
      path: ['AUTH_REDIRECT_PROXY_SECRET'],
      code: 'missing',
      message: 'is missing: both sides of a redirect proxy need the same secret.',
    })
  }
  for (const { config } of providers) {
    const found = config.settings?.findProblems?.(settings as Record<string, string>) ?? {}
    for (const [name, message] of Object.entries(found)) {
      problems.push({ path: [name], code: 'unusable', message })
    }
  }
  return problems
}
