import type { Config } from '../config/config.ts'
import type { AppContext } from '../http/app-env.ts'
import type { Messages } from '../messages/messages.ts'
import type { AccountPart, MethodPart, PagePart } from '../pages/page-part.ts'
import type { SignedInUser } from '../session/feature-members.ts'

/** What a message needs that is sent without a request of its recipient. */
export interface Deployment {
  env: Env
  config: Config
}

/** A message that a way to sign in was added or removed. */
export interface Announcement {
  messages: Messages
  /** The user whose ways to sign in have changed, and their address. */
  userId: string
  to: string
  kind: 'added' | 'removed'
  /** What was added or removed. */
  method: string
  /** The browser and the place of the request, as far as they are known. */
  origin: string
}

declare module '../config/feature.ts' {
  interface Feature {
    /** What it adds to the account page; undefined if it adds nothing for this user. */
    accountPart?(
      c: AppContext,
      signedIn: SignedInUser,
      messages: Messages,
    ): Promise<AccountPart | undefined>
  }

  interface LocalMethod {
    /** What the account page says about its accounts, and offers to change. */
    methodPart?(
      c: AppContext,
      page: { messages: Messages; userId: string },
    ): Promise<MethodPart | undefined>
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
