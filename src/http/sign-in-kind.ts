import type { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import type { LocalProvider } from '../config/local-providers.ts'
import type { Messages } from '../pages/messages/en.ts'
import type { AppContext, AppEnv } from './app-env.ts'

type Kind = LocalProvider['kind']

/** A part of a page that belongs to one provider. */
export interface PagePart {
  content: Child
  css?: string
  script?: string
}

interface SignInPartOptions {
  messages: Messages
  /** The parameters of a request that starts a sign-in. */
  params: URLSearchParams
  /** Whether this browser last signed in with the provider. */
  isLastUsed: boolean
}

interface AccountPartOptions {
  messages: Messages
  /** The parameters of a request that links an account. */
  params: URLSearchParams
  csrfToken: string
  userId: string
  /** The user's accounts at the provider. */
  accounts: readonly OwnAccount[]
  /** Whether the user could still sign in without one of these accounts. */
  hasOtherMethod: boolean
}

interface OwnAccount {
  accountId: string
  /** Identifies the account in the form that disconnects it. */
  digest: string
}

interface ConfirmationOptions {
  messages: Messages
  /** The parameters that say where the user continues. */
  params: URLSearchParams
}

/** What a type of provider adds to the service if its users sign in on pages of this service. */
export interface SignInKind<P extends LocalProvider = LocalProvider> extends Kind {
  /** The provider's routes, with their complete paths. They precede those of src/signin. */
  createRoutes(provider: P): Hono<AppEnv>
  /** How the sign-in page offers the provider. */
  signInPart(c: AppContext, provider: P, options: SignInPartOptions): Promise<PagePart>
  /** How the account page offers to add another way to sign in. */
  accountPart(c: AppContext, provider: P, options: AccountPartOptions): Promise<PagePart>
  /** What the list of the user's accounts calls the provider, if not by its name. */
  accountName?(provider: P, messages: Messages): string
  /** Whether {@link accountPart} lists the accounts of the provider, so that the page does not. */
  readonly listsAccounts?: boolean
  /** How a signed-in user can prove to be present, if they can with this provider. */
  confirmationPart?(
    c: AppContext,
    provider: P,
    options: ConfirmationOptions,
  ): Promise<PagePart | undefined>
}

/** The code behind the type of a provider. Only the functions that create providers set it. */
export function signInKind(provider: LocalProvider): SignInKind {
  return provider.kind as SignInKind
}
