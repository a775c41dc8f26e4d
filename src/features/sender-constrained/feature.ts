import type { Feature } from '../../core/config/feature.ts'
import type { ListedFeature } from '../../core/config/vestibule-options.ts'
import { requireKnownOptions } from '../../define-feature/known-options.ts'
import { PROOF_ALGORITHMS } from '../../foundation/resource-server/dpop-proof.ts'
import { findFapi2Problems, implyFapi2 } from './fapi2.ts'
import { ERRORS } from './proof-errors.ts'
import {
  proveKey,
  rejectReplay,
  requireAllowed,
  SEAL,
  useProof,
  verifyPossession,
} from './proofs.ts'
import { PUSHED, readPushedRequest, readRequest, requirePushed } from './pushed-requests.ts'
import { API_FIELDS, CLIENT_FIELDS } from './registration-fields.ts'
import { createRoutes } from './routes.ts'
import texts from './texts.json.txt'
import { withUsedProofs } from './used-proofs.ts'

export interface SenderConstrainedOptions {
  /** Every client must push its authorization requests, not only those that are registered so. */
  requirePushedRequests?: boolean
  /**
   * Every proof must have a nonce of the service, which clients get with the first error, so that no
   * proof can be created in advance.
   */
  requireNonce?: boolean
}

/**
 * Tokens that are bound to a key of the client, {@link https://www.rfc-editor.org/rfc/rfc9449}, and
 * authorization requests that clients push, {@link https://www.rfc-editor.org/rfc/rfc9126}. A client
 * with the profile `fapi2` needs both.
 */
export function senderConstrained({
  requirePushedRequests = false,
  requireNonce = false,
  ...others
}: SenderConstrainedOptions = {}): ListedFeature {
  requireKnownOptions('senderConstrained', others)
  const policy = { requireNonce }
  const feature: Feature = {
    id: 'sender-constrained',
    texts,
    seals: [PUSHED, SEAL],
    errors: { clients: ERRORS },
    registrations: {
      clients: { fields: CLIENT_FIELDS, problems: findFapi2Problems, imply: implyFapi2 },
      apis: { fields: API_FIELDS },
    },
    routes: () => createRoutes(policy),
    discovery: ({ issuer }) => ({
      pushed_authorization_request_endpoint: `${issuer}/oidc/par`,
      require_pushed_authorization_requests: requirePushedRequests,
      dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
    }),
    boundTokens: {
      proveKey: (c, client) => proveKey(c, client, policy),
      useProof,
      verifyPossession: (c, token) => verifyPossession(c, token, policy),
      requireAllowed,
      rejectReplay,
    },
    readPushedRequest,
    readRequest,
    limitRequest: (_c, request) => requirePushed(request, requirePushedRequests),
    extend: { UserObject: withUsedProofs },
  }
  return feature
}
