import { Seal } from '../../foundation/crypto/seal.ts'
import { formatProblem, type Problem } from '../../foundation/values/problem.ts'
import { toClient } from '../registration-schemas/clients.ts'
import type { Config, DeclaredOptions, ReadConfig } from './config.ts'
import { ConfigurationError } from './configuration-error.ts'
import { listSettings } from './declared-settings.ts'
import type { Settings } from './settings.ts'
import { isSettingOfFeature } from './unlisted-features.ts'
import { isOfOneRegistration } from './usable-registrations.ts'
import {
  type ValidatedSettings,
  validateSettings,
  withoutSwitchedOff,
  withoutUnusable,
} from './validate-settings.ts'

const DEFAULT_AUDIT_DAYS = 90

/** Reads the configuration of a deployment with these options. The environment is parsed once per isolate. */
export function createConfigReader(declared: DeclaredOptions): ReadConfig {
  const configs = new WeakMap<object, Config>()
  return (env) => {
    const cached = configs.get(env)
    if (cached) return cached
    const config = parseConfig(env as Record<string, unknown>, declared)
    if (config.problems.length > 0) {
      const cause = config.problems.map(formatProblem).join(' ')
      console.error(JSON.stringify({ event: 'misconfigured', cause }))
    }
    configs.set(env, config)
    return config
  }
}

/** The configuration. Throws one error that lists everything wrong if the service cannot run with it. */
export function parseConfig(env: Record<string, unknown>, declared: DeclaredOptions): Config {
  const declaredNames = listSettings(declared).map(({ name }) => name)
  const settings = Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) => value !== undefined && (isSetting(name) || declaredNames.includes(name)),
    ),
  )
  const { disabled: switchedOff, ...deployment } = withoutSwitchedOff({ declared, settings })
  const all = validateSettings(deployment)
  const { problems } = all
  const { disabled, ...remaining } = withoutUnusable(deployment, problems)
  const usable = problems.length === 0 ? all : validateSettings(remaining)
  // A developer sees every problem at once. A public service goes on without what is unusable.
  const mustStop =
    usable.problems.some(stopsService) || (all.isDevelopment && !problems.every(isOfOnePart))
  if (!usable.data || mustStop) {
    throw new ConfigurationError(problems, declared.contact)
  }
  return {
    ...toConfig(usable.data, usable, declared),
    disabledProviders: [...disabled, ...switchedOff],
    switchedOff: switchedOff.map(({ id }) => id),
    problems,
  }
}

function toConfig(
  data: Settings,
  { isDevelopment, olderSecrets, leakedSecrets, ...enabled }: ValidatedSettings,
  { providers: _, localProviders: __, skipsUnconfigured: ___, ...options }: DeclaredOptions,
): Omit<Config, 'disabledProviders' | 'switchedOff' | 'problems'> {
  return {
    ...options,
    issuer: data.AUTH_URL,
    serviceName: new URL(data.AUTH_URL).host,
    isDevelopment,
    seal: new Seal([data.AUTH_SECRET, ...olderSecrets], leakedSecrets),
    clients: data.CLIENTS.map((client) =>
      toClient(client, { isDevelopment, features: enabled.features }),
    ),
    disabledClients: enabled.disabledClients,
    apis: data.APIS,
    disabledApis: enabled.disabledApis,
    hasUnidentifiedApi: enabled.hasUnidentifiedApi,
    administrators: data.AUTH_ADMINS?.split(',') ?? [],
    auditRetention: Number(data.AUTH_AUDIT_DAYS ?? DEFAULT_AUDIT_DAYS) * 24 * 3600,
    providers: enabled.providers,
    localProviders: enabled.localProviders,
    features: enabled.features,
    declaredSettings: enabled.declaredSettings,
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
  return /^(?:AUTH_|CLIENTS$|APIS$)/.test(name) || isSettingOfFeature(name)
}

/** Whether only a client, an API or a provider cannot be used, also in development. */
function isOfOnePart(problem: Problem): boolean {
  return isOfOneRegistration(problem) || problem.code === 'unusable'
}

/**
 * Not if passkeys are the only way to sign in that is left: users who have one can still use it.
 */
function stopsService(problem: Problem): boolean {
  const { path, code } = problem
  return path.join('.') !== 'providers' && code !== 'unlisted' && !isOfOneRegistration(problem)
}
