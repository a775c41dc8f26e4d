import { recordDenial } from '../../core/audit/audit-log.ts'
import { afterResponse } from '../../core/http/after-response.ts'
import type { AppContext } from '../../core/http/app-env.ts'
import { auditOrigin } from '../../core/http/audit.ts'
import { isGranted } from '../admin-scopes.ts'
import type { OperationDescription } from '../operation-description.ts'

/** Whether the role of the signed-in administrator allows an operation. */
export function mayUse(c: AppContext, { scope }: Pick<OperationDescription, 'scope'>): boolean {
  return isGranted(scope, c.get('administrator')?.scopes ?? [])
}

/** The path of a denied attempt may have any length. */
const MAX_DETAIL_LENGTH = 100 // characters

/** Records a denied attempt after the response. */
export function recordDenied(c: AppContext, actor: string): void {
  const denial = recordDenial(c.env, c.get('config'), {
    ...auditOrigin(c, actor),
    event: 'admin_denied',
    outcome: 'denied',
    detail: `${c.req.method} ${c.req.path}`.slice(0, MAX_DETAIL_LENGTH),
  })
  afterResponse(c, denial)
}
