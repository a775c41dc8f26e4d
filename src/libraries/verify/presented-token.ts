import { type ChallengeOptions, TokenError } from '../../foundation/resource-server/token-error.ts'
import { type RequestHeaders, readHeader } from './request-headers.ts'

/** Longer than any token of the login service. */
const MAX_LENGTH = 8192

/** What JavaScript writes into the header of an app that has no token, or has not awaited it. */
const NO_TOKEN = /^(undefined|null|true|false|NaN|\[object \w+\])$/

/** A token, or a request with one in its `Authorization` header. */
export type TokenSource = string | RequestHeaders

/** The token to verify, and how it was sent. */
export interface PresentedToken {
  scheme: 'Bearer' | 'DPoP'
  token: string
  /** Absent if only the token is known. */
  request: RequestHeaders | undefined
}

/** The token to verify. The scheme is case-insensitive (RFC 9110 §11.1). */
export function presentedToken(source: TokenSource, challenge: ChallengeOptions): PresentedToken {
  const { scheme, token } =
    typeof source === 'string' ? { scheme: 'Bearer' as const, token: source } : readToken(source)
  if (!token) throw new TokenError('token_missing', 'The request has no token.', challenge)
  if (NO_TOKEN.test(token)) {
    const message = `The app has sent ${token} instead of a token: it has none, or did not await it.`
    throw new TokenError('invalid_token', message, challenge)
  }
  if (token.length > MAX_LENGTH || /[^\w.~+/=-]/.test(token)) {
    throw new TokenError('invalid_request', 'The token is malformed.', challenge)
  }
  return { scheme, token, request: typeof source === 'string' ? undefined : source }
}

function readToken(request: RequestHeaders): Pick<PresentedToken, 'scheme'> & { token?: string } {
  const header = readHeader(request, 'authorization')
  const [, scheme = '', token] = header?.match(/^(bearer|dpop) +(.*)$/i) ?? []
  return {
    scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer',
    ...(token !== undefined && { token }),
  }
}
