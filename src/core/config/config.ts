import type { Seal } from '../../foundation/crypto/seal.ts'
import type { Problem } from '../../foundation/values/problem.ts'
import type { Languages } from '../messages/languages.ts'
import type { Api } from '../registration-schemas/apis.ts'
import type { Client } from '../registration-schemas/clients.ts'
import type { Callbacks } from './callbacks.ts'
import type { Events } from './events.ts'
import type { Feature, LocalProvider } from './feature.ts'
import type { Lifetimes } from './lifetimes.ts'
import type { RequiredSteps } from './passed-steps.ts'
import type { AnyProvider, DeclaredProviders } from './providers.ts'
import type { Theme } from './theme.ts'

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
  /** The versions of the steps that a session must have passed, by the ids of their features. */
  steps: RequiredSteps
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
  /** The ids of clients in the settings that cannot be used because of a problem. */
  disabledClients: readonly string[]
  /** The APIs that have settings of their own. */
  apis: readonly Api[]
  /** The identifiers of APIs in the settings that cannot be used because of a problem. */
  disabledApis: readonly string[]
  /** Whether one of them has no valid identifier, so that it may be any that is not in `apis`. */
  hasUnidentifiedApi: boolean
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
  /** The providers that cannot be used because of a problem with their settings, or are switched off. */
  disabledProviders: readonly (AnyProvider | LocalProvider)[]
  /** The ids of those that the operator has switched off. */
  switchedOff: readonly string[]
  /** The values of the settings that features, local methods and providers declare, by name. */
  declaredSettings: Readonly<Record<string, unknown>>
  redirectProxy: RedirectProxy
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

/**
 * Reads and validates a deployment's environment. Throws one error that lists everything wrong with
 * it.
 */
export type ReadConfig = (env: object) => Config
