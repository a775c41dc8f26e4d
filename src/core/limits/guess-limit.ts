import { count } from '../metrics/count.ts'
import { BoundedMap } from '../storage/bounded-map.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { guardObject } from './guard-object.ts'
import { USE_LIMITS } from './limit-table.ts'
import { type CountedPart, type Network, partsOf } from './network.ts'
import { logFailedLimit, tooManyClientRequests } from './rate-limit.ts'

/**
 * Until when this isolate rejects secrets, in milliseconds since 1970, by client and part of a
 * network. A dropped entry is added again by the next wrong guess.
 */
const blockedUntil = new BoundedMap<string, number>(1000)

/**
 * Rejects a client's secrets from a network that has sent too many wrong ones. Others are not
 * affected.
 */
export function rejectGuessing(clientId: string, network: Network | undefined): void {
  if (network === undefined) return
  const isBlocked = partsOf(network).some(
    (part) => (blockedUntil.get(blockKey(clientId, network, part)) ?? 0) > Date.now(),
  )
  if (isBlocked) throw tooManyWrongSecrets()
}

/**
 * Counts a wrong secret for a registered client. If it cannot be counted, the client is rejected as
 * usual: the secret has been compared before.
 */
export async function countWrongSecret(
  env: Env,
  clientId: string,
  network: Network | undefined,
): Promise<void> {
  if (network === undefined) return
  const guard = `secret ${clientId} from ${network.name}`
  const parts = partsOf(network)
  const waits = await countOrLog(async () =>
    guardObject(env, guard).countFailure(USE_LIMITS['client secrets'], network.subnet, parts),
  )
  if (Math.max(...waits) === 0) return
  for (const [index, part] of parts.entries()) {
    const until = Date.now() + (waits[index] ?? 0) * 1000
    if (until > Date.now()) blockedUntil.set(blockKey(clientId, network, part), until)
  }
  throw tooManyWrongSecrets()
}

async function countOrLog(count: () => Promise<number[]>): Promise<number[]> {
  try {
    return await requireStorage(count)
  } catch (error) {
    logFailedLimit('GUARDS', error)
    return [0]
  }
}

function tooManyWrongSecrets(): Error {
  count('vestibule_limited_requests_total', { limit: 'client_secret' })
  return tooManyClientRequests()
}

function blockKey(clientId: string, { name }: Network, { prefix }: CountedPart): string {
  return `${clientId} ${name} ${prefix}`
}
