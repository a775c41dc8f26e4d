import type { AuditEntry } from '../audit/audit-entry.ts'
import { auditStatements } from '../audit/audit-log.ts'
import type { Config } from '../config/config.ts'
import { database } from '../storage/database.ts'
import { UnavailableError } from '../storage/unavailable-error.ts'
import { dropSnapshot } from './snapshot.ts'

/**
 * Makes one change and records it in the audit log, both or neither. Returns false if the change
 * violates a constraint of the table.
 */
export async function recordChange(
  env: Env,
  config: Config,
  { statement, entry }: { statement: D1PreparedStatement; entry: AuditEntry },
): Promise<boolean> {
  try {
    await database(env).batch([statement, ...auditStatements(env, config, entry)])
  } catch (cause) {
    if (String(cause).includes('constraint failed')) return false
    throw new UnavailableError('The registration cannot be stored.', { cause })
  }
  dropSnapshot(config)
  return true
}

/** Two administrators seldom change the same registration at the same time. */
const MAX_TRIES = 3

/**
 * Repeats a change that was computed from a registration which somebody else has replaced
 * meanwhile. `change` returns undefined in that case.
 */
export async function repeatOnConflict<Result>(
  change: () => Promise<Result | undefined>,
): Promise<Result> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const result = await change()
    if (result !== undefined) return result
  }
  throw new UnavailableError('The registration is being changed by others.')
}
