import { nowInSeconds } from '../../foundation/values/clock.ts'
import type { Config } from '../config/config.ts'
import { IsolateCache } from '../storage/isolate-cache.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { type RevocationEntry, readAllObjects } from './revocations-object.ts'

/** How old the copy may be that is published. */
const MAX_AGE = 3_000 // milliseconds

/** For how long a list can be used after it was read. */
export const LIST_LIFETIME = 60 // seconds

/** All entries are read again, so that those are forgotten that others have replaced. */
const COMPLETE_INTERVAL = 300 // seconds

/** Entries are read again for this long after they were added, because clocks differ. */
const OVERLAP = 15 // seconds

/** All revocations whose tokens have not expired, at one time. */
export interface RevocationList {
  /** When it was read, in seconds since 1970: entries that were added before are in it. */
  readAt: number
  /** When all of it was read, and not only what was new. */
  completeAt: number
  /** When the oldest entry was added; infinite if there is none. */
  oldest: number
  /** By digest, in the order in which they were read. */
  entries: ReadonlyMap<string, RevocationEntry>
}

/** An older list is not published: verifiers are to notice that they do not have the current one. */
const cache = new IsolateCache<RevocationList>({
  failureEvent: 'revocations_unavailable',
  maxOutageAge: LIST_LIFETIME * 1000,
})

/** A list that is a few seconds old. */
export async function readRevocationList(env: Env, config: Config): Promise<RevocationList> {
  return cache.get(config, (former) => loadList(env, former), MAX_AGE)
}

/** Usually reads only what is new: the list may have a hundred thousand entries. */
async function loadList(env: Env, former: RevocationList | undefined): Promise<RevocationList> {
  const readAt = nowInSeconds()
  const known = former && readAt < former.completeAt + COMPLETE_INTERVAL ? former : undefined
  const since = known ? known.readAt - OVERLAP : 0
  const added = await requireStorage(
    () => readAllObjects(env, since),
    'The revocations cannot be read.',
  )
  const entries = new Map(known?.entries)
  for (const entry of added) entries.set(entry.digest, entry)
  let oldest = Number.POSITIVE_INFINITY
  for (const { digest, expiresAt, addedAt } of entries.values()) {
    if (expiresAt <= readAt) entries.delete(digest)
    else oldest = Math.min(oldest, addedAt)
  }
  return { readAt, completeAt: known?.completeAt ?? readAt, oldest, entries }
}
