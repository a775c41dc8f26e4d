import * as z from 'zod/mini'
import { isObject } from '../../foundation/values/json.ts'
import { type Problem, validate } from '../../foundation/values/problem.ts'
import { type Shape, seconds, text } from '../../foundation/values/schemas.ts'
import { providerProblems } from '../../provider-interface/provider-schema.ts'
import type { Provider } from '../../provider-interface/types.ts'
import { createLanguages, type DeploymentMessages } from '../messages/languages.ts'
import type { Catalogue } from '../messages/messages.ts'
import { featureTextProblems, messagesSchema } from '../messages/messages-schema.ts'
import { unkeptTokens } from '../registration-schemas/client-problems.ts'
import { type Callbacks, callbacksSchema } from './callbacks.ts'
import type { DeclaredOptions } from './config.ts'
import { type Events, eventsSchema } from './events.ts'
import type { Feature, LocalProvider } from './feature.ts'
import {
  createLocalProvider,
  isLocalProvider,
  isLocalType,
  missingMethodProblem,
} from './local-providers.ts'
import { requiredSteps } from './passed-steps.ts'
import { callProvider, type DeclaredProvider, settingPrefix } from './providers.ts'
import { resolveLifetimes, type SessionOptions, sessionSchema } from './session-options.ts'
import { type Theme, themeSchema } from './theme.ts'
import { unknownRolesOfSteps } from './user-roles.ts'
import type { ListedFeature, VestibuleOptions } from './vestibule-options.ts'

function isContact(contact: string): boolean {
  const url = URL.parse(contact)
  const isEmail = url?.protocol === 'mailto:' && /.@./.test(url.pathname)
  return url?.protocol === 'https:' || isEmail
}

/** Providers are validated by the schema of their type, and messages together with English. */
export const optionsSchema = z.strictObject({
  providers: z.array(z.custom<Provider>(), 'must be a list of providers.'),
  features: z.optional(z.array(z.custom<ListedFeature>(), 'must be a list of features.')),
  skipUnconfiguredProviders: z.optional(z.boolean()),
  theme: z.optional(z.custom<Theme>()),
  contact: z.optional(
    text([
      isContact,
      'must be an https: or mailto: URL, such as https://example.com/help or mailto:support@example.com.',
    ]),
  ),
  hsts: z.optional(z.strictObject({ includeSubDomains: z.optional(z.boolean()) })),
  messages: z.optional(z.custom<DeploymentMessages>()),
  callbacks: z.optional(z.custom<Callbacks>()),
  events: z.optional(z.custom<Events>()),
  session: z.optional(z.custom<SessionOptions>()),
  accessTokenLifetime: z.optional(seconds(300, 900)),
} satisfies Shape<VestibuleOptions>)

/** The schemas of options that many deployments do not have. They are built if the option is set. */
const OPTION_SCHEMAS = {
  theme: themeSchema,
  callbacks: callbacksSchema,
  events: eventsSchema,
  session: sessionSchema,
}

/** What is wrong with options, without providers, features and messages. */
export function optionProblems(options: VestibuleOptions): Problem[] {
  return [
    ...validate(optionsSchema, options).problems,
    ...Object.entries(OPTION_SCHEMAS).flatMap(([name, schema]) => {
      const option = options[name as keyof typeof OPTION_SCHEMAS]
      return option === undefined ? [] : validate<unknown>(schema(), option, [name]).problems
    }),
  ]
}

/** Part of URLs, of cookies and of stored accounts. */
const PROVIDER_ID = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/

/** Their settings would have the names of other settings. */
const RESERVED_PREFIXES = ['AUTH_REDIRECT_PROXY_', 'AUTH_SECRET_', 'AUTH_URL_']

interface ValidatedOptions {
  problems: Problem[]
  declared: DeclaredOptions
}

/**
 * Checks what can be checked without the environment. The texts of English are read only if the
 * deployment has texts of its own.
 */
export function validateOptions(
  options: VestibuleOptions,
  readEnglish: () => Catalogue,
): ValidatedOptions {
  const listed = Array.isArray(options.providers) ? options.providers.map(readProvider) : []
  const declared = listed.flatMap(({ declared }) => declared ?? [])
  const localProviders = listed.flatMap(({ local }) => local ?? [])
  const features = [
    ...(Array.isArray(options.features) ? options.features : []).filter(isFeature),
    ...localProviders.map(({ method }) => method),
  ]
  const ownTextProblems = featureTextProblems(features)
  const messages = messagesSchema(readEnglish, ownTextProblems.length > 0 ? [] : features)
  const problems = [
    ...optionProblems(options).map(explainRemoved),
    ...ownTextProblems,
    ...validate(z.optional(messages), options.messages, ['messages']).problems,
    ...featureProblems(options.features),
    ...unknownRolesOfSteps(features),
    ...listed.flatMap(({ problem }) => problem ?? []),
    ...providerIdProblems(
      [...declared.map(({ config }) => config), ...localProviders].map(({ id }) => id),
    ),
    ...unkeptTokens(features, tokenOptions(declared)),
    // Of many providers, only those that have settings are checked, once they are enabled.
    ...(options.skipUnconfiguredProviders
      ? []
      : declared.flatMap(({ config }) => providerProblems(config))),
    ...localProviders.flatMap(
      (provider) => validate(provider.method.schema, provider, ['providers', provider.id]).problems,
    ),
  ]
  const skipsUnconfigured = options.skipUnconfiguredProviders ?? false
  return {
    problems,
    declared: {
      providers: declared,
      localProviders,
      skipsUnconfigured,
      features,
      theme: options.theme ?? {},
      contact: options.contact,
      protectsSubDomains: options.hsts?.includeSubDomains ?? false,
      languages: createLanguages(
        problems.length > 0 ? {} : (options.messages ?? {}),
        problems.length > 0 ? [] : features,
      ),
      callbacks: options.callbacks ?? {},
      events: options.events ?? {},
      lifetimes: resolveLifetimes(options),
      steps: requiredSteps(features),
    },
  }
}

/** What replaces an option that earlier versions had. */
const REMOVED_OPTIONS: Readonly<Record<string, string>> = {
  adminSignIn: 'is no longer an option: list admin({ signIn: true }) under features.',
}

function explainRemoved(problem: Problem): Problem {
  const message = problem.path.length === 1 && REMOVED_OPTIONS[String(problem.path[0])]
  return message ? { ...problem, message } : problem
}

/** Operators may not use TypeScript, so a feature can be anything. */
function isFeature(feature: unknown): feature is Feature {
  return isObject(feature) && typeof feature['id'] === 'string'
}

function featureProblems(features: unknown): Problem[] {
  if (!Array.isArray(features)) return []
  const ids = features.map((feature) => (isFeature(feature) ? feature.id : undefined))
  return ids.flatMap((id, index): Problem[] => {
    const path = ['features', id ?? index]
    if (id === undefined) {
      const hint = typeof features[index] === 'function' ? ': call it, as in admin()' : ''
      return [{ path, code: 'invalid', message: `is not a feature${hint}.` }]
    }
    if (Object.hasOwn(features[index], 'type')) {
      return [{ path, code: 'invalid', message: 'is a provider: move it to providers.' }]
    }
    if (ids.indexOf(id) === index) return []
    return [{ path, code: 'invalid', message: 'is listed twice.' }]
  })
}

/** The options of providers that say that tokens are kept. */
function tokenOptions(providers: readonly DeclaredProvider[]): string[][] {
  return providers.flatMap(({ config }) => [
    ...(config.keepsTokens ? [['providers', config.id, 'keepsTokens']] : []),
    ...(config.account ? [['providers', config.id, 'account']] : []),
  ])
}

interface ListedProvider {
  declared?: DeclaredProvider
  local?: LocalProvider
  problem?: Problem
}

/** Operators may not use TypeScript, so a provider can be anything. */
function readProvider(provider: Provider, index: number): ListedProvider {
  const invalid = (key: string | number, message: string): ListedProvider => ({
    problem: { path: ['providers', key], code: 'invalid', message },
  })
  if (provider === undefined || provider === null) {
    return invalid(index, `is ${provider}: check the name that it is imported by.`)
  }
  try {
    const { config, create } = callProvider(provider)
    const { id, type } = config
    if (typeof id !== 'string') return invalid(index, 'has no id.')
    if (type === 'oauth' || type === 'oidc') return { declared: { config, create } }
    const local: unknown = config
    if (isLocalProvider(local)) return { local: createLocalProvider(local) }
    if (isLocalType(type)) return invalid(id, missingMethodProblem(type))
    return invalid(id, `has the type ${type}, which does not exist.`)
  } catch (error) {
    return invalid(index, `cannot be read: ${String(error).replace(/\.$/, '')}.`)
  }
}

/** The id of each provider is part of URLs, and of the names of cookies and settings. */
function providerIdProblems(ids: readonly string[]): Problem[] {
  const prefixes = ids.map(settingPrefix)
  return ids.flatMap((id, index) => {
    const prefix = settingPrefix(id)
    const messages = [
      ...(PROVIDER_ID.test(id)
        ? []
        : [
            'has an id that cannot be part of a URL and a cookie name: use letters, digits and . _ ~ -, beginning with a letter or digit.',
          ]),
      ...(RESERVED_PREFIXES.includes(prefix) ? ['has a reserved id: choose another one.'] : []),
      ...(prefixes.indexOf(prefix) === index
        ? []
        : ['has the id of another provider, or one whose settings have the same names.']),
    ]
    return messages.map((message) => ({ path: ['providers', id], code: 'invalid', message }))
  })
}
