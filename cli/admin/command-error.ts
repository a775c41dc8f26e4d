/** A command cannot be completed. The message tells the operator why, and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  /** Whether the same request may succeed later. */
  readonly isTemporary: boolean

  constructor(message: string, options: { cause?: unknown; isTemporary?: boolean } = {}) {
    super(message, { cause: options.cause })
    this.isTemporary = options.isTemporary ?? false
  }
}
