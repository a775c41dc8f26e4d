import { readConfig } from '../config/config.ts'
import { mintLogoutToken } from '../tokens/sign.ts'
import { postForm } from '../upstream/bounded-fetch.ts'
import type { LogoutNotice } from './logout-outbox.ts'

/** Tells a client that a session has ended (OpenID Connect Back-Channel Logout §2.5). Says whether it has heard. */
export async function tellClient(env: Env, userId: string, notice: LogoutNotice): Promise<boolean> {
  const config = readConfig(env)
  const client = config.clients.find(({ client_id }) => client_id === notice.client_id)
  if (!client?.backchannel_logout_uri) return true
  try {
    const about = { sub: userId, sid: notice.sid }
    const logout_token = await mintLogoutToken(env, config, client, about)
    const status = await postForm(client.backchannel_logout_uri, { logout_token })
    return status >= 200 && status < 300
  } catch {
    return false
  }
}
