import type { GuardObject } from '../../core/limits/guard-object.ts'
import type { RequestDecision } from '../../core/oidc/authorization-request.ts'
import { type DeviceRequest, type PollResult, StoredDeviceRequest } from './stored-request.ts'

/** What the guard of a user code does for the device that shows it. */
export interface DeviceGuard {
  /** Stores the request of a device. Returns false if another device has the same user code. */
  startDeviceRequest(request: DeviceRequest): Promise<boolean>
  /** The request of a device, if no user has decided about it. */
  readDeviceRequest(): DeviceRequest | undefined
  /** Returns false if a user has already decided, or the request has expired. */
  decideDeviceRequest(decision: RequestDecision): boolean
  /** The state of the request whose device code has this secret. */
  pollDeviceRequest(secretDigest: string): PollResult
}

export function withDeviceRequest(Base: typeof GuardObject): typeof GuardObject {
  return class extends Base implements DeviceGuard {
    readonly #device = new StoredDeviceRequest(this.ctx.storage.kv)

    async startDeviceRequest(request: DeviceRequest): Promise<boolean> {
      if (!this.#device.start(request)) return false
      // The alarm deletes it.
      await this.remember('device', request.expiresAt)
      return true
    }

    readDeviceRequest(): DeviceRequest | undefined {
      return this.#device.readPending()
    }

    decideDeviceRequest(decision: RequestDecision): boolean {
      return this.#device.decide(decision)
    }

    pollDeviceRequest(secretDigest: string): PollResult {
      return this.#device.poll(secretDigest)
    }
  }
}
