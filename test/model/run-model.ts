import * as fc from 'fast-check'

/** Runs a property, for a limited time at most, and prints how many runs that were. */
export async function runModel<T>(
  property: fc.IAsyncProperty<T>,
  { runs, maxSeconds }: { runs: number; maxSeconds: number },
): Promise<void> {
  const report = await fc.check(property, {
    numRuns: runs,
    interruptAfterTimeLimit: maxSeconds * 1000,
  })
  if (report.failed) {
    const message = await fc.asyncDefaultReportMessage(report)
    throw new Error(message, { cause: report.errorInstance })
  }
  console.info(`${report.numRuns} of ${runs} random sequences`)
}
