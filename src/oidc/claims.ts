import * as z from 'zod/mini'
import type { Client } from '../config/clients.ts'
import type { GrantTerms } from '../grants/grant.ts'
import type { UpstreamAccount } from '../users/upstream-account.ts'
import { parseJsonObject } from '../values/json.ts'
import type { AuthorizationError } from './authorization-error.ts'

/**
 * {@link https://openid.net/specs/openid-connect-core-1_0.html#ScopeClaims}, as far as we have the
 * claims.
 */
const CLAIMS_BY_SCOPE: Record<string, readonly string[]> = {
  profile: ['name', 'preferred_username', 'picture', 'profile'],
  email: ['email', 'email_verified'],
  /** Ours: further fields of the provider's profile. */
  platform: ['platform'],
}

/**
 * The `claims` parameter: the claims that are requested individually. Those outside the client's
 * scope are dropped here, because the user is not asked about them and the client's scope may be
 * widened later.
 */
export function readClaimsParameter(
  text: string | undefined,
  client: Client,
  reject: (code: string, text: string) => AuthorizationError,
): GrantTerms['claims'] {
  if (text === undefined) return { userinfo: [], id_token: [] }
  const requested = parseJsonObject(text)
  if (!requested) throw reject('invalid_request', 'claims is not a JSON object.')
  const allowed = claimsOfScopes(client.scope)
  const select = (part: unknown) => claimNames(part).filter((name) => allowed.includes(name))
  return { userinfo: select(requested['userinfo']), id_token: select(requested['id_token']) }
}

const claimsWithSubject = z.object({
  id_token: z.object({ sub: z.object({ value: z.string() }) }),
})

/** The user that the `claims` parameter requires (OpenID Connect Core §5.5.1). */
export function requestedSubject(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  return claimsWithSubject.safeParse(parseJsonObject(text)).data?.id_token.sub.value
}

/**
 * The claims of these scopes, and those requested individually if the client is still registered
 * for their scope.
 */
export function selectClaims(
  available: object,
  scope: readonly string[],
  requested: { names: readonly string[]; client: Client },
): Record<string, unknown> {
  const allowed = claimsOfScopes(requested.client.scope)
  const selected = new Set([
    ...claimsOfScopes(scope),
    ...requested.names.filter((name) => allowed.includes(name)),
  ])
  return Object.fromEntries(Object.entries(available).filter(([name]) => selected.has(name)))
}

/** The claim `platform`: further profile fields, and when the provider sent them. */
export function platformClaim(account: UpstreamAccount | undefined): { platform?: object } {
  if (!account) return {}
  const { provider, extras, readAt } = account
  return { platform: { provider, ...extras, read_at: readAt } }
}

/** The scopes of individually requested claims, which the user must consent to as well. */
export function scopesOfClaims(
  { userinfo, id_token }: GrantTerms['claims'],
  client: Client,
): string[] {
  const requested = [...userinfo, ...id_token]
  return client.scope.filter((scope) =>
    CLAIMS_BY_SCOPE[scope]?.some((name) => requested.includes(name)),
  )
}

/** The claims of these scopes. */
export function claimsOfScopes(scope: readonly string[]): string[] {
  return scope.flatMap((value) => CLAIMS_BY_SCOPE[value] ?? [])
}

function claimNames(part: unknown): string[] {
  return part && typeof part === 'object' ? Object.keys(part) : []
}
