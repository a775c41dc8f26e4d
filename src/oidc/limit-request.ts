import type { AppContext } from '../http/app-env.ts'
import type { AuthorizationRequest } from './authorization-request.ts'

/** The request after each feature has limited it. */
export async function limitRequest(
  c: AppContext,
  request: AuthorizationRequest,
  isApproved: boolean,
): Promise<AuthorizationRequest> {
  let limited = request
  for (const feature of c.get('config').features) {
    limited = (await feature.limitRequest?.(c, limited, isApproved)) ?? limited
  }
  return limited
}
