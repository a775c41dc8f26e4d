import type { AuditSentences } from '../administration/audit-sentences.ts'
import { entryIdsAt } from '../core/audit/audit-log.ts'
import type { Requirement } from '../core/readiness/requirement.ts'
import { database } from '../core/storage/database.ts'
import { nowInSeconds } from '../foundation/values/clock.ts'

/** For how long `/readyz` warns after the last entry. */
const PERIOD = 24 * 3600 // seconds

/** What `/readyz` says about the events that show that the deployment must be corrected. */
export function auditReadiness(env: Env, id: string, audit: AuditSentences): Requirement[] {
  return Object.entries(audit).flatMap(([event, { correction }]) => {
    if (!correction) return []
    const use = async () => {
      const users = await countSubjects(env, event)
      if (users === 0) return undefined
      const problem = correction.problem.replace('{count}', String(users))
      return { problem, fix: correction.fix, isWarning: true }
    }
    // A database that does not respond is reported by its own check.
    return { name: id, use: () => use().catch(() => undefined) }
  })
}

async function countSubjects(env: Env, event: string): Promise<number> {
  const row = await database(env)
    .prepare(COUNT_SUBJECTS)
    .bind(event, entryIdsAt(nowInSeconds() - PERIOD))
    .first<{ subjects: number }>()
  return row?.subjects ?? 0
}

/** The index has no sign-ins. */
const COUNT_SUBJECTS = `
  SELECT count(DISTINCT subject) AS subjects FROM audit
  WHERE event = ?1 AND event <> 'sign_in' AND id >= ?2`
