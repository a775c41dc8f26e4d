import type * as z from 'zod/mini'
import type { LocalSetting, WebAuthnProviderType } from '../../provider-interface/common-options.ts'
import type {
  CredentialsConfig,
  CredentialsProviderType,
  EmailConfig,
  EmailProviderType,
  WebAuthnConfig,
} from '../../provider-interface/local-types.ts'
import type { FeatureTexts } from '../messages/languages.ts'
import type { Messages } from '../messages/messages.ts'
import type { Report } from '../metrics/counts.ts'
import type { Counters, Gauges } from '../metrics/metric-table.ts'
import type { RegisteringFeature } from '../registration-schemas/registration-part.ts'
import type { Mixins } from '../storage/extensible-objects.ts'
import type { AnyProvider } from './providers.ts'
import type { StepOccasion } from './step-occasion.ts'
import type { FeatureBinding, ListedFeature } from './vestibule-options.ts'

/**
 * Something that a deployment can do without. A folder `src/features/<id>/` has its code, and
 * `feature.ts` there returns this description; the core does not import it, and features do not
 * import each other. A feature may refuse what the core would allow, but not the opposite, except
 * where the core asks it and limits the answer (`wildcards`, `findClient`). It declares the
 * names that only it has, such as texts, limits and events; CONTRIBUTING.md lists what else to
 * change. Operators define theirs with `define-feature/`.
 *
 * These are its names, and what it needs. What it can add to a part of the core is declared there, in
 * `feature-members.ts` or beside the code that asks for it, which completes this interface.
 * docs/features.md lists all members, and which of our features have them.
 */
export interface Feature extends ListedFeature, RegisteringFeature {
  /** Its texts, in every language. `withTexts` makes them known to the compiler. */
  texts?: FeatureTexts
  /** What it seals values for. Each purpose has its own key. */
  seals?: readonly string[]
  /** The events that only it writes to the log. */
  log?: readonly string[]
  /** The codes of the errors that only it throws. */
  errors?: FeatureErrors
  /**
   * What it counts. One of the core's metrics, without `help`, has the values that it adds to the
   * labels.
   */
  metrics?: Counters
  /** What is read for the metrics when they are requested. */
  gauges?: Gauges
  /** The settings of the environment that it reads, which are validated with all others. */
  settings?: readonly FeatureSetting[]
  /** The settings that it adds to a provider. */
  providerSettings?(provider: AnyProvider): readonly FeatureSetting[]
  /** The bindings that it needs in wrangler.toml. */
  bindings?: readonly FeatureBinding[]
  /** Adds methods to object classes of the core. `UserRecords` are records in the user's object. */
  extend?: Mixins
  /** Stores what an isolate has counted for metrics, about three times a minute. */
  collectCounts?(env: Env, report: Report): Promise<void>
  /** What it asks of users before a session counts. */
  step?: Step
  /** The roles that users can have with it. */
  userRoles?: readonly string[]
  /** The fields of an export with what it keeps about a user, by key. */
  exportRecords?(
    records: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>> | undefined
}

export interface FeatureErrors {
  /** Of a `SignInError`, with a title and a text in `texts`. */
  users?: readonly string[]
  /** Of an `OAuthError`. */
  clients?: readonly string[]
}

/**
 * What a feature asks of users before a session counts. A session records the steps that it has
 * passed. One from before the step was listed, or of another version, is pending from then on.
 */
export interface Step {
  /** By default 1. It can depend on the roles of the user. */
  version?: number | ((user: StepUser | undefined) => number)
  /** The roles that it depends on, all of which users must be able to have. */
  roles?: readonly string[]
  /** When it is asked of users whose session counts. */
  dependsOn?: readonly StepOccasion[]
}

/** What the version of a step can depend on. Absent if nothing is stored about the user. */
export interface StepUser {
  id: string
  roles?: readonly string[]
}

/** A setting of the environment: a text, or any value that has a schema. */
export type FeatureSetting = LocalSetting | ValueSetting

/** A setting whose value `readSetting` of `define-feature/` returns. */
export interface ValueSetting<Value = unknown> {
  name: string
  /** A text that is JSON is parsed before, because a secret cannot be a table or a list. */
  schema: z.ZodMiniType<Value>
}

/** A provider whose users sign in on pages of this service, without its code. */
export type LocalConfig = EmailConfig | CredentialsConfig | WebAuthnConfig

/** The same with its code. */
export type LocalProvider = LocalConfig & { method: LocalMethod }

/** The types of these providers. */
export type LocalType = EmailProviderType | CredentialsProviderType | WebAuthnProviderType

/**
 * Such a provider as deployments list it. The function that creates it, such as `Email()`, adds
 * `method`, so that a deployment without the method does not contain its code.
 */
export type ListedLocalProvider<Provider extends LocalConfig = LocalConfig> = Provider & {
  method(provider: Provider): LocalMethod
}

/** The feature of a local provider, and what the core has to know about its accounts. */
export interface LocalMethod extends Feature {
  /** The schema of the provider. */
  schema: z.ZodMiniType
  /** Whether someone who signs in for the first time gets a user. */
  createsUsers?: boolean
  /** How it authenticates users (RFC 8176), from which `acr` follows. */
  amr?: readonly string[]
  /**
   * Whether the user's device creates the accounts: on a page of their own, because a sign-in cannot
   * add one, and with ids that the device chooses, so that they prove nothing.
   */
  isCreatedByDevice?: boolean
  /** What pages say about it, where that is not the same as for other providers. */
  labels?(messages: Messages): MethodLabels
}

/** What pages say about a local method. What is absent is the same as for other providers. */
export interface MethodLabels {
  /** What the list of the user's accounts calls the provider. */
  account?: string
  /** What sentences such as “Sign in with …” call it. */
  method?: string
  /** The links that add the first account, and another one. */
  addFirst?: string
  addAnother?: string
  removal?: RemovalTexts
  /** What the page that deletes the user says about the accounts. */
  deletionNote?: string
  /** What pages call the changes that its own pages make, by path. */
  changes?: Readonly<Record<string, string>>
}

/** What pages say about the removal of an account. */
export interface RemovalTexts {
  /** The link and the button. */
  remove: string
  /** Asks for confirmation. */
  title: string
  /** What the user can no longer do. */
  effect: string
  doneTitle: string
}
