import { type ParseArgsConfig, parseArgs } from 'node:util'
import { errorMessage } from './error-message.ts'

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

/** Parses the arguments of a command, or throws a {@link UsageError} with its help text. */
export function parseArguments<T extends ParseArgsConfig>(config: T, help: string) {
  try {
    return parseArgs(config)
  } catch (cause) {
    // Node appends advice about positional arguments that start with a dash; no command takes any.
    const [message = ''] = errorMessage(cause).split('. ')
    throw new UsageError(message, { help, cause })
  }
}

/** Returns the only positional argument, if there is one, and rejects any further ones. */
export function singlePositional(positionals: readonly string[], help: string): string | undefined {
  const [first, unexpected] = positionals
  if (unexpected !== undefined) throw new UsageError(`Unexpected argument: ${unexpected}`, { help })
  return first
}
