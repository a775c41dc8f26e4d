import { waitUntil } from 'cloudflare:workers'
import type { AuditOrigin } from '../audit/audit-entry.ts'
import { runEvent } from '../callbacks/events.ts'
import type { Config } from '../config/config.ts'
import { deleteUserCompletely } from '../users/manage-users.ts'

/** Deletes a user and reports it to the deployment. Returns false if there is no such user. */
export async function deleteUserAsAdministrator(
  env: Env,
  config: Config,
  { userId, origin }: { userId: string; origin: AuditOrigin },
): Promise<boolean> {
  const isDeleted = await deleteUserCompletely(env, config, { userId, origin })
  if (isDeleted) {
    const payload = { user: { id: userId }, reason: 'administrator' } as const
    waitUntil(runEvent(config, 'deleteUser', payload, origin.requestId))
  }
  return isDeleted
}
