import type { AuditEntry, AuditEvent, AuditOrigin } from '../audit/audit-entry.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { afterResponse } from './after-response.ts'
import type { AppContext } from './app-env.ts'
import { clientNetwork } from './client-ip.ts'

/** Who caused an event, for the audit log. */
export function auditOrigin(c: AppContext, actor: string): AuditOrigin {
  return { actor, network: clientNetwork(c), requestId: c.get('requestId') }
}

/** Records something that a user did and that changes nothing in D1, after the response. */
export function auditUserEvent<Event extends string = AuditEvent>(
  c: AppContext,
  userId: string,
  entry: Pick<AuditEntry<NoInfer<Event>>, 'event' | 'client' | 'provider' | 'detail'>,
): void {
  const origin = auditOrigin(c, userId)
  afterResponse(
    c,
    recordAuditEntry<Event>(c.env, c.get('config'), { ...origin, subject: userId, ...entry }),
  )
}
