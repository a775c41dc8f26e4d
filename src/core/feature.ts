import type { Hono } from 'hono'
import type { JWTPayload } from 'jose'
import type * as z from 'zod/mini'
import type { AuditSentences } from '../administration/audit-sentences.ts'
import type { OperationGroup } from '../administration/operation-group.ts'
import type { ClaimsCallbackInput, SignInCallbackInput, SignInFacts } from './config/callbacks.ts'
import type { Config } from './config/config.ts'
import type { AnyProvider } from './config/providers.ts'
import type { FeatureBinding, ListedFeature } from './config/vestibule-options.ts'
import type { AppContext, AppEnv } from './http/app-env.ts'
import type { Limits } from './limits/limit-table.ts'
import type { FeatureTexts } from './messages/languages.ts'
import type { Messages } from './messages/messages.ts'
import type { Counts, CredentialsAnswers } from './metrics/counts.ts'
import type { Counters } from './metrics/metric-table.ts'
import type { AuthorizationError } from './oidc/authorization-error.ts'
import type { AuthorizationRequest } from './oidc/authorization-request.ts'
import type { ConsentDecision, ConsentPart, ConsentRequest } from './oidc/consent-part.ts'
import type { GrantType } from './oidc/grant-type.ts'
import type { AccountSection } from './pages/account-section.ts'
import type {
  AccountPart,
  PageLink,
  PagePart,
  SignInPageOptions,
  SignInPart,
} from './pages/page-part.ts'
import type { LocalSetting, WebAuthnProviderType } from './provider-interface/common-options.ts'
import type {
  CredentialsConfig,
  CredentialsProviderType,
  EmailConfig,
  EmailProviderType,
  WebAuthnConfig,
} from './provider-interface/local-types.ts'
import type { OAuth2Config, TokenSet } from './provider-interface/oauth-types.ts'
import type { Requirement } from './readiness/requirement.ts'
import type { Api } from './registration-schemas/apis.ts'
import type { ProvenKey } from './registration-schemas/bound-tokens.ts'
import type { AuthenticatedClient, Client } from './registration-schemas/clients.ts'
import type { RegisteringFeature } from './registration-schemas/registration-part.ts'
import type { ClientRequest } from './registrations/client-request.ts'
import type { Mixins } from './storage/extensible-objects.ts'
import type { PresentedToken } from './tokens/presented-token.ts'
import type { AccountReference } from './users/account-reference.ts'
import type { Copies } from './users/directory-rows.ts'
import type { UserRecord } from './users/user.ts'

/*
 * What a feature can add to the core. It has types only, so that every folder can import it.
 * docs/features.md lists which of our features use each extension point.
 */

/**
 * Something that a deployment can do without. A folder `src/features/<id>/` has its code, and
 * `feature.ts` there returns this description; the core does not import it, and features do not
 * import each other. A feature may refuse what the core would allow, but not the opposite, except
 * where the core asks it and limits the answer (`matchesWildcard`, `findClient`). It declares the
 * names that only it has, such as texts, limits and events; CONTRIBUTING.md lists what else to
 * change. Operators define theirs with `define-feature/`.
 */
export interface Feature extends ListedFeature, RegisteringFeature {
  /** Its texts, in every language. `withTexts` makes them known to the compiler. */
  texts?: FeatureTexts
  /** The limits that guards count for it, by their names in docs/operations.md. */
  limits?: Limits
  /** What it seals values for. Each purpose has its own key. */
  seals?: readonly string[]
  /** The events of the audit log that only it records, and what the console says about them. */
  audit?: AuditSentences
  /** The events that only it writes to the log. */
  log?: readonly string[]
  /** The codes of the errors that only it throws. */
  errors?: {
    /** Of a `SignInError`, with a title and a text in `texts`. */
    users?: readonly string[]
    /** Of an `OAuthError`. */
    clients?: readonly string[]
  }
  /**
   * What it counts. One of the core's metrics, without `help`, has the values that it adds to the
   * labels.
   */
  metrics?: Counters
  /** The settings of the environment that it reads, which are validated with all others. */
  settings?: readonly FeatureSetting[]
  /** The settings that it adds to a provider. */
  providerSettings?(provider: AnyProvider): readonly FeatureSetting[]
  /** The bindings that it needs in wrangler.toml. */
  bindings?: readonly FeatureBinding[]
  /** Creates its routes, with complete paths. They precede those of the core. */
  routes?(): Hono<AppEnv>
  /** Routes that few isolates need, in an application of their own. */
  area?: FeatureArea
  /** Its fields of the discovery document, except `grant_types_supported`. */
  discovery?(config: Config): Readonly<Record<string, unknown>>
  /** The grant types that it adds to the token endpoint. */
  grantTypes?: readonly GrantType[]
  /** Binds tokens to keys of their clients. */
  boundTokens?: BoundTokens
  /**
   * The parameters of an authorization request that the client has sent before, if the query refers
   * to one. `readRequest` then reads them.
   */
  readPushedRequest?(c: AppContext, query: URLSearchParams): Promise<string | undefined>
  /**
   * An authorization request that did not arrive as a URL, but that a route of the feature started
   * with these parameters; undefined for any other. `isApproved`: the user has just approved it.
   */
  readRequest?(
    c: AppContext,
    params: URLSearchParams,
    isApproved: boolean,
  ): Promise<AuthorizationRequest | undefined>
  /** The claims that it adds to a token, or to userinfo. */
  claims?(
    token: Omit<ClaimsCallbackInput, 'fetch'> & { apis: readonly Api[] },
  ): Readonly<Record<string, unknown>> | undefined
  /**
   * Its claims as they are now, for the introspection of a token, which may have older ones. A refresh
   * token has no claims.
   */
  currentClaims?(token: {
    user: UserRecord
    client: Client
    claims?: JWTPayload
  }): Readonly<Record<string, unknown>> | undefined
  /**
   * What the user's object gets as `featureData` when the session is opened. It is called before
   * anything is stored.
   */
  signInData?(
    signIn: Pick<SignInCallbackInput, 'user' | 'account' | 'profile'>,
  ): Promise<string | undefined>
  /** Seals what is kept of a provider's tokens after a sign-in; undefined if nothing is. */
  keepTokens?(
    config: Config,
    provider: Pick<OAuth2Config<unknown>, 'keepsTokens' | 'account'>,
    signIn: { account: AccountReference; tokens: TokenSet },
  ): Promise<string | undefined>
  /** Adds methods to object classes of the core. `UserRecords` are records in the user's object. */
  extend?: Mixins
  /** What the Cron Trigger starts every minute, by name. The log names a job that fails. */
  schedule?: Readonly<Record<string, (env: Env, config: Config) => Promise<void>>>
  /** Stores what an isolate has counted for metrics, about three times a minute. */
  collectCounts?(env: Env, counts: Counts, answers: CredentialsAnswers): Promise<void>
  /** What `/readyz` checks, besides the bindings. */
  readiness?(env: Env, config: Config): readonly Requirement[]
  /** Operations for administrators, with their pages of the console. `admin()` serves them. */
  operations?: OperationGroup
  /** Whether a wildcard of a client stands for the origin of a page, which may not send credentials. */
  isPreviewOrigin?(env: Env, config: Config, origin: string): Promise<boolean>
  /** Finds a client by an id that no registration can have. */
  findClient?(env: Env, config: Config, request: ClientRequest): Promise<Client | undefined>
  /** The scopes that a client without a registration may have at an API; undefined: it has no access. */
  unregisteredScopes?(api: Api): readonly string[] | undefined
  /** What it asks of users before a session counts. */
  step?: Step
  /** A section of the account page; undefined if it has none for this user. */
  accountSection?(c: AppContext, session: SignedInUser): Promise<AccountSection | undefined>
  /** The fields of an export with what it keeps about a user, by key. */
  exportRecords?(
    records: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>> | undefined
  /** What the consent page says about an app, and what else the app gets. */
  consentPart?(messages: Messages, request: ConsentRequest): ConsentPart | undefined
  /** Reduces what an authorization request asks for, or requires more of the user. */
  limitRequest?(
    c: AppContext,
    request: AuthorizationRequest,
    isApproved: boolean,
  ): Promise<AuthorizationRequest>
  /** Runs before a user's consent is stored. Throws a SignInError if it is not accepted. */
  beforeConsent?(c: AppContext, request: ConsentDecision): Promise<void>
  /** A page for the user, instead of an error for the client. */
  errorPage?(c: AppContext, error: AuthorizationError): Promise<Response | undefined>
  /** A button, a form or a link of the sign-in pages; undefined if it has none. */
  signInPart?(c: AppContext, page: SignInPageOptions): Promise<SignInPart | undefined>
  /** What the account page says below the user's name. */
  profileDetails?(messages: Messages, user: UserRecord): readonly string[]
  /** The fields of an imported user, which are stored in the columns of `users` with their names. */
  importFields?(): Partial<Record<keyof Copies, z.ZodMiniType<string | undefined>>>
  /** What the account page says about accounts, and offers to change. */
  accountPart?(
    c: AppContext,
    page: { messages: Messages; userId: string },
  ): Promise<AccountPart | undefined>
  /** A link of this user's account page to a page of its own; undefined if they may not use it. */
  accountLink?(
    c: AppContext,
    page: { messages: Messages; userId: string },
  ): Promise<PageLink | undefined>
}

/** Binds tokens to keys of their clients. */
export interface BoundTokens {
  /**
   * The key that the sender of a token request has proved to have, to which the tokens are bound;
   * undefined if there is no proof. Throws if it is invalid, or missing and required.
   */
  proveKey(
    c: AppContext,
    request: { client: AuthenticatedClient; grantType: string },
  ): Promise<ProvenKey | undefined>
  /** Throws if the client may not have such tokens, or tokens without a key, for these APIs. */
  requireAllowed(client: AuthenticatedClient, apis: readonly Api[]): void
  /** Throws the error of a proof that the user's object has seen before. */
  rejectReplay(): never
  /**
   * Throws unless the sender of a request to one of our own APIs has proved to have the key that the
   * access token is bound to. Not called for a token of the scheme Bearer that is not bound.
   */
  verifyPossession(c: AppContext, token: PresentedToken & { claims: JWTPayload }): Promise<void>
}

/**
 * What a feature asks of users before a session counts. A session records the steps that it has
 * passed. One from before the step was listed, or of another version, is pending from then on.
 */
export interface Step {
  /** By default 1. It can depend on the roles of the user. */
  version?: number | ((user: StepUser | undefined) => number)
  /** Whether it depends on the app. Then it is also asked at each authorization request. */
  dependsOnApp?: boolean
  /** Whether it is also asked of administrators, whenever they use the console or its API. */
  isForAdministration?: boolean
  /** The path of the page on which the user passes it; undefined if nothing is asked of them. */
  required(c: AppContext, request: StepRequest): Promise<string | undefined>
  /**
   * Whether a grant of this user from before the step ends when it is used; by default, it stays.
   */
  endsGrants?(c: AppContext, user: { id: string }): Promise<boolean>
}

/** The user of a session. */
export interface SignedInUser {
  user: UserRecord
  /** The public id of the session. */
  sid: string
  signIn: SignInFacts
  /** The key of the account that has signed in. */
  method: string | undefined
}

/** What the version of a step can depend on. Absent if nothing is stored about the user. */
export type StepUser = Pick<UserRecord, 'id' | 'roles'>

/** Who signs in, and how. */
export interface StepRequest {
  user: UserRecord
  signIn: SignInFacts
  /** Whether the user has had a session in this browser before, and not of an unconfirmed account. */
  isKnownBrowser: boolean
  /** The app that the user signs in to; undefined for our own pages. */
  client: Client | undefined
  /** Whether an administrator is about to use the console or its API. */
  isAdministration: boolean
}

/** The routes below a path. The first request to it creates them, so that others do not wait. */
export interface FeatureArea {
  path: string
  /** The sizes in bytes that request bodies may have, by path, if not those of forms. */
  bodySizes?: Readonly<Record<string, number>>
  /** Creates them for a deployment with these features, with their complete paths. */
  createRoutes(features: readonly Feature[]): Hono<AppEnv>
  /** Responds to an error, if not with a page. */
  handleError?(error: Error, c: AppContext): Response | Promise<Response>
}

/** A setting of the environment: a text, or any value that has a schema. */
export type FeatureSetting = LocalSetting | ValueSetting

/** A setting whose value `readSetting` of `config/declared-settings.ts` returns. */
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
  /** Whether the user's device chooses the ids of accounts, so that they prove nothing. */
  hasChosenIds?: boolean
  /** Whether an account is added on a page of its own, and cannot be added again by a sign-in. */
  isAddedOnOwnPage?: boolean
  /** The id under which a sign-in finds an imported account; undefined if it is not an id. */
  normalizeAccountId?(id: string): string | undefined
  /** The label of the link that adds an account, or another one, if not that of other providers. */
  linkLabel?(messages: Messages, hasAccount: boolean): string
  /** What the list of the user's accounts calls the provider, if not by its name. */
  accountName?(messages: Messages): string
  /** What sentences such as “Sign in with …” call the provider, if not by its name. */
  methodName?(messages: Messages): string
  /** What pages say about the removal of an account, if not the same as for other providers. */
  removalTexts?(messages: Messages): RemovalTexts
  /** What the page that deletes the user says about the accounts. */
  deletionNote?(messages: Messages): string
  /** What pages call the change that a page of the method makes; undefined for any other page. */
  changeLabel?(messages: Messages, pathname: string): string | undefined
  /** The button with which a signed-in user proves to be present; undefined without an account. */
  confirmationPart?: Feature['signInPart']
  /** Part of the page that confirms that an account, or the user, was removed. */
  removedPart?(
    c: AppContext,
    user: { id: string; isDeleted: boolean },
  ): Promise<PagePart | undefined>
  /**
   * Sends a message without a code; absent if the provider sends none. Does nothing if it cannot,
   * and only logs a failure.
   */
  announce?(deployment: Deployment, announcement: Announcement): Promise<void>
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

/** What a message needs that is sent without a request of its recipient. */
export interface Deployment {
  env: Env
  config: Config
}

/** A message that a way to sign in was added or removed. */
export interface Announcement {
  messages: Messages
  to: string
  kind: 'added' | 'removed'
  /** What was added or removed. */
  method: string
  /** The browser and the place of the request, as far as they are known. */
  origin: string
}
