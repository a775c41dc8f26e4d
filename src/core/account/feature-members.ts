import type { Config } from '../config/config.ts'
import type { AppContext } from '../http/app-env.ts'
import type { Messages } from '../messages/messages.ts'
import type { AccountSection } from '../pages/account-section.ts'
import type { AccountPart, PageLink, PagePart } from '../pages/page-part.ts'
import type { SignedInUser } from '../session/feature-members.ts'
import type { UserRecord } from '../users/user.ts'

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

declare module '../config/feature.ts' {
  interface Feature {
    /** A section of the account page; undefined if it has none for this user. */
    accountSection?(c: AppContext, session: SignedInUser): Promise<AccountSection | undefined>
    /** What the account page says below the user's name. */
    profileDetails?(messages: Messages, user: UserRecord): readonly string[]
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

  interface LocalMethod {
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
}
