import type { AuthorizationRequest } from './authorization-request.ts'
import { newTicket } from './identifiers.ts'

type QrStatus = 'new' | 'scanned' | 'confirmed' | 'utilised' | 'expired'

/** Seconds. The real lifetime is not documented. */
const QR_CODE_LIFETIME = 180

/**
 * One login by QR code. It is new, then scanned by one user, confirmed by the same user, and
 * utilised once the app has read the result. It can expire until it is confirmed. When the user
 * denies it, it expires too, because no other status is documented.
 */
export class QrLogin {
  readonly ticket = newTicket()
  readonly request: AuthorizationRequest
  readonly #expiresAt: number
  #status: QrStatus = 'new'
  #scannedBy: string | undefined
  #callback: string | undefined
  /** The app's own ticket, as the phone read it from the code. */
  clientTicket = ''

  constructor(request: AuthorizationRequest, now: number) {
    this.request = request
    this.#expiresAt = now + QR_CODE_LIFETIME
  }

  statusAt(now: number): QrStatus {
    const isPending = this.#status === 'new' || this.#status === 'scanned'
    return isPending && this.#expiresAt <= now ? 'expired' : this.#status
  }

  /** Returns false if the code has expired or was scanned by another user. */
  scan(handle: string, clientTicket: string, now: number): boolean {
    if (this.isScannedBy(handle, now)) return true
    if (this.statusAt(now) !== 'new') return false
    this.#status = 'scanned'
    this.#scannedBy = handle
    this.clientTicket = clientTicket
    return true
  }

  isScannedBy(handle: string, now: number): boolean {
    return this.statusAt(now) === 'scanned' && this.#scannedBy === handle
  }

  confirm(callback: string): void {
    this.#status = 'confirmed'
    this.#callback = callback
  }

  deny(): void {
    this.#status = 'expired'
  }

  /** Returns the status and, once only, the callback URL with the code. */
  takeResult(now: number): { status: QrStatus; callback?: string } {
    const status = this.statusAt(now)
    if (status !== 'confirmed' || this.#callback === undefined) return { status }
    this.#status = 'utilised'
    return { status, callback: this.#callback }
  }
}
