import { count } from '../metrics/count.ts'
import { BoundedMap } from '../storage/bounded-map.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { guardObject } from './guard-object.ts'
import { tooManyClientRequests } from './rate-limit.ts'

/**
 * Until when this isolate rejects secrets, in milliseconds since 1970, by client and IP address. The
 * next wrong guess adds an entry again that was dropped.
 */
const blockedUntil = new BoundedMap<string, number>(1000)

/**
 * Rejects a client's secrets from an IP address that has sent too many wrong ones. Others are
 * not affected.
 */
export function rejectGuessing(clientId: string, ip: string | undefined): void {
  if ((blockedUntil.get(blockKey(clientId, ip)) ?? 0) > Date.now()) {
    throw tooManyWrongSecrets()
  }
}

/** Counts a wrong secret for a registered client. */
export async function countWrongSecret(
  env: Env,
  clientId: string,
  ip: string | undefined,
): Promise<void> {
  if (ip === undefined) return
  const key = blockKey(clientId, ip)
  const seconds = await requireStorage(async () => guardObject(env, `secret ${key}`).countFailure())
  if (seconds === 0) return
  blockedUntil.set(key, Date.now() + seconds * 1000)
  throw tooManyWrongSecrets()
}

function tooManyWrongSecrets(): Error {
  count('vestibule_limited_requests_total', { limit: 'client_secret' })
  return tooManyClientRequests()
}

function blockKey(clientId: string, ip: string | undefined): string {
  return `${clientId} ${ip}`
}
