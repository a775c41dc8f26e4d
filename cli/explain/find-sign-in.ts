import type { LogLine } from './log-lines.ts'

/**
 * Returns the lines of the sign-in that a reference belongs to, ordered by time; none if it is not
 * in the log.
 */
export function findSignIn(lines: readonly LogLine[], reference: string): LogLine[] {
  const referenced = lines.filter(({ requestId }) => requestId === reference)
  const attempts = new Set(referenced.flatMap(({ attempt }) => attempt ?? []))
  const steps = lines.filter(
    ({ attempt, requestId }) =>
      requestId === reference || (attempt !== undefined && attempts.has(attempt)),
  )
  // A failure after the response has a line of its own, with the requestId but without `attempt`.
  const requestIds = new Set(steps.map(({ requestId }) => requestId))
  return lines
    .filter(({ requestId }) => requestIds.has(requestId))
    .toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
}
