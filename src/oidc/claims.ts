import type { AuthorizationError } from '../errors.ts'
import type { GrantTerms } from '../grants/grant.ts'
import { claimsOf, type UserClaims, type UserRecord } from '../users/user.ts'

/** {@link https://openid.net/specs/openid-connect-core-1_0.html#ScopeClaims}, as far as we know them. */
const BY_SCOPE: Record<string, readonly (keyof UserClaims)[]> = {
  profile: ['name', 'preferred_username', 'picture', 'profile'],
  email: ['email'],
}

/** The `claims` parameter: which claims are asked for one by one. */
export function readClaims(
  text: string | undefined,
  refuse: (code: string, text: string) => AuthorizationError,
): GrantTerms['claims'] {
  if (text === undefined) return { userinfo: [], id_token: [] }
  const asked = parseObject(text)
  if (!asked) throw refuse('invalid_request', 'claims is not a JSON object.')
  return { userinfo: namesIn(asked['userinfo']), id_token: namesIn(asked['id_token']) }
}

/** The claims a client gets: those of its scopes, and those it asked for. */
export function claimsFor(
  user: UserRecord,
  scope: readonly string[],
  asked: readonly string[],
): Partial<UserClaims> {
  const names = new Set<string>([...scope.flatMap((one) => BY_SCOPE[one] ?? []), ...asked])
  return Object.fromEntries(Object.entries(claimsOf(user)).filter(([name]) => names.has(name)))
}

function namesIn(part: unknown): string[] {
  return part && typeof part === 'object' ? Object.keys(part).slice(0, 50) : []
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return value && typeof value === 'object' && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
