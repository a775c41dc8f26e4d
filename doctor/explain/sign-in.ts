import type { LogLine } from './log-lines.ts'

/** The lines that belong to the sign-in of a reference, in the order of time; none if the reference is unknown. */
export function linesOfSignIn(lines: readonly LogLine[], reference: string): LogLine[] {
  const reported = lines.filter(({ requestId }) => requestId === reference)
  const attempts = new Set(reported.flatMap(({ attempt }) => attempt ?? []))
  const steps = lines.filter(
    ({ attempt, requestId }) =>
      requestId === reference || (attempt !== undefined && attempts.has(attempt)),
  )
  // What failed after the answer was sent has a line of its own, without the name of the sign-in.
  const requests = new Set(steps.map(({ requestId }) => requestId))
  const all = lines.filter(({ requestId }) => requests.has(requestId))
  return all.toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0))
}
