/** The errors of RFC 6750, 9449 and 9470, one for roles, and those that are not the client's fault. */
type TokenErrorCode =
  | 'token_missing'
  | 'invalid_request'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'insufficient_user_authentication'
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce'
  | 'insufficient_role'
  | 'forbidden'
  | 'unavailable'

const STATUS: Readonly<Record<TokenErrorCode, number>> = {
  token_missing: 401,
  invalid_request: 400,
  invalid_token: 401,
  insufficient_scope: 403,
  insufficient_user_authentication: 401,
  invalid_dpop_proof: 401,
  use_dpop_nonce: 401,
  insufficient_role: 403,
  forbidden: 403,
  unavailable: 503,
}

/** When a client should try again that could not be answered. */
const RETRY_AFTER = 5 // seconds

/** Why a request is rejected, and what the response to it has to say. */
export class TokenError extends Error {
  override readonly name = 'TokenError'
  readonly code: TokenErrorCode
  readonly status: number
  /**
   * `WWW-Authenticate` (RFC 6750 §3, RFC 9449 §7.1), with `DPoP-Nonce` if a proof needs one, or
   * `Retry-After` if the token could not be verified. Nothing if another token would not be accepted
   * either.
   */
  readonly headers: Readonly<Record<string, string>>

  /** The message is sent to the client. `parameters` are added to the challenge. */
  constructor(
    code: TokenErrorCode,
    message: string,
    {
      parameters = {},
      scheme = 'Bearer',
      nonce,
      ...options
    }: ErrorOptions & Partial<ChallengeOptions> & { nonce?: string | undefined } = {},
  ) {
    super(message, options)
    this.code = code
    this.status = STATUS[code]
    this.headers = {
      ...headersFor(code, message, { parameters, scheme }),
      ...(nonce !== undefined && { 'DPoP-Nonce': nonce }),
    }
  }

  /** The JSON that is sent with the status. */
  get body(): { error: string; error_description: string } {
    return { error: this.code, error_description: this.message }
  }

  toResponse(): Response {
    return Response.json(this.body, { status: this.status, headers: this.headers })
  }
}

function headersFor(
  code: TokenErrorCode,
  message: string,
  options: ChallengeOptions,
): Record<string, string> {
  if (code === 'unavailable') return { 'Retry-After': String(RETRY_AFTER) }
  if (code === 'forbidden' || code === 'insufficient_role') return {}
  return { 'WWW-Authenticate': challenge(code, message, options) }
}

export interface ChallengeOptions {
  parameters: Readonly<Record<string, string | undefined>>
  scheme?: 'Bearer' | 'DPoP'
}

/**
 * The value of `WWW-Authenticate`. A request without a token gets no error code (RFC 6750 §3.1).
 */
export function challenge(
  code: string,
  message: string,
  { parameters, scheme = 'Bearer' }: ChallengeOptions,
): string {
  const error = code === 'token_missing' ? {} : { error: code, error_description: message }
  const all = Object.entries({ ...error, ...parameters })
  const texts = all.flatMap(([name, value]) => (value === undefined ? [] : `${name}="${value}"`))
  return [scheme, texts.join(', ')].filter(Boolean).join(' ')
}
