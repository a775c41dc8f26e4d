import type { Child } from 'hono/jsx'
import type { Messages } from '../messages/messages.ts'
import type { AccountSection } from './account-section.ts'

/* The parts of pages that features add. */

/** A part of a page. */
export interface PagePart {
  content: Child
  script?: string
}

/** A part of a sign-in page. */
export interface SignInPart extends PagePart {
  /**
   * A button above all others, one below those of providers, a form among them, or a link below
   * them.
   */
  place: 'first' | 'button' | 'form' | 'link'
  /** Whether this browser last signed in with it: a form then precedes the buttons. */
  isLastUsed?: boolean
}

/** What the parts of a sign-in page need to know about it. */
export interface SignInPageOptions {
  messages: Messages
  /** The parameters of a request that starts a sign-in. */
  params: URLSearchParams
  /** The providers whose buttons the page has. */
  providers: readonly { id: string; name: string; isFilled?: boolean }[]
  /** The provider that this browser last signed in with, if the page marks it. */
  lastUsed?: string | undefined
  /** Whether a signed-in user has to confirm that it is them. */
  mustConfirm?: boolean
  /** The accounts of the user that are sufficient; undefined if all are. */
  accounts?:
    | readonly { provider: string; accountId: string; label: string | undefined }[]
    | undefined
  /** Whether its button is the most important one of the page. */
  isPrimary?: boolean
}

/** A link to one of our pages. */
export interface PageLink {
  path: string
  label: string
}

/** What a feature adds to the account page. */
export interface AccountPart {
  /** What the page says below the user's name. */
  details?: readonly string[]
  /** A page for this user. */
  link?: PageLink | undefined
  section?: AccountSection | undefined
}

/** What the account page says about the accounts of a local method. */
export interface MethodPart {
  /** What the list of ways to sign in says about each of these accounts, by account id. */
  facts: ReadonlyMap<string, readonly string[]>
  /** A page that changes the account whose digest is the parameter `account`. */
  edit: PageLink
  /** A page that adds an account; absent if the user has too many. */
  add?: PageLink
  note?: string
}
