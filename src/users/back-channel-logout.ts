import { findClient } from '../config/clients.ts'
import { readConfig } from '../config/config.ts'
import { signLogoutToken } from '../tokens/sign.ts'
import { postForm } from '../upstream/bounded-fetch.ts'
import type { LogoutNotice } from './logout-outbox.ts'

/** Notifies a client that a session has ended (OpenID Connect Back-Channel Logout §2.5). Returns whether it acknowledged. */
export async function sendLogoutToken(
  env: Env,
  userId: string,
  { clientId, sid }: LogoutNotice,
): Promise<boolean> {
  const config = readConfig(env)
  const client = findClient(config, clientId)
  if (!client?.backchannel_logout_uri) return true
  try {
    const logout_token = await signLogoutToken(env, config, { client, userId, sid })
    const status = await postForm(client.backchannel_logout_uri, { logout_token })
    return status >= 200 && status < 300
  } catch {
    return false
  }
}
