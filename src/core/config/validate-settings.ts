import { parseJson } from '../../foundation/values/json.ts'
import { isLoopback } from '../../foundation/values/loopback.ts'
import { type Problem, validate } from '../../foundation/values/problem.ts'
import { providerProblems } from '../../provider-interface/provider-schema.ts'
import { unkeptTokens } from '../registration-schemas/client-problems.ts'
import { listSettings } from './declared-settings.ts'
import type { Feature, FeatureSetting, LocalProvider } from './feature.ts'
import {
  type AnyProvider,
  applySettings,
  type DeclaredProvider,
  type DeclaredProviders,
  enabledDeclarations,
  PROVIDER_SETTINGS,
  settingName,
} from './providers.ts'
import { type Settings, settingProblems, settingsSchema } from './settings.ts'
import { unlistedSettings } from './unlisted-features.ts'
import { validateApis, validateClients } from './usable-registrations.ts'

/** The providers that a deployment declares in code, and the settings that complete them. */
export interface Deployment {
  declared: DeclaredProviders & {
    localProviders: readonly LocalProvider[]
    features: readonly Feature[]
  }
  settings: Readonly<Record<string, unknown>>
}

/** The settings after validation, and the providers they enable. */
export interface ValidatedSettings {
  isDevelopment: boolean
  /** Missing if the settings are invalid. */
  data: Settings | undefined
  /** The values of the older secrets, the newest first. */
  olderSecrets: readonly string[]
  leakedSecrets: readonly string[]
  providers: readonly AnyProvider[]
  localProviders: readonly LocalProvider[]
  features: readonly Feature[]
  /** The ids of clients in the settings that have a problem. */
  disabledClients: readonly string[]
  /** The same for APIs. */
  disabledApis: readonly string[]
  hasUnidentifiedApi: boolean
  /** The values of the settings that features, local methods and providers declare, by name. */
  declaredSettings: Readonly<Record<string, unknown>>
  problems: readonly Problem[]
}

/** `AUTH_SECRET_1`, `AUTH_SECRET_2`, …: no longer used for sealing, still accepted when opening. */
const OLDER_SECRET = /^AUTH_SECRET_\d+$/

/** `AUTH_SECRET_LEAKED`, `AUTH_SECRET_LEAKED_1`, …: they open only what is in storage. */
const LEAKED_SECRET = /^AUTH_SECRET_LEAKED(?:_\d+)?$/

/** Finds everything that is wrong with the settings. */
export function validateSettings({ declared, settings }: Deployment): ValidatedSettings {
  const isDevelopment = typeof settings['AUTH_URL'] === 'string' && isLoopback(settings['AUTH_URL'])
  const olderSecrets = secretNames(settings, OLDER_SECRET)
  const leakedSecrets = secretNames(settings, LEAKED_SECRET)
  const enabled = enabledDeclarations(declared, settings)
  const { localProviders } = declared
  const declaredSettings = listSettings(declared)
  const context = {
    isDevelopment,
    olderSecrets: [...olderSecrets, ...leakedSecrets],
    providers: enabled,
    localProviders,
    declared: declaredSettings,
  }
  const unlisted = unlistedSettings(settings, declared.features)
  const registrationContext = {
    issuer: String(settings['AUTH_URL']),
    isDevelopment,
    features: declared.features,
  }
  const clients = validateClients(readTables(settings['CLIENTS'], []), registrationContext)
  const apis = validateApis(readTables(settings['APIS'], []), registrationContext)
  const { data, problems } = validate(settingsSchema(context), {
    ...omitNames(
      settings,
      unlisted.map(({ path: [name] }) => String(name)),
    ),
    ...parseTables(declaredSettings, settings),
    CLIENTS: clients.entries,
    APIS: apis.entries,
  })
  // Settings of the wrong type cannot be applied; they are reported first.
  const providers = data ? enabled.map((provider) => applySettings(provider, settings)) : []
  return {
    isDevelopment,
    data,
    olderSecrets: olderSecrets.map((name) => String(settings[name])),
    leakedSecrets: leakedSecrets.map((name) => String(settings[name])),
    providers,
    localProviders,
    features: declared.features,
    disabledClients: clients.disabled,
    disabledApis: apis.disabled,
    hasUnidentifiedApi: apis.hasUnidentified,
    declaredSettings: data ? pick(data, declaredSettings) : {},
    problems: [
      ...problems,
      ...clients.problems,
      ...apis.problems,
      ...unlisted,
      ...settingProblems(settings, context),
      ...providers.flatMap(providerProblems),
      ...unkeptTokens(declared.features, tokenSettings(enabled, settings)),
    ],
  }
}

/** The names of the settings that match, in their order. */
function secretNames(settings: Readonly<Record<string, unknown>>, pattern: RegExp): string[] {
  return Object.keys(settings)
    .filter((name) => pattern.test(name))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

/** The settings without those of these names. */
function omitNames(settings: Readonly<Record<string, unknown>>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)))
}

/** A deployment in which some providers are disabled. */
export interface PartialDeployment extends Deployment {
  disabled: readonly (AnyProvider | LocalProvider)[]
}

/** The deployment without the providers that have a problem, and without unknown settings. */
export function withoutUnusable(
  { declared, settings }: Deployment,
  problems: readonly Problem[],
): PartialDeployment {
  const hasProblem = (id: string, names: readonly string[]) =>
    problems.some(
      ({ path: [first, second], code }) =>
        code !== 'unlisted' &&
        (names.includes(String(first)) || (first === 'providers' && second === id)),
    )
  const unknown = problems.flatMap(({ code, path: [name, ...field] }) =>
    code === 'unknown' && field.length === 0 ? String(name) : [],
  )
  return withoutProviders({ declared, settings: omitNames(settings, unknown) }, hasProblem)
}

/** The deployment without the providers that its operator has switched off. */
export function withoutSwitchedOff(deployment: Deployment): PartialDeployment {
  return withoutProviders(
    deployment,
    (id) => deployment.settings[settingName(id, 'ENABLED')] === 'off',
  )
}

/** The deployment without these providers and their settings. */
function withoutProviders(
  { declared, settings }: Deployment,
  isDisabled: (id: string, settingNames: readonly string[]) => boolean,
): PartialDeployment {
  const settingNames = (provider: AnyProvider) => providerSettingNames(provider, declared.features)
  const disabled = declared.providers
    .map(({ config }) => config)
    .filter((provider) => isDisabled(provider.id, settingNames(provider)))
  const disabledLocal = declared.localProviders.filter((provider) =>
    isDisabled(provider.id, localSettingNames(provider)),
  )
  const unused = [...disabled.flatMap(settingNames), ...disabledLocal.flatMap(localSettingNames)]
  return {
    declared: {
      ...declared,
      providers: declared.providers.filter(({ config }) => !disabled.includes(config)),
      localProviders: declared.localProviders.filter((local) => !disabledLocal.includes(local)),
      features: declared.features.filter(
        (feature) => !disabledLocal.some(({ method }) => method === feature),
      ),
    },
    disabled: [...disabled, ...disabledLocal],
    settings: omitNames(settings, unused),
  }
}

/** The settings that say that tokens are kept. */
function tokenSettings(
  providers: readonly DeclaredProvider[],
  settings: Readonly<Record<string, unknown>>,
): string[][] {
  return providers
    .map(({ config }) => settingName(config.id, 'TOKENS'))
    .filter((name) => settings[name] === 'keep')
    .map((name) => [name])
}

function providerSettingNames(provider: AnyProvider, features: readonly Feature[]): string[] {
  const { id, settings } = provider
  const own = [
    ...(settings?.list ?? []),
    ...features.flatMap(({ providerSettings }) => providerSettings?.(provider) ?? []),
  ]
  return [
    ...PROVIDER_SETTINGS.map((setting) => settingName(id, setting)),
    ...own.map(({ name }) => name),
  ]
}

function localSettingNames({ id, method: { settings = [] } }: LocalProvider): string[] {
  return [settingName(id, 'ENABLED'), ...settings.map(({ name }) => name)]
}

/** The values of these settings that are set, by name. */
function pick(
  settings: Readonly<Record<string, unknown>>,
  declared: readonly FeatureSetting[],
): Record<string, unknown> {
  return Object.fromEntries(
    declared
      .filter(({ name }) => settings[name] !== undefined)
      .map(({ name }) => [name, settings[name]]),
  )
}

/** Those of the declared settings that are tables or lists, but are set as secrets. */
function parseTables(
  declared: readonly FeatureSetting[],
  settings: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values = pick(
    settings,
    declared.filter((setting) => 'schema' in setting),
  )
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, readTables(value, undefined)]),
  )
}

/**
 * A table or a list of tables in `wrangler.toml`, or JSON when it is set as a secret. Any other
 * text is left as it is, which the schema rejects.
 */
function readTables(value: unknown, absent: object | undefined): unknown {
  if (typeof value !== 'string') return value ?? absent
  const parsed = parseJson(value)
  return typeof parsed === 'object' && parsed !== null ? parsed : value
}
