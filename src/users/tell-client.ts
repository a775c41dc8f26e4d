import { readConfig } from '../config.ts'
import { boundedFetch } from '../providers/bounded-fetch.ts'
import { mintLogoutToken } from '../tokens/mint.ts'
import type { LogoutNotice } from './logout-outbox.ts'

/** An answer to a logout token means nothing but its status. */
const LONGEST_ANSWER = 1024

/** Tells a client that a session has ended (OpenID Connect Back-Channel Logout §2.5). Says whether it has heard. */
export async function tellClient(env: Env, userId: string, notice: LogoutNotice): Promise<boolean> {
  const config = readConfig(env)
  const client = config.clients.find(({ client_id }) => client_id === notice.client_id)
  if (!client?.backchannel_logout_uri) return true
  try {
    const logoutToken = await mintLogoutToken(env, config, client, { sub: userId, sid: notice.sid })
    const response = await boundedFetch(
      client.backchannel_logout_uri,
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ logout_token: logoutToken }).toString(),
      },
      LONGEST_ANSWER,
    )
    return response.ok
  } catch {
    return false
  }
}
