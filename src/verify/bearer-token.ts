import { type RequestHeaders, readHeader } from './request-headers.ts'
import { TokenError } from './token-error.ts'

/** Longer than any token of the login service. */
const MAX_LENGTH = 8192

/** A token, or a request with one in its `Authorization` header. */
export type TokenSource = string | RequestHeaders

/** The token to verify. The scheme is case-insensitive (RFC 9110 §11.1). */
export function bearerToken(
  source: TokenSource,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const token = typeof source === 'string' ? source : readBearerToken(source)
  if (!token) throw new TokenError('token_missing', 'The request has no token.', { parameters })
  if (token.length > MAX_LENGTH || /[^\w.~+/=-]/.test(token)) {
    throw new TokenError('invalid_request', 'The token is malformed.', { parameters })
  }
  return token
}

function readBearerToken(request: RequestHeaders): string | undefined {
  return readHeader(request, 'authorization')?.match(/^bearer +(.*)$/i)?.[1]
}
