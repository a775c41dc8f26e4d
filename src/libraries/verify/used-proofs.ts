/** About 3 MB. Above it, the oldest are forgotten. */
const MAX_REMEMBERED = 20_000

/** The proofs that this isolate or process has accepted, until they expire. */
export class UsedProofs {
  /** When each expires, in milliseconds since 1970, in the order in which they were used. */
  readonly #expiry = new Map<string, number>()

  /** Returns false if a proof with this id was used before. */
  use(id: string, expiresAt: number): boolean {
    const now = Date.now()
    if ((this.#expiry.get(id) ?? 0) > now) return false
    this.#expiry.delete(id)
    this.#expiry.set(id, expiresAt)
    for (const [oldest, expiry] of this.#expiry) {
      if (expiry > now && this.#expiry.size <= MAX_REMEMBERED) break
      this.#expiry.delete(oldest)
    }
    return true
  }
}
