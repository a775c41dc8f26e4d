import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'

/** Asks questions on the terminal, or reads the answers from a pipe, one per line. */
export class Prompt {
  readonly #isInteractive: boolean
  #pipe: Interface | undefined
  #lines: AsyncIterator<string> | undefined

  constructor(isInteractive: boolean) {
    this.#isInteractive = isInteractive
  }

  /** The answer, or undefined if it is empty, the input has ended, or nothing may be asked. */
  async ask(question: string): Promise<string | undefined> {
    if (!this.#isInteractive) return undefined
    process.stderr.write(question)
    const answer = process.stdin.isTTY ? await readAnswer() : await this.#readLine()
    return answer?.trim() || undefined
  }

  /** As `ask`, but the answer does not appear on the terminal. */
  async askForSecret(question: string): Promise<string | undefined> {
    if (!this.#isInteractive || !process.stdin.isTTY) return this.ask(question)
    process.stderr.write(question)
    const answer = await readAnswer(new Writable({ write: (_chunk, _encoding, done) => done() }))
    process.stderr.write('\n')
    return answer?.trim() || undefined
  }

  /** Lets the process end. */
  close(): void {
    this.#pipe?.close()
  }

  /** One interface reads the whole pipe, because it would lose the lines it has read ahead. */
  async #readLine(): Promise<string | undefined> {
    this.#pipe ??= createInterface({ input: process.stdin })
    this.#lines ??= this.#pipe[Symbol.asyncIterator]()
    const { value, done } = await this.#lines.next()
    return done ? undefined : value
  }
}

/**
 * Reads a line from the terminal. With an output, that stream receives what is typed instead of the
 * terminal.
 */
function readAnswer(output?: Writable): Promise<string | undefined> {
  const terminal = createInterface({
    input: process.stdin,
    ...(output && { output, terminal: true }),
  })
  return new Promise((resolve) => {
    terminal.once('line', (line) => {
      resolve(line)
      terminal.close()
    })
    terminal.once('close', () => resolve(undefined)) // Ctrl-C or Ctrl-D
  })
}
