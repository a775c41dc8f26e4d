import type { Client } from '../config/clients.ts'
import type { AuthorizationError } from '../errors.ts'
import type { GrantTerms } from '../grants/grant.ts'
import { parseObject } from '../json.ts'
import type { Upstream } from '../users/session.ts'

/** {@link https://openid.net/specs/openid-connect-core-1_0.html#ScopeClaims}, as far as we know them. */
const BY_SCOPE: Record<string, readonly string[]> = {
  profile: ['name', 'preferred_username', 'picture', 'profile'],
  email: ['email', 'email_verified'],
  /** Ours: what only the platform knows. */
  platform: ['platform'],
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

/** The person a client insists on (OpenID Connect Core §5.5.1): nobody else will do. */
export function subjectAsked(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const { id_token } = parseObject(text) ?? {}
  const { sub } = (id_token ?? {}) as { sub?: { value?: unknown } | null }
  return typeof sub?.value === 'string' ? sub.value : undefined
}

/** The claims of these scopes, and those that were asked for one by one within what the client may have. */
export function claimsFor(
  known: object,
  scope: readonly string[],
  asked: { names: readonly string[]; client: Client },
): Record<string, unknown> {
  const allowed = new Set<string>(namesOf(asked.client.scope))
  const names = new Set<string>([
    ...namesOf(scope),
    ...asked.names.filter((name) => allowed.has(name)),
  ])
  return Object.fromEntries(Object.entries(known).filter(([name]) => names.has(name)))
}

/** What the platform said of the person, in its own words, and when: by then it was so. */
export function platformClaim(upstream: Upstream | undefined): { platform?: object } {
  if (!upstream) return {}
  const { provider, extras, readAt } = upstream
  return { platform: { provider, ...extras, read_at: readAt } }
}

/** The scopes whose claims are asked for one by one: who is asked for consent is asked for those, too. */
export function scopesAsked(
  { userinfo, id_token }: GrantTerms['claims'],
  client: Client,
): string[] {
  const asked = [...userinfo, ...id_token]
  return client.scope.filter((one) => BY_SCOPE[one]?.some((name) => asked.includes(name)))
}

function namesOf(scope: readonly string[]): string[] {
  return scope.flatMap((one) => BY_SCOPE[one] ?? [])
}

function namesIn(part: unknown): string[] {
  return part && typeof part === 'object' ? Object.keys(part).slice(0, 50) : []
}
