import { randomBytes } from 'node:crypto'
import type { AuditEvent } from '../../src/core/audit/audit-entry.ts'
import type { AdminEvent } from '../../src/features/admin/audit-sentences.ts'
import { nowInSeconds } from '../../src/foundation/values/clock.ts'

/**
 * A text as an SQL literal. Wrangler has no parameters, so values are checked before and quoted
 * here.
 */
export function quoteSql(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: SQLite ends a literal at a NUL character.
  if (/[\u0000-\u001f]/.test(text)) throw new RangeError('The value contains control characters.')
  return `'${text.replaceAll("'", "''")}'`
}

/**
 * The statement that records what a command changes, if the condition is met. It belongs to the
 * same transaction as the change, before it.
 */
export function auditSql(
  event: AuditEvent | AdminEvent,
  subject: string,
  condition: string,
  detail: string,
): string {
  const time = Date.now().toString(36).padStart(9, '0')
  const values = [
    quoteSql(`${time}_${randomBytes(16).toString('base64url')}`),
    String(nowInSeconds()),
    ...[event, 'ok', 'operator', subject, detail].map(quoteSql),
  ]
  return `INSERT INTO audit (id, at, event, outcome, actor, subject, detail) SELECT ${values.join(', ')} WHERE ${condition}`
}
