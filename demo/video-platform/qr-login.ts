import type { AuthorizationRequest } from './authorization-request.ts'
import { newTicket } from './identifiers.ts'

export type QrStatus = 'new' | 'scanned' | 'confirmed' | 'utilised' | 'expired'

/** Seconds; how long a code really lives is not documented. */
const QR_TTL = 180

/**
 * One QR code: new, scanned by one person, confirmed by the same one, and utilised as soon as the app has
 * been told. It can expire until it is confirmed; whoever refuses lets it expire, as nothing else is
 * documented.
 */
export class QrLogin {
  readonly ticket = newTicket()
  readonly request: AuthorizationRequest
  readonly #expiresAt: number
  #status: QrStatus = 'new'
  #scannedBy: string | undefined
  #callback: string | undefined
  /** What the app wrote into its code, as the phone read it. */
  clientTicket = ''

  constructor(request: AuthorizationRequest, now: number) {
    this.request = request
    this.#expiresAt = now + QR_TTL
  }

  statusAt(now: number): QrStatus {
    const isWaiting = this.#status === 'new' || this.#status === 'scanned'
    return isWaiting && this.#expiresAt <= now ? 'expired' : this.#status
  }

  /** Says whether the code was still free, or already this person's. */
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

  refuse(): void {
    this.#status = 'expired'
  }

  /** What the app is told; the address with the code it is told once. */
  tell(now: number): { status: QrStatus; callback?: string } {
    const status = this.statusAt(now)
    if (status !== 'confirmed' || this.#callback === undefined) return { status }
    this.#status = 'utilised'
    return { status, callback: this.#callback }
  }
}
