import type { Config } from '../config/config.ts'
import { EXPIRY_MARGIN } from '../revocations/revocation.ts'
import { publishRevocations } from '../revocations/revocations-object.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { nowInSeconds } from '../values/clock.ts'
import { listRegisteredApis } from './find-api.ts'

/** For how long other isolates may issue tokens to a client that was disabled. */
const COPY_LIFETIME = 65 // seconds

/** Why tokens of a client are revoked, and which: those issued until how many seconds from now. */
const REVOKED_UNTIL = {
  disabled: COPY_LIFETIME,
  'credential removed': 0,
  'valid from now on': -1,
}

/**
 * Revokes the tokens that were issued to clients, those of users too. To be called before the
 * change is stored, or again if the change is repeated: then a failure can be corrected.
 */
export async function revokeTokens(
  env: Env,
  config: Config,
  clientIds: readonly string[],
  reason: keyof typeof REVOKED_UNTIL,
): Promise<void> {
  const now = nowInSeconds()
  const apis = await listRegisteredApis(env, config)
  const lifetimes = apis.map((api) => api.access_token_lifetime ?? 0)
  const longest = Math.max(config.lifetimes.accessToken, ...lifetimes)
  const revocations = clientIds.map((id) => ({
    id,
    before: now + REVOKED_UNTIL[reason],
    expiresAt: now + COPY_LIFETIME + longest + EXPIRY_MARGIN,
  }))
  await requireStorage(async () => publishRevocations(env, revocations))
}
