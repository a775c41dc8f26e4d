import type { Config } from '../../core/config/config.ts'
import { MAX_TOKEN_LIFETIME } from '../../core/registration-schemas/apis.ts'
import { credentialIds } from '../../core/registrations/credential-ids.ts'
import { listApis } from '../../core/registrations/find-api.ts'
import { COPY_LIFETIME } from '../../core/registrations/snapshot.ts'
import { forgetRevocations } from '../../core/revocations/client-revocations.ts'
import { EXPIRY_MARGIN } from '../../core/revocations/revocation.ts'
import { publishRevocations } from '../../core/revocations/revocations-object.ts'
import { requireStorage } from '../../core/storage/unavailable-error.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'

/** Why tokens of a client are revoked, and which: those issued until how many seconds from now. */
const REVOKED_UNTIL = {
  disabled: COPY_LIFETIME,
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
  const before = nowInSeconds() + REVOKED_UNTIL[reason]
  const expiresAt = await lastExpiry(env, config)
  const revocations = clientIds.map((id) => ({ id, before, expiresAt }))
  await requireStorage(async () => publishRevocations(env, revocations))
  forgetRevocations(config, clientIds)
}

/** Credentials that a client loses, and keys that it gets. */
interface CredentialChange {
  clientId: string
  removed: readonly string[]
  addedKeys: readonly string[]
}

/**
 * Revokes the tokens that a client obtained, or obtains from other isolates within the next minute,
 * with credentials that it loses. Those that it obtained with others stay valid. A key that it loses
 * and gets again can be used again. To be called like {@link revokeTokens}.
 */
export async function revokeCredentials(
  env: Env,
  config: Config,
  { clientId, removed, addedKeys }: CredentialChange,
): Promise<void> {
  if (removed.length === 0 && addedKeys.length === 0) return
  const idsOf = async (credentials: readonly string[]) =>
    (await Promise.all(credentials.map((each) => credentialIds(config, clientId, each)))).flat()
  const [removedIds, addedIds] = await Promise.all([idsOf(removed), idsOf(addedKeys)])
  const before = nowInSeconds() + REVOKED_UNTIL['valid from now on']
  const expiresAt = await lastExpiry(env, config)
  const revocations = [
    ...removedIds.map((id) => ({ id, expiresAt })),
    ...addedIds.map((id) => ({ id, before, expiresAt })),
  ]
  await requireStorage(async () => publishRevocations(env, revocations, clientId))
  forgetRevocations(config, [clientId])
}

/**
 * When all tokens of clients have expired that isolates issue until they know of a change. Those for
 * an API whose registration is now invalid had a lifetime that is not known any more.
 */
async function lastExpiry(env: Env, config: Config): Promise<number> {
  const { apis, hasUnusable } = await listApis(env, config)
  const lifetimes = hasUnusable
    ? [MAX_TOKEN_LIFETIME]
    : apis.map((api) => api.access_token_lifetime ?? 0)
  const longest = Math.max(config.lifetimes.accessToken, ...lifetimes)
  return nowInSeconds() + COPY_LIFETIME + longest + EXPIRY_MARGIN
}
