import * as z from 'zod/mini'
import { PLACEHOLDER_DOMAIN } from '../../foundation/values/email-address.ts'
import { parseJson } from '../../foundation/values/json.ts'
import type { GrantTerms } from '../grants/grant.ts'
import type { Client } from '../registration-schemas/clients.ts'
import { PROFILE_CLAIM_NAMES, profileClaims } from '../upstream/user-schema.ts'
import type { UpstreamAccount } from '../users/upstream-account.ts'
import { toClaims, type UserRecord } from '../users/user.ts'
import type { AuthorizationError } from './authorization-error.ts'

/**
 * {@link https://openid.net/specs/openid-connect-core-1_0.html#ScopeClaims}, as far as we have the
 * claims.
 */
const CLAIMS_BY_SCOPE: Record<string, readonly string[]> = {
  profile: ['name', ...PROFILE_CLAIM_NAMES, 'preferred_username', 'picture', 'profile'],
  email: ['email', 'email_verified'],
  /** Ours: further fields of the provider's profile. */
  platform: ['platform'],
}

/**
 * The `claims` parameter (OpenID Connect Core §5.5). Values of `acr` and `sub` are requirements, so
 * they are rejected if they cannot be understood. Few requests have it, so the schema is created
 * when it is needed.
 */
const claimsSchema = () =>
  z.object({
    userinfo: z.optional(z.unknown()),
    id_token: z.nullish(
      z.looseObject({
        acr: z.nullish(
          z
            .object({
              essential: z.optional(z.boolean()),
              value: z.optional(z.string()),
              values: z.optional(z.array(z.string())),
            })
            .check(z.refine(({ value, values }) => value === undefined || values === undefined)),
        ),
        sub: z.nullish(
          z.object({ value: z.optional(z.string()), values: z.optional(z.undefined()) }),
        ),
      }),
    ),
  })

export type ClaimsParameter = z.infer<ReturnType<typeof claimsSchema>>

export function parseClaimsParameter(
  text: string | undefined,
  reject: (code: string, text: string) => AuthorizationError,
): ClaimsParameter {
  if (text === undefined) return {}
  const { data, error } = claimsSchema().safeParse(parseJson(text))
  if (data) return data
  const path = error.issues[0]?.path.slice(0, 2).join('.')
  throw reject('invalid_request', `claims is malformed${path ? `: ${path}` : ''}.`)
}

/**
 * The claims that are requested individually. Those outside the client's scope are dropped here,
 * because the user is not asked about them and the client's scope may be widened later.
 */
export function requestedClaims(
  { userinfo, id_token }: ClaimsParameter,
  client: Client,
): GrantTerms['claims'] {
  const allowed = claimsOfScopes(client.scope)
  const select = (part: unknown) =>
    Object.keys(Object(part)).filter((name) => allowed.includes(name))
  return { userinfo: select(userinfo), id_token: select(id_token) }
}

/**
 * The standard claims of a user. Apps that require an email address can be registered to get a
 * placeholder for users without one. It is unverified, and different for each user.
 */
export function userClaims(user: UserRecord, { placeholder_email }: Client): object {
  const claims = toClaims(user)
  if (!placeholder_email || claims.email !== undefined) return claims
  return { ...claims, email: `${user.id}@${PLACEHOLDER_DOMAIN}`, email_verified: false }
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

/** The further claims of the profile that the account has, which the user signed in with. */
export function accountClaims(account: Pick<UpstreamAccount, 'profileFields'> | undefined): object {
  return profileClaims(parseJson(account?.profileFields ?? '{}'))
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
