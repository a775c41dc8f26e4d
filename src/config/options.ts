import { createLanguages, type DeploymentMessages } from '../messages/languages.ts'
import { messageProblems } from '../messages/message-problems.ts'
import type { Provider } from '../providers/types.ts'
import { type Callbacks, callbackProblems } from './callbacks.ts'
import type { DeclaredOptions } from './config.ts'
import { type Events, eventProblems } from './events.ts'
import type { LocalProvider } from './local-method.ts'
import { isLocalProvider, isLocalType, missingMethodProblem } from './local-providers.ts'
import { providerProblems } from './provider-problems.ts'
import { callProvider, type DeclaredProvider, settingPrefix } from './providers.ts'
import { lifetimeProblems, resolveLifetimes, type SessionOptions } from './session-options.ts'
import { type Theme, themeProblems } from './theme.ts'

/** How a deployment differs from others in behaviour. Addresses, secrets and clients are settings. */
export interface VestibuleOptions {
  /** The services users sign in through, in the order of the sign-in page. */
  providers: readonly Provider[]
  /**
   * Leaves out providers that have no `AUTH_<ID>_…` setting. Without it, they are reported as
   * incomplete.
   */
  skipUnconfiguredProviders?: boolean
  /** How pages look. */
  theme?: Theme
  /** Where users get help: an https: or mailto: URL, to which error pages link. */
  contact?: string
  /** The texts of pages: sentences that replace ours, and additional languages. */
  messages?: DeploymentMessages
  /** Decisions about sign-ins, claims and return addresses. */
  callbacks?: Callbacks
  /** Notifications that run after the response. */
  events?: Events
  /** How long sessions and their tokens last. */
  session?: SessionOptions
  /**
   * The lifetime of access tokens in seconds. An API that verifies them offline accepts them for this
   * long after a sign-out. From 300 to 900, by default 600.
   */
  accessTokenLifetime?: number
}

/** The options that are known here; any other is a typing error. */
export const OPTION_NAMES = [
  'providers',
  'skipUnconfiguredProviders',
  'theme',
  'contact',
  'messages',
  'callbacks',
  'events',
  'session',
  'accessTokenLifetime',
]

/** Part of URLs, of cookies and of stored accounts. */
const PROVIDER_ID = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/

/** Their settings would have the names of other settings. */
const RESERVED_PREFIXES = ['AUTH_REDIRECT_PROXY_', 'AUTH_SECRET_', 'AUTH_URL_']

interface ValidatedOptions {
  /** What is wrong, in complete sentences. */
  problems: string[]
  declared: DeclaredOptions
}

/** Checks what can be checked without the environment. */
export function validateOptions(options: VestibuleOptions): ValidatedOptions {
  const unknown = Object.keys(options).filter((name) => !OPTION_NAMES.includes(name))
  const listed = listedProviders(options.providers)
  const declared = listed.flatMap(({ declared }) => declared ?? [])
  const localProviders = listed.flatMap(({ local }) => local ?? [])
  const theme = options.theme ?? {}
  const messages = options.messages ?? {}
  const problemsOfTheme = themeProblems(theme)
  const problemsOfMessages = messageProblems(messages)
  const problems = [
    ...unknown.map((name) => `${name} is not an option of createVestibule.`),
    ...listed.flatMap(({ problem }) => problem ?? []),
    ...(['boolean', 'undefined'].includes(typeof options.skipUnconfiguredProviders)
      ? []
      : ['skipUnconfiguredProviders must be true or false.']),
    ...providerIdProblems(
      [...declared.map(({ config }) => config), ...localProviders].map(({ id }) => id),
    ),
    // Of many providers, only those that have settings are checked, once they are enabled.
    ...(options.skipUnconfiguredProviders
      ? []
      : declared.flatMap(({ config }) => providerProblems(config))),
    ...localProviders.flatMap((provider) => provider.method.problems(provider)),
    ...problemsOfTheme,
    ...contactProblems(options.contact),
    ...problemsOfMessages,
    ...callbackProblems(options.callbacks),
    ...eventProblems(options.events),
    ...lifetimeProblems(options),
  ]
  const skipsUnconfigured = options.skipUnconfiguredProviders ?? false
  return {
    problems,
    declared: {
      providers: declared,
      localProviders,
      skipsUnconfigured,
      theme,
      contact: options.contact,
      languages: createLanguages(problemsOfMessages.length > 0 ? {} : messages),
      callbacks: options.callbacks ?? {},
      events: options.events ?? {},
      lifetimes: resolveLifetimes(options),
    },
  }
}

interface ListedProvider {
  declared?: DeclaredProvider
  local?: LocalProvider
  problem?: string
}

/** Operators may not use TypeScript, so a provider can be anything. */
function listedProviders(providers: unknown): ListedProvider[] {
  if (!Array.isArray(providers)) return [{ problem: 'providers must be a list of providers.' }]
  return providers.map((provider: Provider, index) => {
    if (provider === undefined || provider === null) {
      return {
        problem: `providers[${index}] is ${provider}: check the name that it is imported by.`,
      }
    }
    try {
      const { config, create } = callProvider(provider)
      const { id, type } = config
      if (typeof id !== 'string') return { problem: `providers[${index}] has no id.` }
      if (type === 'oauth' || type === 'oidc') return { declared: { config, create } }
      const local: unknown = config
      if (isLocalProvider(local)) return { local }
      if (isLocalType(type)) return { problem: missingMethodProblem(id, type) }
      return { problem: `The provider ${id} has the type ${type}, which does not exist.` }
    } catch (error) {
      return { problem: `providers[${index}] cannot be read: ${String(error).replace(/\.$/, '')}.` }
    }
  })
}

function contactProblems(contact: unknown): string[] {
  if (contact === undefined) return []
  const url = typeof contact === 'string' ? URL.parse(contact) : null
  const isAddress = url?.protocol === 'mailto:' && /.@./.test(url.pathname)
  if (url?.protocol === 'https:' || isAddress) return []
  return [
    'contact must be an https: or mailto: URL, such as https://example.com/help or mailto:support@example.com.',
  ]
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
