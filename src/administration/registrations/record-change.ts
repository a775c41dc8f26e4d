import type { AuditEntry, AuditEvent } from '../../core/audit/audit-entry.ts'
import { auditStatementsIfChanged } from '../../core/audit/audit-log.ts'
import type { Config } from '../../core/config/config.ts'
import { dropSnapshot } from '../../core/registrations/snapshot.ts'
import { database } from '../../core/storage/database.ts'
import { requireStorage, UnavailableError } from '../../core/storage/unavailable-error.ts'

/** Makes one change and records it in the audit log. Returns false if it has changed no row. */
export async function recordChange<Event extends string = AuditEvent>(
  env: Env,
  config: Config,
  { statement, entry }: { statement: D1PreparedStatement; entry: AuditEntry<NoInfer<Event>> },
): Promise<boolean> {
  const [change] = await requireStorage(() =>
    database(env).batch([statement, ...auditStatementsIfChanged<Event>(env, config, entry)]),
  )
  dropSnapshot(config)
  return change?.meta.changes !== 0
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
