import { requireStorage } from '../storage/unavailable-error.ts'
import { guardObject } from './guard-object.ts'
import { tooManyClientRequests } from './rate-limit.ts'

/** Until when this isolate rejects secrets, in milliseconds since 1970, by client and address. */
const blockedUntil = new Map<string, number>()

/** Beyond this number the oldest entry is dropped; its next wrong guess adds it again. */
const MAX_BLOCKED = 1000

/**
 * Rejects a client's secrets from an address that has sent too many wrong ones. Other addresses are
 * not affected.
 */
export function rejectGuessing(clientId: string, address: string | undefined): void {
  if ((blockedUntil.get(blockKey(clientId, address)) ?? 0) > Date.now()) {
    throw tooManyClientRequests()
  }
}

/** Counts a wrong secret for a registered client. */
export async function countWrongSecret(
  env: Env,
  clientId: string,
  address: string | undefined,
): Promise<void> {
  if (address === undefined) return
  const key = blockKey(clientId, address)
  const seconds = await requireStorage(async () => guardObject(env, `secret ${key}`).countFailure())
  if (seconds === 0) return
  const [oldest] = blockedUntil.keys()
  if (oldest !== undefined && blockedUntil.size >= MAX_BLOCKED) blockedUntil.delete(oldest)
  blockedUntil.set(key, Date.now() + seconds * 1000)
  throw tooManyClientRequests()
}

function blockKey(clientId: string, address: string | undefined): string {
  return `${clientId} ${address}`
}
