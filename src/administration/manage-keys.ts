import type { AuditOrigin } from '../core/audit/audit-entry.ts'
import type { Config } from '../core/config/config.ts'
import { requireStorage } from '../core/storage/unavailable-error.ts'
import { forgetKeyring, keyringObject } from '../core/tokens/keyring.ts'
import type { KeyList, KeyRecord } from '../core/tokens/keyring-object.ts'
import { RotationTooEarlyError } from './rotation-too-early-error.ts'

/** All published keys, and when they are rotated next. */
export async function listKeys(env: Env): Promise<KeyList> {
  return requireStorage(() => keyringObject(env).list())
}

/**
 * Rotates the keys. A revocation removes all former keys at once; a planned rotation throws a
 * {@link RotationTooEarlyError} if verifiers may not have fetched the next keys yet, or if too many
 * retired keys are published.
 */
export async function rotateKeys(
  env: Env,
  config: Config,
  request: { isRevocation: boolean; origin: AuditOrigin },
): Promise<{ keys: KeyRecord[] }> {
  const result = await requireStorage(() => keyringObject(env).rotate(request))
  if (result.kind !== 'rotated') throw new RotationTooEarlyError(result.kind, result.possibleAt)
  forgetKeyring(config)
  return { keys: result.keys }
}
