import { Seal } from '../crypto/seal.ts'
import type { Languages } from '../messages/languages.ts'
import { parseJson } from '../values/json.ts'
import { isLoopback } from '../values/loopback.ts'
import { type Problem, validate } from '../values/problem.ts'
import { type Api, apiProblems } from './apis.ts'
import type { Callbacks } from './callbacks.ts'
import { type Client, clientProblems, toClient } from './clients.ts'
import { ConfigurationError } from './configuration-error.ts'
import type { Events } from './events.ts'
import type { Lifetimes } from './lifetimes.ts'
import type { LocalProvider } from './local-method.ts'
import { listLocalSettings } from './local-providers.ts'
import { providerProblems } from './provider-schema.ts'
import {
  type AnyProvider,
  applySettings,
  type DeclaredProviders,
  enabledDeclarations,
} from './providers.ts'
import { type Settings, settingProblems, settingsSchema } from './settings.ts'
import type { Theme } from './theme.ts'

/** The validated deployment. No other code reads `env.SOME_STRING`. */
export interface Config {
  /** The public origin of this service and the issuer of its tokens. Never taken from a request. */
  issuer: string
  /** The host of the issuer, by which users recognise this service. */
  serviceName: string
  /** A development service: its own address is a loopback address. */
  isDevelopment: boolean
  seal: Seal
  clients: readonly Client[]
  /** The APIs that have settings of their own. */
  apis: readonly Api[]
  /**
   * Users who may use `/admin`: `usr_…` or `provider:account id`. Further ones are in the database.
   */
  administrators: readonly string[]
  /** How long entries of the audit log are stored, in seconds. */
  auditRetention: number
  /** The enabled providers, in the order of the sign-in page. */
  providers: readonly AnyProvider[]
  /** The providers whose users sign in on pages of this service. */
  localProviders: readonly LocalProvider[]
  /** The settings that these providers read, by name. */
  localSettings: Readonly<Record<string, string>>
  /** The addresses of a stand-in for the video platform, which replace the real ones. */
  standIn: { webUrl: string | undefined; apiUrl: string | undefined }
  redirectProxy: RedirectProxy
  /** Whether users can sign in by scanning a code with TikTok's app. */
  hasQrLogin: boolean
  /** The maximum age of a TikTok webhook signature, in seconds. */
  webhookTolerance: number
  theme: Theme
  /** Where users get help: an https: or mailto: URL. */
  contact: string | undefined
  languages: Languages
  callbacks: Callbacks
  events: Events
  lifetimes: Lifetimes
}

/** What a deployment declares in code. Its environment completes it. */
export interface DeclaredOptions extends DeclaredProviders {
  localProviders: readonly LocalProvider[]
  theme: Theme
  contact: string | undefined
  languages: Languages
  callbacks: Callbacks
  events: Events
  lifetimes: Lifetimes
}

/** One registered callback for several deployments, such as previews. */
export interface RedirectProxy {
  /**
   * The `/api/auth` of the deployment whose callback is registered; set on the other deployments.
   */
  url: string | undefined
  /**
   * The deployments it forwards callbacks to; set on the proxy. `*` stands for one label of a host.
   */
  origins: readonly string[]
  /** Made from the secret that both sides share. */
  seal: Seal | undefined
}

/** Webhook receivers usually accept signatures of this age. */
const DEFAULT_WEBHOOK_TOLERANCE = 300 // seconds

const DEFAULT_AUDIT_DAYS = 90

/**
 * Reads and validates a deployment's environment. Throws one error that lists everything wrong with
 * it.
 */
export type ReadConfig = (env: object) => Config

/** For a deployment with these options. The environment is parsed once per isolate. */
export function createConfigReader(declared: DeclaredOptions): ReadConfig {
  const configs = new WeakMap<object, Config>()
  return (env) => {
    const cached = configs.get(env)
    if (cached) return cached
    const config = parseConfig(env as Record<string, unknown>, declared)
    configs.set(env, config)
    return config
  }
}

function parseConfig(env: Record<string, unknown>, declared: DeclaredOptions): Config {
  const isDevelopment = typeof env['AUTH_URL'] === 'string' && isLoopback(env['AUTH_URL'])
  const settings = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => isSetting(name) && value !== undefined),
  )
  const olderSecrets = Object.keys(settings)
    .filter((name) => OLDER_SECRET.test(name))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  const providers = enabledDeclarations(declared, settings)
  const { localProviders } = declared
  const context = { isDevelopment, olderSecrets, providers, localProviders }
  const { data, problems: invalidSettings } = validate(settingsSchema(context), {
    ...settings,
    CLIENTS: readTables(env['CLIENTS']),
    APIS: readTables(env['APIS']),
  })
  // Settings of the wrong type cannot be applied; they are reported first.
  const configuredProviders = data
    ? providers.map((provider) => applySettings(provider, settings))
    : []
  const problems = [
    ...invalidSettings,
    ...settingProblems(settings, context),
    ...configuredProviders.flatMap(providerProblems),
    ...(data ? registrationProblems(data, isDevelopment) : []),
  ]
  if (!data || problems.length > 0) throw new ConfigurationError(problems, declared.contact)

  return {
    issuer: data.AUTH_URL,
    serviceName: new URL(data.AUTH_URL).host,
    isDevelopment,
    seal: new Seal([data.AUTH_SECRET, ...olderSecrets.map((name) => String(settings[name]))]),
    clients: data.CLIENTS.map((client) => toClient(client, isDevelopment)),
    apis: data.APIS,
    administrators: data.AUTH_ADMINS?.split(',') ?? [],
    auditRetention: Number(data.AUTH_AUDIT_DAYS ?? DEFAULT_AUDIT_DAYS) * 24 * 3600,
    providers: configuredProviders,
    localProviders: declared.localProviders,
    localSettings: localSettingsOf(declared.localProviders, settings),
    standIn: { webUrl: data.AUTH_TIKTOK_WEB_URL, apiUrl: data.AUTH_TIKTOK_API_URL },
    callbacks: declared.callbacks,
    events: declared.events,
    lifetimes: declared.lifetimes,
    hasQrLogin: data.AUTH_TIKTOK_QR === 'on',
    webhookTolerance: Number(data.AUTH_TIKTOK_WEBHOOK_WINDOW ?? DEFAULT_WEBHOOK_TOLERANCE),
    redirectProxy: {
      url: data.AUTH_REDIRECT_PROXY_URL,
      origins: data.AUTH_REDIRECT_PROXY_ORIGINS?.split(',') ?? [],
      seal: data.AUTH_REDIRECT_PROXY_SECRET
        ? new Seal([data.AUTH_REDIRECT_PROXY_SECRET])
        : undefined,
    },
    theme: declared.theme,
    contact: declared.contact,
    languages: declared.languages,
  }
}

function localSettingsOf(
  providers: readonly LocalProvider[],
  settings: Record<string, unknown>,
): Record<string, string> {
  return Object.fromEntries(
    listLocalSettings(providers)
      .filter(({ name }) => settings[name] !== undefined)
      .map(({ name }) => [name, String(settings[name])]),
  )
}

/** `AUTH_SECRET_1`, `AUTH_SECRET_2`, …: no longer used for sealing, still accepted when opening. */
const OLDER_SECRET = /^AUTH_SECRET_\d+$/

/** Bindings are ignored. Any other name that looks like ours must be in the schema. */
function isSetting(name: string): boolean {
  return name.startsWith('AUTH_') || name === 'CLIENTS' || name === 'APIS'
}

/** A list of tables in `wrangler.toml`, or JSON when it is set as a secret. */
function readTables(value: unknown): unknown {
  return typeof value === 'string' ? parseJson(value) : (value ?? [])
}

function registrationProblems(
  { AUTH_URL: issuer, CLIENTS: clients, APIS: apis }: Settings,
  isDevelopment: boolean,
): Problem[] {
  const problemsIn = (setting: string, problems: Problem[][]) =>
    problems.flatMap((list, index) =>
      list.map((problem) => ({ ...problem, path: [setting, index, ...problem.path] })),
    )
  return [
    ...problemsIn(
      'CLIENTS',
      clients.map((client) => clientProblems(client, isDevelopment)),
    ),
    ...problemsIn(
      'APIS',
      apis.map((api) => apiProblems(api, { issuer })),
    ),
  ]
}
