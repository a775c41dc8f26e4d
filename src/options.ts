import { providerProblems } from './config/provider-problems.ts'
import {
  callProvider,
  type DeclaredProvider,
  type DeclaredProviders,
  settingPrefix,
} from './config/providers.ts'
import type { Provider } from './providers/types.ts'

/** How a deployment differs from others in behaviour. Addresses, secrets and clients are settings. */
export interface VestibuleOptions {
  /** The services users sign in through, in the order of the sign-in page. */
  providers: readonly Provider[]
  /**
   * Leaves out providers that have no `AUTH_<ID>_…` setting. Without it, they are reported as
   * incomplete.
   */
  skipUnconfiguredProviders?: boolean
}

/** The options that are known here; any other is a typing error. */
const OPTION_NAMES = ['providers', 'skipUnconfiguredProviders']

/** Part of URLs, of cookies and of stored accounts. */
const PROVIDER_ID = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/

/** Their settings would have the names of other settings. */
const RESERVED_PREFIXES = ['AUTH_REDIRECT_PROXY_', 'AUTH_SECRET_', 'AUTH_URL_']

/** Their types are declared, but there is no implementation yet. */
const UNSUPPORTED_TYPES = ['email', 'credentials', 'webauthn']

interface ValidatedOptions {
  /** What is wrong, in complete sentences. */
  problems: string[]
  /** What is ignored, in complete sentences. */
  warnings: string[]
  declared: DeclaredProviders
}

/** Checks what can be checked without the environment. */
export function validateOptions(options: VestibuleOptions): ValidatedOptions {
  const unknown = Object.keys(options).filter((name) => !OPTION_NAMES.includes(name))
  const listed = listedProviders(options.providers)
  const declared = listed.flatMap(({ declared }) => declared ?? [])
  const problems = [
    ...unknown.map((name) => `${name} is not an option of createVestibule.`),
    ...listed.flatMap(({ problem }) => problem ?? []),
    ...providerIdProblems(declared.map(({ config }) => config.id)),
    ...declared.flatMap(({ config }) => providerProblems(config)),
  ]
  const warnings = listed.flatMap(({ warning }) => warning ?? [])
  const skipsUnconfigured = options.skipUnconfiguredProviders ?? false
  return { problems, warnings, declared: { providers: declared, skipsUnconfigured } }
}

interface ListedProvider {
  declared?: DeclaredProvider
  problem?: string
  warning?: string
}

/** Operators may not use TypeScript, so a provider can be anything. */
function listedProviders(providers: unknown): ListedProvider[] {
  if (!Array.isArray(providers)) return [{ problem: 'providers must be a list of providers.' }]
  return providers.map((provider: Provider, index) => {
    try {
      const { config, create } = callProvider(provider)
      const { id, type } = config
      if (typeof id !== 'string') return { problem: `providers[${index}] has no id.` }
      if (type === 'oauth' || type === 'oidc') return { declared: { config, create } }
      if (UNSUPPORTED_TYPES.includes(type)) {
        const warning = `The provider ${id} is left out: its type ${type} is not supported, only oauth and oidc are.`
        return { warning }
      }
      return { problem: `The provider ${id} has the type ${type}, which does not exist.` }
    } catch (error) {
      return { problem: `providers[${index}] cannot be read: ${error}.` }
    }
  })
}

function providerIdProblems(ids: readonly string[]): string[] {
  const invalid = ids.filter((id) => !PROVIDER_ID.test(id))
  const reserved = ids.filter((id) => RESERVED_PREFIXES.includes(settingPrefix(id)))
  const prefixes = ids.map(settingPrefix)
  const repeated = ids.filter((id, index) => prefixes.indexOf(settingPrefix(id)) !== index)
  return [
    ...invalid.map(
      (id) =>
        `The provider id ${id} cannot be part of a URL and a cookie name: use letters, digits and . _ ~ -, beginning with a letter or digit.`,
    ),
    ...reserved.map((id) => `The provider id ${id} is reserved: choose another one.`),
    ...repeated.map(
      (id) => `Two providers have the id ${id}, or ids whose settings have the same names.`,
    ),
  ]
}
