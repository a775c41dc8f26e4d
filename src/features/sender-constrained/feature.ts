import type { ListedFeature } from '../../config/vestibule-options.ts'
import type { Feature } from '../../feature.ts'
import { readPushedRequest, readRequest, requirePushed } from './pushed-requests.ts'
import { createRoutes } from './routes.ts'

export interface SenderConstrainedOptions {
  /** Every client must push its authorization requests, not only those that are registered so. */
  requirePushedRequests?: boolean
}

/** Authorization requests that clients push: {@link https://www.rfc-editor.org/rfc/rfc9126}. */
export function senderConstrained({
  requirePushedRequests = false,
}: SenderConstrainedOptions = {}): ListedFeature {
  const feature: Feature = {
    id: 'sender-constrained',
    routes: createRoutes,
    discovery: ({ issuer }) => ({
      pushed_authorization_request_endpoint: `${issuer}/oidc/par`,
      require_pushed_authorization_requests: requirePushedRequests,
    }),
    readPushedRequest,
    readRequest,
    limitRequest: (_c, request) => requirePushed(request, requirePushedRequests),
  }
  return feature
}
