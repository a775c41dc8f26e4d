import type { AppContext } from '../http/app-env.ts'
import type { PendingRequest } from '../interaction/interaction.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { parseAuthorizationRequest } from './parse-authorization-request.ts'

/**
 * Validates a pending request again, because the client may have been changed meanwhile. If the user
 * has just approved it, they met its requirements before that.
 */
export async function parsePendingRequest(
  c: AppContext,
  pending: Pick<PendingRequest, 'params'>,
  isApproved: boolean,
): Promise<AuthorizationRequest> {
  const params = new URLSearchParams(pending.params)
  return limitRequest(c, await readRequest(c, params, isApproved), isApproved)
}

async function readRequest(
  c: AppContext,
  params: URLSearchParams,
  isApproved: boolean,
): Promise<AuthorizationRequest> {
  if (isApproved) for (const name of ['prompt', 'max_age']) params.delete(name)
  for (const feature of c.get('config').features) {
    const request = await feature.readRequest?.(c, params, isApproved)
    if (request) return request
  }
  return parseAuthorizationRequest(c, params)
}

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
