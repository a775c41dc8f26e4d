/** The token in an Authorization header. The scheme is case-insensitive (RFC 9110 §11.1). */
export function bearerToken(header: string | undefined): string | undefined {
  return header?.match(/^bearer +(.+)$/i)?.[1]
}
