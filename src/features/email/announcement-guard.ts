import { type GuardObject, guardObject } from '../../core/limits/guard-object.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { USE_LIMITS } from './limits.ts'

/** The names of messages that were sent, and of the number of changes that wait for the next one. */
const SENT = 'sent '
const WAITING = 'waiting '

/** Changes that no message was sent for within a day are only on the account page. */
const WAITING_LIFETIME = 24 * 3600 // seconds

/** What the guard of a recipient does for announcements. */
interface AnnouncementGuard {
  /**
   * Counts an announcement. Returns how many changes before it had no message of their own, because
   * there were too many; undefined if this one has none either.
   */
  countAnnouncement(): Promise<number | undefined>
}

/** The guard with this name, which counts the announcements to a recipient. */
export function announcementGuard(env: Env, name: string): AnnouncementGuard {
  return guardObject(env, name) as unknown as AnnouncementGuard
}

export function withAnnouncements(Base: typeof GuardObject): typeof GuardObject {
  return class extends Base implements AnnouncementGuard {
    async countAnnouncement(): Promise<number | undefined> {
      const [waiting] = this.rememberedNames().filter((name) => name.startsWith(WAITING))
      const count = Number(waiting?.slice(WAITING.length) ?? 0)
      if (waiting !== undefined) await this.forget(WAITING)
      const sent = [{ prefix: SENT, factor: 1 }]
      const wait = await this.countUse(USE_LIMITS.announcements, SENT + crypto.randomUUID(), sent)
      if (wait === 0) return count
      await this.remember(`${WAITING}${count + 1}`, nowInSeconds() + WAITING_LIFETIME)
      return undefined
    }
  }
}
