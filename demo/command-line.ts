/** A whole number from 1 to `highest`. */
export function parsePort(value: string, highest = 65_535): number {
  const port = Number(value)
  if (Number.isInteger(port) && port > 0 && port <= highest) return port
  throw new RangeError(`--port must be a whole number from 1 to ${highest}.`)
}

/**
 * Ends the process after it printed what is wrong with the arguments and how to use the command.
 */
export function exitWithUsage(error: unknown, help: string): never {
  process.stderr.write(`${errorMessage(error)}\n\n${help}`)
  process.exit(2)
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Calls `stop` on Ctrl-C and the other signals that end a process. Replaces existing listeners. */
export function stopOnSignals(stop: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal).once(signal, stop)
  }
}

/**
 * Calls `stop` when the parent process ends. A signal that ends npm also ends the shell between npm
 * and this process, but is not passed on to this process.
 */
export function stopWithParent(stop: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid !== parent) stop()
  }, PARENT_CHECK_INTERVAL)
  timer.unref()
}

/** Milliseconds. */
const PARENT_CHECK_INTERVAL = 1000
