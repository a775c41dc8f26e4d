import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { withDeadline } from '../fetch/deadline.ts'
import { count } from '../metrics/count.ts'
import { UnavailableError } from '../storage/unavailable-error.ts'
import { type Network, partsOf, type Requester } from './network.ts'

/*
 * Cloudflare counts these requests where they arrive, without using our storage. Its counting is
 * approximate, so guessing secrets has a stricter limit of its own (see guess-limit.ts).
 */

export const RATE_LIMITERS = ['USER_RATE_LIMIT', 'CLIENT_RATE_LIMIT'] as const

/** Longer than counting takes, which is done where the request arrives. */
const DEADLINE = 1_000 // milliseconds

/** By which the limit of a user is multiplied for all users at a network. */
const USERS_PER_NETWORK = 16

type RateLimiter = (typeof RATE_LIMITERS)[number]

/** Counts a request of a page for this user or session, or for the network of a stranger. */
export async function limitPageRequests(
  env: Env,
  counter: string,
  requester: Requester,
): Promise<void> {
  if (!(await isWithinLimit(env, 'USER_RATE_LIMIT', rateLimitKeys(counter, requester))))
    throw new SignInError('too_many_requests')
}

/**
 * Counts a request with the cookie of a session, which may have ended, together with those of all
 * users at its network. The limit is that of many users.
 */
export async function limitSessionCookies(
  env: Env,
  counter: string,
  network: Network | undefined,
): Promise<void> {
  if (!network) return
  const number = Math.floor(Math.random() * USERS_PER_NETWORK)
  const keys = [`${counter} sessions at ${network.name} ${number}`]
  if (!(await isWithinLimit(env, 'USER_RATE_LIMIT', keys))) {
    throw new SignInError('too_many_requests')
  }
}

/** Counts a request of a client or an administrator who has proved to be that, from one network. */
export function limitAuthenticatedRequests(
  env: Env,
  id: string,
  network: Network | undefined,
): Promise<void> {
  const requester = network && `${id} ${network.name}`
  return limitRequests(env, 'CLIENT_RATE_LIMIT', rateLimitKeys('authenticated', requester))
}

/** Counts a request that names this client without proof. */
export function limitUnauthenticatedRequests(
  env: Env,
  clientId: string,
  network: Network | undefined,
): Promise<void> {
  return limitRequests(env, 'CLIENT_RATE_LIMIT', rateLimitKeys(`claimed ${clientId}`, network))
}

/** Counts a request of a client with a token of this grant. */
export function limitGrantRequests(env: Env, grantId: string): Promise<void> {
  return limitRequests(env, 'CLIENT_RATE_LIMIT', rateLimitKeys('grant', grantId))
}

/** Counts a request with an access token of this grant, or with an invalid token of a stranger. */
export function limitTokenRequests(env: Env, requester: Requester): Promise<void> {
  return limitRequests(env, 'USER_RATE_LIMIT', rateLimitKeys('token', requester))
}

/**
 * Counts a request with the code of this grant, or with an invalid code of a stranger. A code that
 * fails uses up nothing that another one needs.
 */
export function limitCodeRequests(env: Env, requester: Requester): Promise<void> {
  return limitRequests(env, 'USER_RATE_LIMIT', rateLimitKeys('code', requester))
}

async function limitRequests(env: Env, limiter: RateLimiter, keys: string[]): Promise<void> {
  if (!(await isWithinLimit(env, limiter, keys))) throw tooManyClientRequests()
}

/**
 * What is counted for a request, in this order: the parts of a network from the smallest one on, so
 * that a request that is rejected does not use up the limit of the neighbours. A binding has one
 * limit, so a higher one consists of several keys, of which each request uses one.
 */
function rateLimitKeys(counter: string, requester: Requester): string[] {
  if (requester === undefined) return []
  if (typeof requester === 'string') return [`${counter} ${requester}`]
  return partsOf(requester).map(({ prefix, factor }) => {
    const number = Math.floor(Math.random() * factor)
    return `${counter} ${requester.name} ${prefix} ${number}`
  })
}

/**
 * These limits protect capacity only, so a limiter that is missing or fails rejects nothing.
 * `/readyz` reports it.
 */
async function isWithinLimit(
  env: Env,
  limiter: RateLimiter,
  keys: readonly string[],
): Promise<boolean> {
  try {
    for (const key of keys) {
      if (await askRateLimiter(env, limiter, key)) continue
      count('vestibule_limited_requests_total', { limit: limiter })
      return false
    }
    return true
  } catch (error) {
    count('vestibule_rate_limit_failures_total', { limit: limiter })
    logFailedLimit(limiter, error)
    return true
  }
}

/** Reports that requests could not be counted, and are therefore not limited. */
export function logFailedLimit(binding: string, error: unknown): void {
  const cause = error instanceof UnavailableError ? error.cause : error
  console.error(JSON.stringify({ event: 'rate_limit_failed', cause: `${binding}: ${cause}` }))
}

/** Counts a use of this key. Returns false if there were too many, and throws if it cannot count. */
export async function askRateLimiter(
  env: Env,
  limiter: RateLimiter,
  key: string,
): Promise<boolean> {
  const counted = env[limiter].limit({ key })
  const { success } = await withDeadline(counted, DEADLINE, () => new Error('It took too long.'))
  return success
}

export function tooManyClientRequests(): OAuthError {
  return new OAuthError('temporarily_unavailable', 'Too many requests: wait a minute.', {
    status: 429,
  })
}
