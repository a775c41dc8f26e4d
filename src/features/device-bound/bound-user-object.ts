import { callUserObject, type UserObject } from '../../core/users/user-object.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { type BrowserKey, isSignedWith } from './signed-challenge.ts'

/** A session whose proofs fail is reported once in this time. */
const REPORT_INTERVAL = 3600 // seconds

/** What is stored with a bound session. */
interface StoredKey extends BrowserKey {
  /** When the newest challenge was created that the browser has signed, in milliseconds. */
  challengedAt: number
  /** When a failed proof was last reported. */
  reportedAt: number
}

/** A JWT of the browser, for a challenge that was sealed at this time. */
export interface SignedChallenge {
  token: string
  sealedAt: number
}

/**
 * The result of a proof. `failed` if another key has signed it, `replayed` if this challenge, or a
 * newer one, was used before, `ended` if there is no such session.
 */
export type ProofResult =
  | { kind: 'proved' | 'replayed' | 'ended' }
  | { kind: 'failed'; isReported: boolean }

/** What a user's object does for sessions that are bound to a key. */
export interface BoundUserObject {
  /** `second` if the session has a key already. */
  bindSession(
    secretDigest: string,
    binding: { proof: string; key: BrowserKey },
  ): 'bound' | 'second' | undefined
  proveKey(
    proof: string,
    signed: SignedChallenge,
    endsSession: boolean,
  ): ProofResult | Promise<ProofResult>
}

/** The keys of sessions are in the user's object, and so is the decision about their proofs. */
export function withBrowserKeys(Base: typeof UserObject): typeof UserObject {
  return class extends Base implements BoundUserObject {
    bindSession(
      secretDigest: string,
      { proof, key }: { proof: string; key: BrowserKey },
    ): 'bound' | 'second' | undefined {
      const stored: StoredKey = { ...key, challengedAt: 0, reportedAt: 0 }
      return this.stored.sessions.bind(secretDigest, { proof, data: JSON.stringify(stored) })
    }

    async proveKey(
      proof: string,
      { token, sealedAt }: SignedChallenge,
      endsSession: boolean,
    ): Promise<ProofResult> {
      const key = this.#readKey(proof)
      const isProved = key !== undefined && (await isSignedWith(key, token))
      // Other calls may have changed it meanwhile. From here on nothing waits.
      const { sessions } = this.stored
      const session = sessions.findBound(proof)
      if (!session) return { kind: 'ended' }
      const stored: StoredKey = JSON.parse(session.data)
      const change = (changed: Partial<StoredKey>) =>
        sessions.changeBinding({ proof, data: JSON.stringify({ ...stored, ...changed }) })
      if (isProved) {
        if (sealedAt <= stored.challengedAt) return { kind: 'replayed' }
        change({ challengedAt: sealedAt })
        return { kind: 'proved' }
      }
      const now = nowInSeconds()
      const isReported = endsSession || stored.reportedAt + REPORT_INTERVAL <= now
      if (endsSession) await this.endSessionById(session.sid)
      else if (isReported) change({ reportedAt: now })
      return { kind: 'failed', isReported }
    }

    #readKey(proof: string): BrowserKey | undefined {
      const session = this.stored.sessions.findBound(proof)
      return session && JSON.parse(session.data)
    }
  }
}

export function callBoundUser<Result>(
  env: Env,
  userId: string,
  call: (object: DurableObjectStub<UserObject & BoundUserObject>) => Result,
): Promise<Awaited<Result>> {
  return callUserObject(env, userId, (object) =>
    call(object as DurableObjectStub<UserObject & BoundUserObject>),
  )
}
