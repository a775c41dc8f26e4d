import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { IsolateCache } from '../../../src/core/storage/isolate-cache.ts'
import { fetchProviderDocument } from '../../../src/core/upstream/fetch-provider-document.ts'
import { SharedResults } from '../../../src/libraries/server/shared-results.ts'
import { setClock } from '../../clock.ts'

const RUNS = 60
const START = 2_000_000_000_000 // milliseconds since 1970
const SECOND = 1000
const DAY = 86_400 * SECOND

/** Reads the time from somewhere that may be down. */
type Read = () => Promise<number>

interface Cache {
  /** A younger copy is used without reading; an older one is replaced, perhaps in the background. */
  refreshAge: number
  /** No older copy is used unless a read fails. */
  maxAge: number
  /** No older copy is used at all. */
  maxOutageAge: number
  /** After a failed read, there is no other one for this long. */
  retryInterval: number
  /** Whether that is so without a copy, too. */
  alwaysWaits: boolean
  /** A new copy: returns what was read. */
  create(read: Read): () => Promise<number>
}

function isolateCache(
  options: { refreshAge?: number; maxOutageAge: number },
  maxAge?: number,
): Cache {
  const { refreshAge = 30 * SECOND } = options
  return {
    refreshAge: Math.min(refreshAge, maxAge ?? refreshAge),
    maxAge: maxAge ?? 60 * SECOND,
    maxOutageAge: options.maxOutageAge,
    retryInterval: 5 * SECOND,
    alwaysWaits: false,
    create(read) {
      const cache = new IsolateCache<number>({ failureEvent: 'test_unavailable', ...options })
      const config = {}
      return () => cache.get(config, read, maxAge)
    },
  }
}

/** What isolates and instances keep of what they have read, by what keeps it. */
const CACHES: Record<string, Cache> = {
  'the registrations': isolateCache({ maxOutageAge: 600 * SECOND }),
  'the keyring': isolateCache({ maxOutageAge: Number.POSITIVE_INFINITY }),
  'the keyring, recent': isolateCache({ maxOutageAge: Number.POSITIVE_INFINITY }, 5 * SECOND),
  'the revocations of a client': isolateCache({
    refreshAge: 5 * SECOND,
    maxOutageAge: 15 * SECOND,
  }),
  'the documents of a provider': {
    refreshAge: 0,
    maxAge: 0,
    maxOutageAge: DAY,
    retryInterval: 10 * SECOND,
    alwaysWaits: true,
    create(read) {
      const fetch = () => read().then(Response.json, () => new Response(null, { status: 404 }))
      const provider = { id: crypto.randomUUID(), fetch } as never
      return async () => {
        const response = await fetchProviderDocument(provider, 'https://idp.example/')
        if (!response.ok) throw new Error('There is no document.')
        return response.json()
      }
    },
  },
  'the results of the server library': {
    refreshAge: 20 * SECOND,
    maxAge: 20 * SECOND,
    maxOutageAge: 20 * SECOND,
    retryInterval: 5 * SECOND,
    alwaysWaits: true,
    create(read) {
      const results = new SharedResults<number>(1000)
      return () => results.get('key', 20 * SECOND, read)
    },
  },
}

/** What is read, when it was read, and whether that fails. */
class Storage {
  now = START
  isDown = false
  reads = 0
  #succeededAt = Number.NEGATIVE_INFINITY
  #failedAt = Number.NEGATIVE_INFINITY

  readonly read = async () => {
    this.reads += 1
    await null
    if (this.isDown) throw new Error('It is down.')
    return this.now
  }

  wait(milliseconds: number, isDown: boolean): void {
    this.now += milliseconds
    setClock(this.now / SECOND)
    this.isDown = isDown
    this.reads = 0
  }

  /** What a cache may do now. */
  expected({ refreshAge, maxAge, maxOutageAge, ...cache }: Cache) {
    const age = this.now - this.#succeededAt
    const hasCopy = age < maxOutageAge
    const mayRetry = this.now - this.#failedAt >= cache.retryInterval
    const isFresh = age < refreshAge || (!mayRetry && (hasCopy || cache.alwaysWaits))
    return {
      mayFail: !hasCopy && (this.isDown || !mayRetry),
      ageLimit: !this.isDown && mayRetry ? maxAge : maxOutageAge,
      minReads: !isFresh && mayRetry ? 1 : 0,
      maxReads: isFresh ? 0 : hasCopy && refreshAge > 0 ? 1 : Number.POSITIVE_INFINITY,
    }
  }

  /** Remembers how the reads ended. */
  settle(): void {
    if (this.reads === 0) return
    if (this.isDown) this.#failedAt = this.now
    else [this.#succeededAt, this.#failedAt] = [this.now, Number.NEGATIVE_INFINITY]
  }
}

const isYounger = (age: number, limit: number) => age === 0 || age < limit

describe.each(Object.entries(CACHES))('%s', (_, cache) => {
  const limits = [cache.refreshAge, cache.maxAge, cache.maxOutageAge, cache.retryInterval]
    .filter(Number.isFinite)
    .flatMap((limit) => [limit - 1, limit, limit + 1].map((wait) => Math.max(wait, 0)))
  const step = fc.record({
    wait: fc.oneof(fc.constantFrom(0, ...limits), fc.integer({ min: 0, max: 70 * SECOND })),
    isDown: fc.boolean(),
    callers: fc.constantFrom(1, 1, 3),
  })

  it('is as old as it may be, at every read, in every outage, and is read no more often', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const storage = new Storage()
        const get = cache.create(storage.read)
        for (const { wait, isDown, callers } of steps) {
          storage.wait(wait, isDown)
          const { mayFail, ageLimit, minReads, maxReads } = storage.expected(cache)

          const results = await Promise.allSettled(Array.from({ length: callers }, get))
          await scheduler.wait(0) // for what is read in the background

          for (const result of results) {
            if (result.status === 'rejected') expect(mayFail, String(result.reason)).toBe(true)
            else expect(isYounger(storage.now - result.value, ageLimit)).toBe(true)
          }
          expect(storage.reads).toBeGreaterThanOrEqual(minReads)
          expect(storage.reads).toBeLessThanOrEqual(maxReads)
          storage.settle()
        }
      }),
      { numRuns: RUNS },
    )
  })
})
