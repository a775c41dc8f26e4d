import type { AppContext } from '../config/app-env.ts'
import { addToLog } from './request-log.ts'

/** Lets work continue after the response. A failure is logged and has no effect on the response. */
export function afterResponse(c: AppContext, work: Promise<unknown>): void {
  c.executionCtx.waitUntil(work.catch((error: unknown) => writeLine(c, { cause: String(error) })))
}

/** Waits for work whose failure is added to the request's log line and otherwise ignored. */
export async function logFailure(c: AppContext, work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    addToLog(c, { cause: String(error) })
  }
}

/**
 * Waits for a change of a session's copy, whose failure is logged and otherwise ignored: the user's object has the
 * session. It has a line of its own, because the line of the request names what the request did.
 */
export async function logCopyFailure(c: AppContext, work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    writeLine(c, { event: 'session_copy_failed', cause: String(error) })
  }
}

function writeLine(c: AppContext, fields: { event?: 'session_copy_failed'; cause: string }): void {
  console.error(JSON.stringify({ requestId: c.get('requestId'), ...fields }))
}
