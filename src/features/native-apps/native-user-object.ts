import type { GrantRequest } from '../../core/users/authorization.ts'
import type { SessionOpening } from '../../core/users/session.ts'
import { callUserObject, type UserObject } from '../../core/users/user-object.ts'

/** What grants have as their redirect URI that no authorization request has opened. */
export const NATIVE_REDIRECT_URI = 'urn:vestibule:native-app'

/** Whether the app got a grant; `ended` if the user was blocked or the account disconnected. */
type AppSessionResult = 'granted' | 'interaction_required' | 'ended'

/** What a user's object does for apps that sign the user in by themselves. */
export interface NativeUserObject {
  /** Opens a session that belongs to the app, with one grant, or neither of them. */
  openAppSession(opening: SessionOpening, request: GrantRequest): Promise<AppSessionResult>
}

export function withAppSessions(Base: typeof UserObject): typeof UserObject {
  return class extends Base implements NativeUserObject {
    async openAppSession(
      opening: SessionOpening,
      request: GrantRequest,
    ): Promise<AppSessionResult> {
      const opened = await this.openSession({ ...opening, upstream: this.#withKeptTokens(opening) })
      if (!opened) return 'ended'
      // A change that the user has to be told about is shown on a page.
      const mustSeeChange = opened.methodsChangedAt !== undefined
      const isGranted =
        !mustSeeChange && (await this.authorize(opening.secretDigest, request)).kind === 'granted'
      if (isGranted) return 'granted'
      await this.endSession(opening.secretDigest)
      return 'interaction_required'
    }

    /** The session of an app ends with its grant: it has no browser that could use it. */
    override async endGrant(grantId: string, clientId: string): Promise<boolean> {
      const terms = this.stored.grants.read(grantId)
      const isEnded = await super.endGrant(grantId, clientId)
      if (isEnded && terms?.redirectUri === NATIVE_REDIRECT_URI) {
        await this.endSessionById(terms.sid)
      }
      return isEnded
    }

    /** An ID token comes without the provider's tokens, so those of the last sign-in are kept. */
    #withKeptTokens({ upstream, account }: SessionOpening): SessionOpening['upstream'] {
      const former = this.stored.upstream.find(account)
      if (!upstream || !former || upstream.scope.length > 0) return upstream
      const { scope, sealedTokens, idInTokens } = former
      return { ...upstream, scope, sealedTokens, idInTokens }
    }
  }
}

export function callNativeUser<Result>(
  env: Env,
  userId: string,
  call: (object: DurableObjectStub<UserObject & NativeUserObject>) => Result,
): Promise<Awaited<Result>> {
  return callUserObject(env, userId, (object) =>
    call(object as DurableObjectStub<UserObject & NativeUserObject>),
  )
}
