/**
 * The next signing keys have not been published for long enough to sign, or too many retired ones
 * still are.
 */
export class RotationTooEarlyError extends Error {
  override readonly name = 'RotationTooEarlyError'
  /** When a rotation is possible, in seconds since 1970. */
  readonly possibleAt: number

  constructor(reason: 'too_early' | 'too_many_keys', possibleAt: number) {
    const minute = new Date(Math.ceil(possibleAt / 60) * 60_000).toISOString().slice(0, 16)
    const problem =
      reason === 'too_early'
        ? 'The next keys were published only a few minutes ago, and verifiers may not have fetched them yet'
        : 'Too many retired keys are still published'
    super(
      `${problem}: rotate after ${minute.replace('T', ' ')} UTC. If a key may have leaked, revoke the keys instead, which is possible at any time.`,
    )
    this.possibleAt = possibleAt
  }
}
