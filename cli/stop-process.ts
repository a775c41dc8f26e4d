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
