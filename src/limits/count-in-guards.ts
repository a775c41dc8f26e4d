import { requireStorage } from '../storage/unavailable-error.ts'
import { type GuardObject, type GuessDelays, guardObject, type UseLimit } from './guard-object.ts'
import { tooManyClientRequests } from './rate-limit.ts'

/** One of several limits of the same request. */
export interface Counter {
  /** The name of the guard that counts. */
  guard: string
  /** Counts a request under this name. Returns for how many seconds none is allowed. */
  count(object: DurableObjectStub<GuardObject>, name: string): Promise<number>
}

/** Limits the number of requests that the guard with this name counts. */
export function requestCounter(guard: string, limits: readonly UseLimit[]): Counter {
  return { guard, count: (object, name) => object.countUse(limits, name) }
}

/** Delays the guesses that the guard with this name counts. */
export function guessCounter(guard: string, delays: GuessDelays): Counter {
  return { guard, count: (object, name) => object.countGuess(delays, name) }
}

/**
 * Counts a request under a name of its own: see {@link countInGuards}. The guards that most people
 * share are the last.
 */
export function countUses(
  env: Env,
  guards: readonly (readonly [name: string, limits: readonly UseLimit[]])[],
): Promise<number> {
  const counters = guards.map(([guard, limits]) => requestCounter(guard, limits))
  return countInGuards(env, counters, `use ${crypto.randomUUID()}`)
}

/** Rejects requests of a kind that anyone can send if there are too many, from one IP address or all. */
export async function limitUses(
  env: Env,
  kind: string,
  limits: { ip: string | undefined; perIp: readonly UseLimit[]; total: readonly UseLimit[] },
): Promise<void> {
  const { ip, perIp, total } = limits
  const ofIp = ip === undefined ? [] : [[`${kind} from ${ip}`, perIp] as const]
  if ((await countUses(env, [...ofIp, [kind, total]])) > 0) throw tooManyClientRequests()
}

/**
 * Counts a request in all of these guards, or in none if one of them rejects it: a request that is
 * delayed by one limit must not use up the others, which people may share. Returns for how many
 * seconds none is allowed; 0 if it was counted.
 */
export async function countInGuards(
  env: Env,
  counters: readonly Counter[],
  name: string,
): Promise<number> {
  for (const [index, { guard, count }] of counters.entries()) {
    const wait = await requireStorage(async () => count(guardObject(env, guard), name))
    if (wait > 0) {
      await forgetInGuards(env, counters.slice(0, index), name)
      return wait
    }
  }
  return 0
}

/** Forgets the requests whose names begin like this. */
export async function forgetInGuards(
  env: Env,
  counters: readonly Counter[],
  beginning: string,
): Promise<void> {
  for (const { guard } of counters) {
    await requireStorage(async () => guardObject(env, guard).forget(beginning))
  }
}
