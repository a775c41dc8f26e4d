import type { JWTPayload } from 'jose'

export type TokenKind = 'access' | 'session'

/** ID tokens and other JWTs of the login service are neither. */
export function kindOf(type: string | undefined, claims: JWTPayload): TokenKind | undefined {
  const typ = type?.toLowerCase().replace(/^application\//, '')
  if (typ === 'at+jwt') return 'access'
  if (typ !== 'jwt') return undefined
  const use = claims['token_use']
  return use === 'access' || use === 'session' ? use : undefined
}
