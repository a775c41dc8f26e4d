import { type GuardObject, guardObject } from '../../core/limits/guard-object.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { USE_LIMITS } from './limits.ts'

/**
 * The names of messages that were sent, and of the number of changes that wait for the next one, with
 * the user who was changed.
 */
const SENT = 'sent '
const WAITING = 'waiting '

/** Of the messages to one recipient, one user can cause this share: others may have the address. */
const USER_SHARE = 0.5

/** Changes that no message was sent for within a day are only on the account page. */
const WAITING_LIFETIME = 24 * 3600 // seconds

/** What the guard of a recipient does for announcements. */
interface AnnouncementGuard {
  /**
   * Counts an announcement about a user. Returns how many of their changes before it had no message of
   * their own, because there were too many; undefined if this one has none either.
   */
  countAnnouncement(userId: string): Promise<number | undefined>
}

/** The guard with this name, which counts the announcements to a recipient. */
export function announcementGuard(env: Env, name: string): AnnouncementGuard {
  return guardObject(env, name) as unknown as AnnouncementGuard
}

export function withAnnouncements(Base: typeof GuardObject): typeof GuardObject {
  return class extends Base implements AnnouncementGuard {
    async countAnnouncement(userId: string): Promise<number | undefined> {
      const [sent, waiting] = [`${SENT}${userId} `, `${WAITING}${userId} `]
      const former = this.rememberedNames().find((name) => name.startsWith(waiting))
      const count = Number(former?.slice(waiting.length) ?? 0)
      if (former !== undefined) await this.forget(waiting)
      const parts = [
        { prefix: SENT, factor: 1 },
        { prefix: sent, factor: USER_SHARE },
      ]
      const name = sent + crypto.randomUUID()
      const wait = await this.countUse(USE_LIMITS.announcements, name, parts)
      if (wait === 0) return count
      await this.remember(`${waiting}${count + 1}`, nowInSeconds() + WAITING_LIFETIME)
      return undefined
    }
  }
}
