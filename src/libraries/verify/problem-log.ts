/** Requests must not fill the log, whoever sends them. */
const INTERVAL = 60_000 // milliseconds

/** Tells whoever runs the API about one kind of problem, in its log, at most once a minute. */
export class ProblemLog {
  #loggedAt = Number.NEGATIVE_INFINITY

  log(problem: string): void {
    const now = Date.now()
    if (now - this.#loggedAt < INTERVAL) return
    this.#loggedAt = now
    console.error(`vestibule-auth: ${problem}`)
  }
}

/** The message of an error and of its causes. That of `fetch` alone says only that it failed. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  // An attempt at several addresses of a host has no message.
  const text = message || String(Reflect.get(error, 'code') ?? error.name)
  // That of a JWT library is an object.
  return cause instanceof Error ? `${text}: ${describeError(cause)}` : text
}
