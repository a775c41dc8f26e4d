import { type GuardObject, guardObject } from '../core/limits/guard-object.ts'
import type { GuessDelays, UseLimit } from '../core/limits/limit-table.ts'
import {
  type CountedPart,
  type Network,
  partsOf,
  type Requester,
  WHOLE,
} from '../core/limits/network.ts'
import { tooManyClientRequests } from '../core/limits/rate-limit.ts'
import { requireStorage } from '../core/storage/unavailable-error.ts'

/** One of several limits of the same request. */
export interface Counter {
  /** The name of the guard that counts. */
  guard: string
  /** The prefix of the names under which these requests are counted. */
  prefix: string
  /** Counts a request under this name. Returns for how many seconds none is allowed. */
  count(object: DurableObjectStub<GuardObject>, name: string): Promise<number>
}

/** What a guard counts, and in which parts. */
interface Counted {
  guard: string
  prefix?: string
  parts?: readonly CountedPart[]
}

/** Limits the requests, or delays the guesses, that a guard counts. */
export function guardCounter(
  { guard, prefix = '', parts = [WHOLE] }: Counted,
  limit: readonly UseLimit[] | GuessDelays,
): Counter {
  return { guard, prefix, count: (object, name) => object.countUse(limit, name, parts) }
}

/**
 * What counts the requests of this kind and requester. One guard counts a network with all of its
 * parts, so that a request waits for one call. Nothing is counted for an unknown network.
 */
export function countedFor(kind: string, requester: Requester): Counted[] {
  if (requester === undefined) return []
  if (typeof requester === 'string') return [{ guard: `${kind} by ${requester}` }]
  const { name, subnet } = requester
  return [{ guard: `${kind} from ${name}`, prefix: `${subnet} `, parts: partsOf(requester) }]
}

/** One of the limits of a table. */
interface NamedLimit<Name extends string> {
  limits: Readonly<Record<Name, readonly UseLimit[]>>
  name: NoInfer<Name>
}

/** Counts a request. Returns for how many seconds none is allowed; 0 if it was counted. */
export function countUse<Name extends string>(
  env: Env,
  { limits, name }: NamedLimit<Name>,
  requester: Requester,
): Promise<number> {
  const counters = countedFor(name, requester).map((counted) => guardCounter(counted, limits[name]))
  return countInGuards(env, counters, crypto.randomUUID())
}

/** Rejects requests that anyone can send if there are too many from one network. */
export async function limitStrangers<Name extends string>(
  env: Env,
  limit: NamedLimit<Name>,
  network: Network | undefined,
): Promise<void> {
  if ((await countUse(env, limit, network)) > 0) throw tooManyClientRequests()
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
  for (const [index, { guard, prefix, count }] of counters.entries()) {
    const wait = await requireStorage(async () =>
      count(guardObject(env, guard), `${prefix}${name}`),
    )
    if (wait > 0) {
      await forgetInGuards(env, counters.slice(0, index), name)
      return wait
    }
  }
  return 0
}

/** Forgets the requests whose names begin with this one. */
export async function forgetInGuards(
  env: Env,
  counters: readonly Counter[],
  name: string,
): Promise<void> {
  for (const { guard, prefix } of counters) {
    await requireStorage(async () => guardObject(env, guard).forget(`${prefix}${name}`))
  }
}
