import type { OAuth2Config, TokenSet } from '../../provider-interface/oauth-types.ts'
import type { SignInCallbackInput } from '../config/callbacks.ts'
import type { Config } from '../config/config.ts'
import type { AppContext } from '../http/app-env.ts'
import type { SignInPageOptions, SignInPart } from '../pages/page-part.ts'
import type { AccountReference } from '../users/account-reference.ts'

declare module '../config/feature.ts' {
  interface Feature {
    /** A button, a form or a link of the sign-in pages; undefined if it has none. */
    signInPart?(c: AppContext, page: SignInPageOptions): Promise<SignInPart | undefined>
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
  }

  interface LocalMethod {
    /** The button with which a signed-in user proves to be present; undefined without an account. */
    confirmationPart?: Feature['signInPart']
  }
}
