/** The command was not understood: its help says how it is used. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly help: string

  constructor(text: string, options: { help: string; cause?: unknown }) {
    super(text, { cause: options.cause })
    this.help = options.help
  }
}
