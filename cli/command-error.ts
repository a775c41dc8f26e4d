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

/**
 * The arguments of a command are invalid. `help` is the help text of that command, unless the
 * message says everything.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly help: string | undefined

  constructor(message: string, options: { help?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.help = options.help
  }
}
