import { TokenError } from './token-error.ts'

/** Longer than any token of the login service. */
const MAX_LENGTH = 8192

/** A request of the Fetch API, of Node, or of a framework that passes on its headers. */
export interface RequestHeaders {
  headers: FetchHeaders | NodeHeaders
}

type FetchHeaders = Pick<Headers, 'get'>
type NodeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** A token, or a request with one in its `Authorization` header. */
export type TokenSource = string | RequestHeaders

/** The token to verify. The scheme is case-insensitive (RFC 9110 §11.1). */
export function bearerToken(
  source: TokenSource,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const token = typeof source === 'string' ? source : readHeader(source)
  if (!token) throw new TokenError('token_missing', 'The request has no token.', { parameters })
  if (token.length > MAX_LENGTH || /[^\w.~+/=-]/.test(token)) {
    throw new TokenError('invalid_request', 'The token is malformed.', { parameters })
  }
  return token
}

function readHeader({ headers }: RequestHeaders): string | undefined {
  const value = isFetchHeaders(headers) ? headers.get('Authorization') : headers['authorization']
  const text = typeof value === 'string' ? value : value?.join(', ')
  return text?.match(/^bearer +(.*)$/i)?.[1]
}

function isFetchHeaders(headers: RequestHeaders['headers']): headers is FetchHeaders {
  return typeof headers.get === 'function'
}
