import { requireStorage } from '../storage/unavailable-error.ts'
import { type GuardObject, guardObject, type UseLimit } from './guard-object.ts'

/** One of several limits of the same request. */
export interface Counter {
  /** The name of the guard that counts. */
  guard: string
  /** Counts a request under this name. Returns for how many seconds none is allowed. */
  count(object: DurableObjectStub<GuardObject>, name: string): Promise<number>
}

/** Limits the number of requests that the guard with this name counts. */
export function useCounter(guard: string, limits: readonly UseLimit[]): Counter {
  return { guard, count: (object, name) => object.countUse(limits, name) }
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
