import { Seal } from '../crypto/seal.ts'
import type { Feature } from '../feature.ts'
import type { Languages } from '../messages/languages.ts'
import { formatProblem, type Problem } from '../values/problem.ts'
import type { Api } from './apis.ts'
import type { Callbacks } from './callbacks.ts'
import { type Client, toClient } from './clients.ts'
import { ConfigurationError } from './configuration-error.ts'
import type { Events } from './events.ts'
import { listSettings } from './feature-settings.ts'
import type { Lifetimes } from './lifetimes.ts'
import type { LocalProvider } from './local-method.ts'
import type { AnyProvider, DeclaredProviders } from './providers.ts'
import type { Settings } from './settings.ts'
import type { Theme } from './theme.ts'
import { type ValidatedSettings, validateSettings, withoutUnusable } from './validate-settings.ts'

/** What only the options in code determine. */
interface CodeOptions {
  /** What the deployment adds to the core, including the local methods of its providers. */
  features: readonly Feature[]
  theme: Theme
  /** Where users get help: an https: or mailto: URL. */
  contact: string | undefined
  /** Whether browsers refuse http for all subdomains of this host, too. */
  protectsSubDomains: boolean
  languages: Languages
  callbacks: Callbacks
  events: Events
  lifetimes: Lifetimes
}

/** The validated deployment. No other code reads `env.SOME_STRING`. */
export interface Config extends CodeOptions {
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
  /** What is wrong with the settings, although the service can run without what they configure. */
  problems: readonly Problem[]
  /** The enabled providers, in the order of the sign-in page. */
  providers: readonly AnyProvider[]
  /** The providers whose users sign in on pages of this service. */
  localProviders: readonly LocalProvider[]
  /** The providers that cannot be used because of a problem with their settings. */
  disabledProviders: readonly (AnyProvider | LocalProvider)[]
  /** The values of the settings that features and local methods declare, by name. */
  featureSettings: Readonly<Record<string, unknown>>
  /** The addresses of a stand-in for the video platform, which replace the real ones. */
  standIn: { webUrl: string | undefined; apiUrl: string | undefined }
  redirectProxy: RedirectProxy
  /** The maximum age of a TikTok webhook signature, in seconds. */
  webhookTolerance: number
}

/** What a deployment declares in code. Its environment completes it. */
export interface DeclaredOptions extends DeclaredProviders, CodeOptions {
  localProviders: readonly LocalProvider[]
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
  const declaredNames = listSettings(declared.features).map(({ name }) => name)
  const settings = Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) => value !== undefined && (isSetting(name) || declaredNames.includes(name)),
    ),
  )
  const deployment = { declared, settings }
  const all = validateSettings(deployment)
  const { problems } = all
  const { disabled, ...remaining } = withoutUnusable(deployment, problems)
  const usable = problems.length === 0 ? all : validateSettings(remaining)
  // A developer sees every problem at once. A public service goes on without what is unusable.
  const mustStop = all.isDevelopment ? problems.length > 0 : usable.problems.some(stopsService)
  if (!usable.data || mustStop) {
    throw new ConfigurationError(problems, declared.contact)
  }
  if (problems.length > 0) {
    const cause = problems.map(formatProblem).join(' ')
    console.error(JSON.stringify({ event: 'misconfigured', cause }))
  }
  return { ...toConfig(usable.data, usable, declared), disabledProviders: disabled, problems }
}

function toConfig(
  data: Settings,
  { isDevelopment, olderSecrets, ...enabled }: ValidatedSettings,
  { providers: _, localProviders: __, skipsUnconfigured: ___, ...options }: DeclaredOptions,
): Omit<Config, 'disabledProviders' | 'problems'> {
  return {
    ...options,
    issuer: data.AUTH_URL,
    serviceName: new URL(data.AUTH_URL).host,
    isDevelopment,
    seal: new Seal([data.AUTH_SECRET, ...olderSecrets]),
    clients: data.CLIENTS.map((client) => toClient(client, isDevelopment)),
    apis: data.APIS,
    administrators: data.AUTH_ADMINS?.split(',') ?? [],
    auditRetention: Number(data.AUTH_AUDIT_DAYS ?? DEFAULT_AUDIT_DAYS) * 24 * 3600,
    providers: enabled.providers,
    localProviders: enabled.localProviders,
    features: enabled.features,
    featureSettings: enabled.featureSettings,
    standIn: { webUrl: data.AUTH_TIKTOK_WEB_URL, apiUrl: data.AUTH_TIKTOK_API_URL },
    webhookTolerance: Number(data.AUTH_TIKTOK_WEBHOOK_WINDOW ?? DEFAULT_WEBHOOK_TOLERANCE),
    redirectProxy: {
      url: data.AUTH_REDIRECT_PROXY_URL,
      origins: data.AUTH_REDIRECT_PROXY_ORIGINS?.split(',') ?? [],
      seal: data.AUTH_REDIRECT_PROXY_SECRET
        ? new Seal([data.AUTH_REDIRECT_PROXY_SECRET])
        : undefined,
    },
  }
}

/** Bindings are ignored. Any other name that looks like ours must be in the schema, or declared. */
function isSetting(name: string): boolean {
  return name.startsWith('AUTH_') || ['CLIENTS', 'APIS', 'UNREGISTERED_CLIENTS'].includes(name)
}

/**
 * Not if passkeys are the only way to sign in that is left: users who have one can still use it.
 */
function stopsService({ path, code }: Problem): boolean {
  return path.join('.') !== 'providers' && code !== 'unlisted'
}
