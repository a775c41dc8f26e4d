import type { AppContext, LogNotes } from './app-env.ts'
import { note } from './request-log.ts'

/** Work the person need not wait for. Its failure is noted, and changes nothing for them. */
export function afterResponse(c: AppContext, work: Promise<unknown>): void {
  c.executionCtx.waitUntil(
    work.catch((error: unknown) =>
      console.error(JSON.stringify({ requestId: c.get('requestId'), trouble: String(error) })),
    ),
  )
}

/** Work whose failure is noted in the request's own line, and changes nothing for the person. */
export async function tolerate(
  c: AppContext,
  event: LogNotes['event'],
  work: Promise<unknown>,
): Promise<void> {
  try {
    await work
  } catch (error) {
    note(c, { ...(event && { event }), trouble: String(error) })
  }
}
