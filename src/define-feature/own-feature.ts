import type { AuditSentences } from '../administration/audit-sentences.ts'
import type { CallbackClient, CallbackUser, SignInFacts } from '../core/config/callbacks.ts'
import type { StepOccasion } from '../core/config/step-occasion.ts'
import type { FeatureBinding } from '../core/config/vestibule-options.ts'
import type { TextsByLanguage } from '../core/messages/languages.ts'
import type { Messages } from '../core/messages/messages.ts'
import type { AccountSection } from '../core/pages/account-section.ts'
import type { UserOperationTexts } from './describe-operation.ts'
import type { UseLimits } from './limits.ts'

/*
 * The interface for features that is part of the package. `Feature`, whose types are those of the
 * core, changes with it.
 */

/** A feature of a deployment. */
export interface OwnFeature {
  /** Lower-case letters, digits and hyphens. */
  id: string
  /**
   * The bindings that it needs, which it reads from `env` of `cloudflare:workers`. `/readyz` and
   * `doctor` report those that are missing.
   */
  bindings?: readonly FeatureBinding[]

  /**
   * Its texts by language tag, such as `{ en: { 'terms.title': 'Terms of service' } }`, or the same as
   * JSON. A page is in English where it has no text in the language of the user.
   */
  texts?: TextsByLanguage | string
  /** How often something may happen, by name. */
  limits?: UseLimits
  /** What it seals values for. Each purpose has its own key. */
  seals?: readonly string[]
  /** The events of the audit log that it records, and what the console says about them. */
  audit?: AuditSentences

  /** What it asks of users before a session counts. */
  step?: OwnStep
  /** Pages for signed-in users, by path. Others are asked to sign in first. */
  pages?: Readonly<Record<string, OwnPage>>
  /** A section of the account page; undefined if it has none for this user. */
  accountSection?(context: PageContext): Promise<AccountSection | undefined>
  /** The fields of an export with what it keeps about a user, by key, without secrets. */
  exportRecords?(
    records: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>> | undefined
  /** What administrators can do about one user, by name, if the deployment has `admin()`. */
  operations?: Readonly<Record<string, UserOperation>>
  /** What the console shows on the page of a user, in English; undefined if it has nothing. */
  userCard?(
    context: FeatureContext,
  ): Promise<{ title: string; facts: readonly string[] } | undefined>
  /** What the Cron Trigger starts every minute, by name. The log names a job that fails. */
  schedule?: Readonly<Record<string, () => Promise<void>>>
}

/** What a feature can do for one user. */
export interface FeatureContext {
  user: CallbackUser
  /** The name of this service on its pages: its host. */
  serviceName: string
  /** What the feature keeps about the user. It is deleted with the user. */
  records: Records
  /** Encrypts a text for this user. With `lifetime`, in seconds, it can be opened until then. */
  seal(purpose: string, text: string, options?: { lifetime: number }): Promise<string>
  /**
   * Opens what was sealed for this purpose and user; undefined if it was not, or has expired. What is
   * kept in `records` is opened with `isStored`, also after a leaked `AUTH_SECRET` was replaced.
   */
  open(
    purpose: string,
    sealed: string,
    options?: { isStored: boolean },
  ): Promise<string | undefined>
  /**
   * Counts a use of a limit for this user, or for this user at one network. Returns for how many
   * seconds none is allowed; 0 if it was counted.
   */
  count(limit: string, options?: { perNetwork: boolean }): Promise<number>
  /** Forgets what was counted for this user. */
  forget(limit: string): Promise<void>
  /** Records an event of the user, after the response. */
  audit(event: string, detail?: string): void
  /** Tells the user, by email and on the account page, how their ways to sign in have changed. */
  announce(change: { kind: 'added' | 'removed'; title: string }): Promise<void>
  /** Whether the user is an administrator of this service. Reads the database. */
  isAdministrator(): Promise<boolean>
  /** Signs the user out everywhere, and ends what apps may do for them. */
  endSessions(): Promise<void>
}

/** Values by key, which are stored as JSON. */
export interface Records {
  get<Value>(key: string): Promise<Value | undefined>
  /**
   * Changes a value, unless `decide` returns nothing. If somebody else changes it meanwhile, `decide`
   * is called again with the new value. Returns its `result`. On a page, the request is rejected if
   * the session of the page has ended.
   */
  update<Value, Result = undefined>(
    key: string,
    decide: (
      value: Value | undefined,
    ) => Decision<Value, Result> | Promise<Decision<Value, Result>>,
    options?: { lifetime?: number },
  ): Promise<Result | undefined>
}

/** What a value is replaced by; undefined deletes it. Nothing is changed without a decision. */
export type Decision<Value, Result> = { value: Value | undefined; result?: Result } | undefined

/**
 * What a feature asks of users before a session counts. Sessions from before the step was listed, or
 * of another version of it, do not count until the user has passed it.
 */
export interface OwnStep {
  /** By default 1. It can depend on the roles of the user. */
  version?: number | ((user: { id: string; roles?: readonly string[] } | undefined) => number)
  /** The roles that it depends on. One that users cannot have is reported as a wrong option. */
  roles?: readonly string[]
  /**
   * When it is asked of users whose session counts: whenever an app asks for a code or a session token,
   * or an administrator uses the console or its API.
   */
  dependsOn?: readonly StepOccasion[]
  /** The path of the page on which the user passes it; undefined if nothing is asked of them. */
  required(context: StepContext): Promise<string | undefined>
  /**
   * Whether refresh tokens of this user from before the step are rejected; by default, they stay
   * valid.
   */
  endsGrants?(context: FeatureContext): Promise<boolean>
}

/** A request of the user. */
export interface RequestContext extends FeatureContext {
  signIn: SignInFacts
  /** The app that the user signs in to; absent for pages of this service. */
  client: CallbackClient | undefined
  /** The network of the request, as in the audit log; absent if it is not known. */
  network: string | undefined
  /** Its country as two letters, or `T1` for Tor; absent if it is not known. */
  country: string | undefined
}

export interface StepContext extends RequestContext {
  /** Whether the user has had a session in this browser before, and not of an unconfirmed account. */
  isKnownBrowser: boolean
  /** Whether an administrator is about to use the console or its API. */
  isAdministration: boolean
}

export interface OwnPage {
  /** Whether users pass the step of the feature on this page, so that they have no session yet. */
  isStep?: boolean
  /**
   * Whether users must have signed in within the last ten minutes, with as much proof as they can. On
   * the page of a step, the sign-in that waits for it is sufficient, unless it is that of a user who
   * is not new, and whom the provider may have asked nothing.
   */
  needsRecentSignIn?: boolean
  show(context: PageContext): OwnPageContent | Promise<OwnPageContent>
  /**
   * What the button does. The user then continues to the app that they came from, or to the account
   * page, unless this returns a page. On the page of a step, `required` is asked again, unless this
   * returns what the user has proved.
   */
  submit?(
    context: Submission,
    // biome-ignore lint/suspicious/noConfusingVoidType: most functions return nothing.
  ): Promise<OwnPageContent | StepProof | { done: string } | void>
}

/** The user has passed the step. */
export interface StepProof {
  /** Added to the claim `amr` (RFC 8176), such as `otp` and `mfa`; an empty list adds nothing. */
  amr: readonly string[]
  /**
   * Whether it proves that the user is present, whatever the first factor has proved. Not of a factor
   * that the user has only now chosen.
   */
  level?: 'proved'
  /** A page that the user sees before they continue. Its button leads on. */
  page?: OwnPageContent
}

export interface PageContext extends RequestContext {
  /** The texts of the language of the page: `withTexts<typeof en>(messages).t('terms.title')`. */
  messages: Messages
  /** The URL of another page of the feature, which continues where this one would. */
  url(path: string): string
  /**
   * Whether the sign-in has proved that it is the user, or they have no way to sign in that can. Reads
   * the database.
   */
  isProvedIfPossible(): Promise<boolean>
  /**
   * What must be stored with something that the user adds now to how they sign in, if it is not
   * proved that it is them; undefined if it is. Until they confirm it, it must count for nothing.
   */
  unconfirmedMark(): UnconfirmedMark | undefined
  /** Whether the user can confirm what was added with this mark: in another session, a day later. */
  mayConfirm(mark: UnconfirmedMark): boolean
}

/** Of something that somebody else may have added, in this session and at this time. */
export interface UnconfirmedMark {
  sid: string
  at: number
}

export interface Submission extends PageContext {
  /** The fields of the form. */
  form: FormData
}

export interface OwnPageContent {
  title: string
  /** A text, or the result of `html` of `hono/html`, in which values are escaped. */
  content: string | Promise<string>
  /** The label of the button, if the page has one. Form fields in `content` are sent with it. */
  button?: string
  /** Where else the user can go, below the button. */
  links?: readonly { url: string; label: string }[]
}

/** `POST /admin/api/users/:id/<feature>/<name>`, with a button in the console, and a command. */
export interface UserOperation extends UserOperationTexts {
  /** Returns a sentence that says why it cannot be done; undefined if it was done. */
  run(context: FeatureContext): Promise<string | undefined>
}
