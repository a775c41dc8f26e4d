import type { RequestDecision } from '../../core/oidc/authorization-request.ts'
import { isSameDigest } from '../../foundation/crypto/compare.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'

/** How long a device waits between two polls, at first (RFC 8628 §3.2). */
export const POLL_INTERVAL = 5 // seconds

/** What `slow_down` adds to the interval (RFC 8628 §3.5). */
const INTERVAL_INCREASE = 5 // seconds

/** Polls that are sent on time may arrive closer to each other. */
const TOLERANCE = 1 // second

/** What a device asks a user for. Times are in seconds since 1970. */
export interface DeviceRequest {
  clientId: string
  scope: readonly string[]
  resources: readonly string[]
  /** The digest of the secret in the device code. */
  secretDigest: string
  /** The city and country of the device, as far as they are known. */
  place: string | undefined
  requestedAt: number
  expiresAt: number
}

/** What a device learns when it polls. */
export type PollResult =
  | { kind: 'pending' }
  | { kind: 'slow_down' }
  /** It has expired, or there was no such request. */
  | { kind: 'expired' }
  | RequestDecision

const KEY = 'device'

/**
 * The request of the device that shows one user code. It is decided about once, and the device gets
 * the decision only with the secret of its device code.
 */
export class StoredDeviceRequest {
  readonly #kv: SyncKvStorage
  /** Only in memory: a device that polls too fast keeps the object awake. */
  #interval = POLL_INTERVAL
  #lastPollAt: number | undefined

  constructor(kv: SyncKvStorage) {
    this.#kv = kv
  }

  /** Returns false if another device has this user code. */
  start(request: DeviceRequest): boolean {
    if (this.#read()) return false
    this.#kv.put(KEY, request)
    this.#interval = POLL_INTERVAL
    this.#lastPollAt = undefined
    return true
  }

  /** The request, if no user has decided about it. */
  readPending(): DeviceRequest | undefined {
    const stored = this.#read()
    return stored?.decision ? undefined : stored
  }

  /** Returns false if a user has already decided, or it has expired. */
  decide(decision: RequestDecision): boolean {
    const request = this.readPending()
    if (request) this.#kv.put(KEY, { ...request, decision })
    return request !== undefined
  }

  poll(secretDigest: string): PollResult {
    const stored = this.#read()
    if (!stored || !isSameDigest(stored.secretDigest, secretDigest)) return { kind: 'expired' }
    const now = nowInSeconds()
    const waited = now - (this.#lastPollAt ?? 0)
    this.#lastPollAt = now
    if (waited < this.#interval - TOLERANCE) {
      this.#interval += INTERVAL_INCREASE
      return { kind: 'slow_down' }
    }
    return stored.decision ?? { kind: 'pending' }
  }

  #read(): (DeviceRequest & { decision?: RequestDecision }) | undefined {
    const stored = this.#kv.get<DeviceRequest & { decision?: RequestDecision }>(KEY)
    return stored && stored.expiresAt > nowInSeconds() ? stored : undefined
  }
}
