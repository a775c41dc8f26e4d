import type { Config } from '../config/config.ts'
import { sendLogoutToken } from './back-channel-logout.ts'
import type { LogoutOutbox } from './logout-outbox.ts'

/** Delivers due notices concurrently, so that a slow client delays nobody else. */
export async function deliverLogoutNotices(
  env: Env,
  config: Config,
  { outbox, userId }: { outbox: LogoutOutbox; userId: string },
): Promise<void> {
  await Promise.all(
    outbox.takeDue().map(async (notice) => {
      if (await sendLogoutToken(env, config, { ...notice, userId })) {
        return outbox.delivered(notice)
      }
      const event = outbox.retryLater(notice) ? 'logout_delayed' : 'logout_given_up'
      const { clientId, attempts } = notice
      console.warn(JSON.stringify({ event, clientId, attempts: attempts + 1 }))
    }),
  )
}
