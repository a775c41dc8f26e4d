import { requireStorage } from '../../core/storage/unavailable-error.ts'
import { accountKey } from '../../core/users/account-reference.ts'
import { type UserObject, userObject } from '../../core/users/user-object.ts'
import {
  type Passkey,
  type PasskeyCopy,
  Passkeys,
  type PasskeyUse,
  type PasskeyUseResult,
  passkeyAccount,
} from './passkeys.ts'

/** What the object of a user does for their passkeys. */
export interface PasskeyObject {
  /** Returns false if the user has too many passkeys, or was blocked or deleted. */
  addPasskey(passkey: Passkey): boolean
  /**
   * Adds a passkey that was lost, unless it was removed after the directory had read its copy. Also
   * returns false for the reasons of {@link addPasskey}.
   */
  restorePasskey(copy: PasskeyCopy): boolean
  findPasskey(credentialId: string): Passkey | undefined
  listPasskeys(): Passkey[]
  /** Records a verified assertion. Of two with the same counter, one is accepted. */
  usePasskey(use: PasskeyUse): PasskeyUseResult
  renamePasskey(credentialId: string, name: string): void
  removePasskey(credentialId: string): void
}

export function withPasskeys(Base: typeof UserObject): typeof UserObject {
  return class extends Base implements PasskeyObject {
    readonly #passkeys = this.stored.addRecords(new Passkeys(this.ctx.storage.kv))

    addPasskey(passkey: Passkey): boolean {
      if (this.stored.status.isBlockedOrDeleted()) return false
      return this.#passkeys.add(passkey)
    }

    restorePasskey({ passkey, readAt }: PasskeyCopy): boolean {
      const key = accountKey(passkeyAccount(passkey.credentialId))
      if (this.stored.disconnections.isBefore(key, readAt)) return false
      return this.addPasskey(passkey)
    }

    findPasskey(credentialId: string): Passkey | undefined {
      return this.#passkeys.find(credentialId)
    }

    listPasskeys(): Passkey[] {
      return this.#passkeys.list()
    }

    usePasskey(use: PasskeyUse): PasskeyUseResult {
      return this.#passkeys.use(use)
    }

    renamePasskey(credentialId: string, name: string): void {
      this.#passkeys.rename(credentialId, name)
    }

    removePasskey(credentialId: string): void {
      this.#passkeys.delete(credentialId)
    }
  }
}

/** Calls the user's object. If it does not respond, the request fails with an `UnavailableError`. */
export function callPasskeyObject<Result>(
  env: Env,
  userId: string,
  call: (object: DurableObjectStub<UserObject & PasskeyObject>) => Result,
): Promise<Awaited<Result>> {
  const object = userObject(env, userId) as DurableObjectStub<UserObject & PasskeyObject>
  return requireStorage(() => call(object))
}
