/** Deadlines of seconds are shortened to tens of milliseconds. */
const FACTOR = 50

/** Lets the service wait less for what does not respond. Returns what undoes it. */
export function shortenDeadlines(): () => void {
  const { setTimeout } = globalThis
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  globalThis.setTimeout = ((run: () => void, milliseconds = 0) =>
    setTimeout(run, milliseconds / FACTOR)) as typeof globalThis.setTimeout
  AbortSignal.timeout = (milliseconds) => timeout(milliseconds / FACTOR)
  return () => {
    globalThis.setTimeout = setTimeout
    AbortSignal.timeout = timeout
  }
}
