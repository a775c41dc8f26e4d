import { OAuthError, type OAuthErrorOptions } from '../../foundation/errors/oauth-error.ts'

/** {@link https://www.rfc-editor.org/rfc/rfc9449#section-5} and §8. */
export const ERRORS = ['invalid_dpop_proof', 'use_dpop_nonce'] as const

type ProofErrorCode = (typeof ERRORS)[number]

/** A proof that is missing, invalid, or has no nonce of ours. */
export function proofError(
  code: ProofErrorCode,
  text: string,
  options: OAuthErrorOptions = {},
): OAuthError<ProofErrorCode> {
  return new OAuthError<ProofErrorCode>(code, text, options)
}
