import type { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import type { AppContext, AppEnv } from '../config/app-env.ts'
import type { LocalProvider, LocalProviderKind } from '../config/local-providers.ts'
import type { Messages } from '../messages/messages.ts'
import type { DateFormat } from './format.ts'
import type { RemovalTexts } from './removal-texts.ts'

/** A part of a page that belongs to one provider. */
export interface PagePart {
  content: Child
  script?: string
}

/** The scripts of several parts, each once; undefined if they have none. */
export function scriptOf(parts: readonly PagePart[]): string | undefined {
  const scripts = new Set(parts.flatMap(({ script = [] }) => script))
  return [...scripts].join('') || undefined
}

/** Whose account was removed. */
export interface RemovedPartUser {
  id: string
  /** Whether the user was deleted, with everything that they had. */
  isDeleted: boolean
}

interface SignInPartOptions {
  messages: Messages
  /** The parameters of a request that starts a sign-in. */
  params: URLSearchParams
  /** Whether this browser last signed in with the provider. */
  isLastUsed: boolean
  /** The name of the only account that a user who signs in again has at the provider. */
  account: string | undefined
}

interface AccountPartOptions {
  messages: Messages
  dates: DateFormat
  userId: string
  /** The user's accounts at the provider. */
  accounts: readonly OwnAccount[]
  /** Whether the user could still sign in without one of these accounts. */
  hasOtherMethod: boolean
}

interface OwnAccount {
  accountId: string
  /** Identifies the account in the addresses that change it. */
  digest: string
}

type ConfirmationOptions = Pick<SignInPartOptions, 'messages' | 'params'>

/** What a type of provider adds to the service if its users sign in on pages of this service. */
export interface SignInKind<Provider extends LocalProvider = LocalProvider>
  extends LocalProviderKind<Provider> {
  /** The provider's routes, with their complete paths. They precede those of src/signin. */
  createRoutes(provider: Provider): Hono<AppEnv>
  /** How the sign-in page offers the provider. */
  signInPart(c: AppContext, provider: Provider, options: SignInPartOptions): Promise<PagePart>
  /** A part of the account page that lists the provider's accounts and offers to add one, if the page's own list does not. */
  accountPart?(c: AppContext, provider: Provider, options: AccountPartOptions): Promise<PagePart>
  /** What pages call adding an account, or another one. */
  linkLabel(provider: Provider, messages: Messages, hasAccount: boolean): string
  /** The page on which an account is added, if not that of a sign-in. */
  readonly linkPath?: string
  /** What the list of the user's accounts calls the provider, if not by its name. */
  accountName?(provider: Provider, messages: Messages): string
  /** What sentences such as “Sign in with …” call it, if not by its name. */
  methodName?(provider: Provider, messages: Messages): string
  /** The page on which an account is renamed, if it can be, and what the account page calls this. */
  readonly renaming?: { path: string; label(messages: Messages): string }
  /** What pages say about the removal of an account, if not that it is disconnected. */
  removalTexts?(messages: Messages): RemovalTexts
  /** What a user with such an account should know before they delete themselves. */
  deletionNote?(messages: Messages): string
  /**
   * What the provider adds to the page that confirms that an account of the user was removed, or that the user was
   * deleted.
   */
  removedPart?(c: AppContext, user: RemovedPartUser): Promise<PagePart | undefined>
  /** How a signed-in user can prove to be present, if they can with this provider. */
  confirmationPart?(
    c: AppContext,
    provider: Provider,
    options: ConfirmationOptions,
  ): Promise<PagePart | undefined>
}

/** The code behind the type of a provider. Only the functions that create providers set it. */
export function signInKind(provider: LocalProvider): SignInKind {
  return provider.kind as SignInKind
}
