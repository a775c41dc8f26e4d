import type * as z from 'zod/mini'
import type { Feature } from '../feature.ts'
import type { Messages } from '../messages/messages.ts'
import type { WebAuthnProviderType } from '../providers/common-options.ts'
import type {
  CredentialsConfig,
  CredentialsProviderType,
  EmailConfig,
  EmailProviderType,
  WebAuthnConfig,
} from '../providers/local-types.ts'
import type { AppContext } from './app-env.ts'
import type { Config } from './config.ts'
import type { PagePart } from './page-part.ts'

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
