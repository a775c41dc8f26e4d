/**
 * The errors of RFC 6749 §5.2 and its extensions, with their HTTP status. Features declare others,
 * whose status is 400, and pass their type.
 */
export const OAUTH_ERRORS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_token: 401,
  insufficient_scope: 403,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_token_type: 400,
  access_denied: 400,
  server_error: 500,
  temporarily_unavailable: 503,
  // As in authorization responses (OpenID Connect Core §3.1.2.6), of requests that were pushed, too.
  interaction_required: 400,
  request_not_supported: 400,
} as const

type OAuthErrorCode = keyof typeof OAUTH_ERRORS

type Status = (typeof OAUTH_ERRORS)[OAuthErrorCode] | 429

const STATUS: Readonly<Record<string, Status>> = OAUTH_ERRORS

type Scheme = 'Basic' | 'Bearer' | 'DPoP'

export interface OAuthErrorOptions {
  cause?: unknown
  /** The `WWW-Authenticate` scheme to respond with. */
  challenge?: Scheme
  /** Parameters of the challenge. */
  parameters?: Readonly<Record<string, string>>
  /** The request had no credentials at all, so the challenge names no error (RFC 6750 §3.1). */
  hasNoCredentials?: boolean
  status?: 401 | 429
  /** Clients expect it, so metrics do not count it as a failure. */
  isExpected?: boolean
}

/** A client called an endpoint incorrectly: becomes `{ error, error_description }`. */
export class OAuthError<Code extends string = OAuthErrorCode> extends Error {
  override readonly name = 'OAuthError'
  readonly code: string
  readonly status: Status
  readonly challenge: Scheme | undefined
  readonly parameters: Readonly<Record<string, string>>
  readonly hasNoCredentials: boolean
  readonly isExpected: boolean

  constructor(code: NoInfer<Code>, text: string, options: OAuthErrorOptions = {}) {
    super(text, { cause: options.cause })
    this.code = code
    this.status = options.status ?? STATUS[code] ?? 400
    this.challenge = options.challenge
    this.parameters = options.parameters ?? {}
    this.hasNoCredentials = options.hasNoCredentials ?? false
    this.isExpected = options.isExpected ?? false
  }
}
