import { createInterface, type Interface } from 'node:readline'

/** Asks questions on the terminal, or reads the answers from a pipe, one per line. */
export class Prompt {
  readonly #isInteractive: boolean
  #interface: Interface | undefined
  #lines: AsyncIterator<string> | undefined

  constructor(isInteractive: boolean) {
    this.#isInteractive = isInteractive
  }

  /** The answer, or undefined if it is empty, the input has ended, or nothing may be asked. */
  async ask(question: string): Promise<string | undefined> {
    if (!this.#isInteractive) return undefined
    this.#interface ??= createInterface({ input: process.stdin })
    this.#lines ??= this.#interface[Symbol.asyncIterator]()
    process.stderr.write(question)
    const { value, done } = await this.#lines.next()
    return (!done && value.trim()) || undefined
  }

  /** Lets the process end. */
  close(): void {
    this.#interface?.close()
  }
}
