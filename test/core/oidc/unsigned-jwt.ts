import { base64url } from 'jose'

/** One part of a JWT: JSON in base64url. */
export function encodeJson(value: unknown): string {
  return base64url.encode(JSON.stringify(value))
}

/** A JWT with an empty signature. */
export function unsignedJwt(claims: object, header: object = { alg: 'none' }): string {
  return `${encodeJson(header)}.${encodeJson(claims)}.`
}
