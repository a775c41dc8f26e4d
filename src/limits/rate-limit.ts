import { OAuthError } from '../errors/oauth-error.ts'
import { SignInError } from '../errors/sign-in-error.ts'

/*
 * Cloudflare counts these requests where they arrive, without using our storage. Its counting is
 * approximate, so guessing secrets has a stricter limit of its own (see guess-limit.ts).
 */

/** Counts a request of a user or an IP address, and rejects it if there are too many. */
export async function limitPageRequests(env: Env, key: string): Promise<void> {
  const { success } = await env.USER_RATE_LIMIT.limit({ key })
  if (!success) throw new SignInError('too_many_requests')
}

/**
 * Whether requests to pages can be counted. They fail otherwise, except the one that reports it.
 */
export function hasPageRateLimit(env: Partial<Env>): boolean {
  return env.USER_RATE_LIMIT !== undefined
}

/** Counts a request that claims to come from this client, and rejects it if there are too many. */
export async function limitClientRequests(
  env: Env,
  clientId: string,
  ip: string | undefined,
): Promise<void> {
  if (ip === undefined) return
  const { success } = await env.CLIENT_RATE_LIMIT.limit({ key: `${clientId} ${ip}` })
  if (!success) throw tooManyClientRequests()
}

/**
 * Counts a request with an access token of this grant, or with an invalid token from this IP
 * address.
 */
export async function limitTokenRequests(env: Env, grantOrIp: string): Promise<void> {
  const { success } = await env.USER_RATE_LIMIT.limit({ key: `token ${grantOrIp}` })
  if (!success) throw tooManyClientRequests()
}

export function tooManyClientRequests(): OAuthError {
  return new OAuthError('temporarily_unavailable', 'Too many requests: wait a minute.', {
    status: 429,
  })
}
