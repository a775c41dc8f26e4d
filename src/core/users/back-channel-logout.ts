import type { Config } from '../config/config.ts'
import { postNotification } from '../fetch/post-notification.ts'
import { count, sendCounts } from '../metrics/count.ts'
import { findClientOrFail } from '../registrations/find-client.ts'
import { signLogoutToken } from '../tokens/sign.ts'
import type { LogoutNotice, LogoutOutbox } from './logout-outbox.ts'

/** Delivers due notices concurrently, so that a slow client delays nobody else. */
export async function deliverLogoutNotices(
  env: Env,
  config: Config,
  { outbox, userId }: { outbox: LogoutOutbox; userId: string },
): Promise<void> {
  const due = outbox.takeDue()
  if (due.length === 0) return
  await Promise.all(
    due.map(async (notice) => {
      if (await sendLogoutToken(env, config, { ...notice, userId })) {
        count('vestibule_logout_notices_total', { outcome: 'delivered' })
        return outbox.remove(notice)
      }
      const outcome = outbox.retryLater(notice) ? 'delayed' : 'given_up'
      count('vestibule_logout_notices_total', { outcome })
      const { clientId, attempts } = notice
      const event = `logout_${outcome}`
      console.warn(JSON.stringify({ event, clientId, attempts: attempts + 1 }))
    }),
  )
  await sendCounts(env, config)
}

/**
 * Notifies a client that a session has ended (OpenID Connect Back-Channel Logout §2.5). Returns
 * whether it acknowledged.
 */
export async function sendLogoutToken(
  env: Env,
  config: Config,
  { userId, clientId, sid }: LogoutNotice & { userId: string },
): Promise<boolean> {
  try {
    const client = await findClientOrFail(env, config, clientId)
    if (!client?.backchannel_logout_uri) return true
    const logout_token = await signLogoutToken(env, config, { client, userId, sid })
    const status = await postNotification(client.backchannel_logout_uri, {
      body: new URLSearchParams({ logout_token }),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    return status >= 200 && status < 300
  } catch {
    return false
  }
}
