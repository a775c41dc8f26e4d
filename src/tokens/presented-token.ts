/** An access token, and how it is sent. A bound one must be sent with the scheme DPoP (RFC 9449). */
export interface PresentedToken {
  scheme: 'Bearer' | 'DPoP'
  token: string
}

/** The token in an Authorization header. The scheme is case-insensitive (RFC 9110 §11.1). */
export function presentedToken(header: string | undefined): PresentedToken | undefined {
  const [, scheme = '', token] = header?.match(/^(bearer|dpop) +(.+)$/i) ?? []
  if (token === undefined) return undefined
  return { scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer', token }
}
