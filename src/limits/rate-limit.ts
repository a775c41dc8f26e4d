import { OAuthError } from '../errors/oauth-error.ts'
import { SignInError } from '../errors/sign-in-error.ts'
import { count } from '../metrics/count.ts'

/*
 * Cloudflare counts these requests where they arrive, without using our storage. Its counting is
 * approximate, so guessing secrets has a stricter limit of its own (see guess-limit.ts).
 */

export const RATE_LIMITERS = ['USER_RATE_LIMIT', 'CLIENT_RATE_LIMIT'] as const

type RateLimiter = (typeof RATE_LIMITERS)[number]

/** Counts a request of a user or an IP address, and rejects it if there are too many. */
export async function limitPageRequests(env: Env, key: string): Promise<void> {
  if (!(await isWithinLimit(env, 'USER_RATE_LIMIT', key)))
    throw new SignInError('too_many_requests')
}

/** Counts a request that claims to come from this client, and rejects it if there are too many. */
export async function limitClientRequests(
  env: Env,
  clientId: string,
  ip: string | undefined,
): Promise<void> {
  if (ip === undefined) return
  const key = `${clientId} ${ip}`
  if (!(await isWithinLimit(env, 'CLIENT_RATE_LIMIT', key))) throw tooManyClientRequests()
}

/**
 * Counts a request with an access token of this grant, or with an invalid token from this IP
 * address.
 */
export async function limitTokenRequests(env: Env, grantOrIp: string): Promise<void> {
  const key = `token ${grantOrIp}`
  if (!(await isWithinLimit(env, 'USER_RATE_LIMIT', key))) throw tooManyClientRequests()
}

/**
 * These limits protect capacity only, so a limiter that is missing or fails rejects nothing.
 * `/readyz` reports it.
 */
async function isWithinLimit(env: Env, limiter: RateLimiter, key: string): Promise<boolean> {
  try {
    const isAllowed = await askRateLimiter(env, limiter, key)
    if (!isAllowed) count('vestibule_limited_requests_total', { limit: limiter })
    return isAllowed
  } catch (error) {
    count('vestibule_rate_limit_failures_total', { limit: limiter })
    console.error(JSON.stringify({ event: 'rate_limit_failed', cause: `${limiter}: ${error}` }))
    return true
  }
}

/** Counts a use of this key. Returns false if there were too many, and throws if it cannot count. */
export async function askRateLimiter(
  env: Env,
  limiter: RateLimiter,
  key: string,
): Promise<boolean> {
  const { success } = await env[limiter].limit({ key })
  return success
}

export function tooManyClientRequests(): OAuthError {
  return new OAuthError('temporarily_unavailable', 'Too many requests: wait a minute.', {
    status: 429,
  })
}
