import * as fc from 'fast-check'

/** Runs a property, for a limited time at most, and prints how many runs that were. */
export async function runModel<T>(
  property: fc.IAsyncProperty<T>,
  { runs, maxSeconds }: { runs: number; maxSeconds: number },
): Promise<void> {
  // The first run has no limit, because on a very busy machine not even that one finishes in time.
  const first = await check(property, { numRuns: 1 })
  const others = await check(property, {
    numRuns: runs - 1,
    interruptAfterTimeLimit: maxSeconds * 1000,
  })
  console.info(`${first + others} of ${runs} random sequences`)
}

/** Returns how many runs passed. */
async function check<T>(
  property: fc.IAsyncProperty<T>,
  parameters: fc.Parameters<T>,
): Promise<number> {
  const report = await fc.check(property, parameters)
  // fast-check also reports a failure if the time ended before the first run did.
  const isOutOfTime = report.interrupted && report.counterexample === null
  if (report.failed && !isOutOfTime) {
    const message = await fc.asyncDefaultReportMessage(report)
    throw new Error(message, { cause: report.errorInstance })
  }
  return report.numRuns
}
