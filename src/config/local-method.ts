import type { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import type * as z from 'zod/mini'
import type { Messages } from '../messages/messages.ts'
import type { WebAuthnProviderType } from '../providers/common-options.ts'
import type {
  CredentialsConfig,
  CredentialsProviderType,
  EmailConfig,
  EmailProviderType,
  LocalBinding,
  LocalSetting,
  WebAuthnConfig,
} from '../providers/local-types.ts'
import type { AppContext, AppEnv } from './app-env.ts'
import type { Config } from './config.ts'

/** A provider whose users sign in on pages of this service. */
export type LocalProvider = EmailProvider | CredentialsProvider | PasskeyProvider

export type EmailProvider = EmailConfig & { method: LocalMethod }
export type CredentialsProvider = CredentialsConfig & { method: LocalMethod }
export type PasskeyProvider = WebAuthnConfig & { method: LocalMethod & PasskeyParts }

/** The types of these providers. */
export type LocalType = EmailProviderType | CredentialsProviderType | WebAuthnProviderType

/**
 * The code of a local method: email, credentials or passkeys. The function that creates a provider,
 * such as `Email()`, adds it to the provider, so that a deployment without the method does not
 * contain its code.
 */
export interface LocalMethod<Provider extends LocalProvider = LocalProvider> {
  /** The schema of a provider. */
  schema: z.ZodMiniType
  /** The settings of the environment that the provider reads. */
  settings?(provider: Provider): readonly LocalSetting[]
  /** The bindings that the provider uses. */
  bindings?(provider: Provider): readonly LocalBinding[]
  /** The id under which a sign-in finds an imported account; undefined if it is not an id. */
  normalizeAccountId?(provider: Provider, id: string): string | undefined
  /** The routes of the provider, with their complete paths. They precede those of src/signin. */
  createRoutes(provider: Provider): Hono<AppEnv>
  /** How the sign-in page offers the provider. */
  signInPart(c: AppContext, provider: Provider, options: SignInPartOptions): Promise<PagePart>
  /** The label of the link that adds an account, or another one, if not that of other providers. */
  linkLabel?(messages: Messages, hasAccount: boolean): string
  /** What the list of the user's accounts calls the provider, if not by its name. */
  accountName?(provider: Provider, messages: Messages): string
  /**
   * Sends a message without a code; absent if the provider sends none. Does nothing if it cannot,
   * and only logs a failure.
   */
  announce?(provider: Provider, deployment: Deployment, announcement: Announcement): Promise<void>
  /** What sentences such as “Sign in with …” call the provider, if not by its name. */
  methodName?(provider: Provider, messages: Messages): string
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

interface SignInPartOptions {
  messages: Messages
  /** The parameters of a request that starts a sign-in. */
  params: URLSearchParams
  /** Whether this browser last signed in with the provider. */
  isLastUsed: boolean
  /** Whether it is the most important action of the page. */
  isPrimary: boolean
  /** The name of the only account that a user who signs in again has at the provider. */
  account: string | undefined
}

/** What passkeys add to pages that do not belong to them. */
export interface PasskeyParts {
  /** What the account page adds for passkeys; undefined if users cannot have them. */
  accountPart(
    c: AppContext,
    options: { messages: Messages; userId: string },
  ): Promise<PasskeyAccountPart | undefined>
  /** The button with which a signed-in user proves to be present; undefined without a passkey. */
  confirmationPart(
    c: AppContext,
    options: Pick<SignInPartOptions, 'messages' | 'params'> & {
      /** The credential ids of the passkeys that are sufficient; undefined if all are. */
      sufficient: readonly string[] | undefined
    },
  ): Promise<PagePart | undefined>
  /** Tells the browser which passkeys the user still has, after one or the user was removed. */
  removedPart(
    c: AppContext,
    user: { id: string; isDeleted: boolean },
  ): Promise<PagePart | undefined>
  /** What pages call the change that a page of passkeys makes; undefined for any other page. */
  changeLabel(messages: Messages, pathname: string): string | undefined
}

interface PasskeyAccountPart {
  /** What the list of ways to sign in says about each passkey, by its credential id. */
  facts: ReadonlyMap<string, readonly string[]>
  /** Whether the user has fewer passkeys than anyone can have. */
  mayAdd: boolean
}

/** A part of a page that belongs to one local method. */
export interface PagePart {
  content: Child
  script?: string
}
