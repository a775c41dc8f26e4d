import type { AppContext, LogFields } from './app-env.ts'
import { addToLog } from './request-log.ts'

/** Lets work continue after the response. A failure is logged and has no effect on the response. */
export function afterResponse(c: AppContext, work: Promise<unknown>): void {
  c.executionCtx.waitUntil(
    work.catch((error: unknown) =>
      console.error(JSON.stringify({ requestId: c.get('requestId'), cause: String(error) })),
    ),
  )
}

/** Waits for work whose failure is added to the request's log line and otherwise ignored. */
export async function logFailure(
  c: AppContext,
  event: LogFields['event'],
  work: Promise<unknown>,
): Promise<void> {
  try {
    await work
  } catch (error) {
    addToLog(c, { ...(event && { event }), cause: String(error) })
  }
}
