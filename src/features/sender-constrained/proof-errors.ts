import { OAuthError, type OAuthErrorOptions } from '../../foundation/errors/oauth-error.ts'

/** {@link https://www.rfc-editor.org/rfc/rfc9449#section-5} and §8. */
const PROOF_ERRORS = ['invalid_dpop_proof', 'use_dpop_nonce'] as const

/** The other one is of pushed requests (RFC 9126 §2.3). */
export const ERRORS = [...PROOF_ERRORS, 'request_not_supported'] as const

type ProofErrorCode = (typeof PROOF_ERRORS)[number]

/** A proof that is missing, invalid, or has no nonce of ours. */
export function proofError(
  code: ProofErrorCode,
  text: string,
  options: OAuthErrorOptions = {},
): OAuthError<ProofErrorCode> {
  return new OAuthError<ProofErrorCode>(code, text, options)
}
