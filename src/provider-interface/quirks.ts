import { SignInError } from '../foundation/errors/sign-in-error.ts'
import type { BoundedFetch, TokenSet } from './oauth-types.ts'

/* Deviations from the standard that several providers share. */

/** The token response lacks `token_type`, or has values that are null (RFC 6749 §5.1). */
export async function completeTokens(response: Response): Promise<Response> {
  if (!response.ok) return response
  const tokens = Object.entries((await response.json()) as TokenSet)
  const present = tokens.filter(([, value]) => value !== null)
  return Response.json({ token_type: 'bearer', ...Object.fromEntries(present) })
}

/**
 * The token response of an OAuth 2 provider has an ID token that does not follow OpenID Connect,
 * and is not needed.
 */
export async function dropIdToken(response: Response): Promise<Response> {
  if (!response.ok) return response
  const { id_token: _, ...tokens } = (await response.json()) as TokenSet
  return Response.json(tokens)
}

/** A request of the profile that RFC 6750 does not describe: other headers, address or method. */
export async function requestJson<Profile>(
  fetch: BoundedFetch,
  address: string | URL,
  { headers, ...init }: { headers?: Record<string, string>; method?: string; body?: string } = {},
): Promise<Profile> {
  const response = await fetch(String(address), {
    ...init,
    // Some providers reject requests without a User-Agent.
    headers: { Accept: 'application/json', 'User-Agent': 'vestibule', ...headers },
  })
  if (!response.ok) throw new Error('The userinfo request failed.', { cause: response })
  return (await response.json()) as Profile
}

/** Rejects a profile of another account than that of the tokens it was requested with. */
export function requireSameAccount(idInProfile: unknown, idInTokens: unknown): void {
  if (idInProfile === idInTokens) return
  const hint = 'The profile and the tokens belong to different accounts.'
  throw new SignInError('provider_invalid', { detail: { hint } })
}

/** An address with these parameters in its query. */
export function withQuery(address: string, params: Record<string, string>): URL {
  const url = new URL(address)
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url
}

/**
 * The address of an endpoint below a self-hosted provider's own; empty as long as that is not set.
 */
export function below(issuer: string | undefined, path: string): string {
  return issuer ? issuer.replace(/\/$/, '') + path : ''
}

/** The parts of a name that are present. */
export function fullName(...parts: readonly (string | null | undefined)[]): string | undefined {
  return parts.filter(Boolean).join(' ') || undefined
}
