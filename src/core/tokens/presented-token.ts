/** How access tokens that are bound to a key are sent (RFC 9449 §7.1). */
export const BOUND = 'DPoP'

/** The type of an access token, and the scheme of the header with it. */
export type TokenScheme = 'Bearer' | typeof BOUND

/** An access token, and how it is sent. */
export interface PresentedToken {
  scheme: TokenScheme
  token: string
}

/** The token in an Authorization header. The scheme is case-insensitive (RFC 9110 §11.1). */
export function presentedToken(header: string | undefined): PresentedToken | undefined {
  const [, name = '', token] = header?.match(/^([a-z]+) +(.+)$/i) ?? []
  const scheme = SCHEMES.find((known) => known.toLowerCase() === name.toLowerCase())
  return token === undefined || scheme === undefined ? undefined : { scheme, token }
}

const SCHEMES: readonly TokenScheme[] = ['Bearer', BOUND]
