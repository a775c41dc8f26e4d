import type { AppContext } from '../core/http/app-env.ts'
import { auditOrigin } from '../core/http/audit.ts'
import type { OperationRequest } from './operation.ts'
import type { PathParameters } from './operation-description.ts'

const NO_PARAMETERS: PathParameters = {
  id: '',
  sid: '',
  account: '',
  client: '',
  secret: '',
  role: '',
  event: '',
}

/** The request of a caller, who is named as in the audit log, with the parameters of the URL. */
export function createOperationRequest(
  c: AppContext,
  { actor, scopes }: { actor: string; scopes: readonly string[] },
  request: { id?: string; query?: unknown; body?: unknown },
): OperationRequest<unknown, unknown> {
  return {
    ...NO_PARAMETERS,
    ...c.req.param(),
    env: c.env,
    config: c.get('config'),
    query: undefined,
    body: undefined,
    ...request,
    scopes,
    origin: auditOrigin(c, actor),
  }
}
