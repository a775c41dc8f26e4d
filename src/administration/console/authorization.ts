import {
  currentHour,
  ENTRY,
  entryIdsAt,
  entryValues,
  pruneEntries,
} from '../../core/audit/audit-log.ts'
import { afterResponse } from '../../core/http/after-response.ts'
import type { AppContext } from '../../core/http/app-env.ts'
import { auditOrigin } from '../../core/http/audit.ts'
import { database } from '../../core/storage/database.ts'
import { isGranted } from '../admin-scopes.ts'
import type { OperationDescription } from '../operation-description.ts'

/** Whether the role of the signed-in administrator allows an operation. */
export function mayUse(c: AppContext, { scope }: Pick<OperationDescription, 'scope'>): boolean {
  return isGranted(scope, c.get('administrator')?.scopes ?? [])
}

/** The path of a denied attempt may have any length. */
const MAX_DETAIL_LENGTH = 100 // characters

/**
 * Records a denied attempt after the response, the first one of an actor in each hour: users and
 * clients can repeat it at will.
 */
export function recordDenied(c: AppContext, actor: string): void {
  const values = entryValues({
    ...auditOrigin(c, actor),
    event: 'admin_denied',
    outcome: 'denied',
    detail: `${c.req.method} ${c.req.path}`.slice(0, MAX_DETAIL_LENGTH),
  })
  afterResponse(c, recordFirst(c, values))
}

async function recordFirst(c: AppContext, values: ReturnType<typeof entryValues>): Promise<void> {
  await database(c.env).batch([
    database(c.env)
      .prepare(INSERT_FIRST_DENIAL)
      .bind(...values, entryIdsAt(currentHour())),
    ...pruneEntries(c.env, c.get('config')),
  ])
}

/** The index has no sign-ins; the condition lets it be used. */
const INSERT_FIRST_DENIAL = `
  INSERT INTO ${ENTRY} WHERE NOT EXISTS (SELECT 1 FROM audit
    WHERE event = ?3 AND event <> 'sign_in' AND id >= ?12 AND actor = ?5)`
