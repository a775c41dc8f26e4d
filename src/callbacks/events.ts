import type { Config } from '../config/config.ts'
import type { EventInput, EventName, EventPayloads } from '../config/events.ts'
import { boundedFetch } from '../fetch/bounded-fetch.ts'
import { CallbackError, describeCallbackError } from './callback-error.ts'
import { runWithDeadline } from './run.ts'

/** Runs the deployment's handler of an event. An error is logged and has no other effect. */
export async function runEvent<Name extends EventName>(
  { events }: Config,
  name: Name,
  payload: EventPayloads[Name],
  requestId?: string,
): Promise<void> {
  const handler = events[name] as ((input: EventInput<Name>) => unknown) | undefined
  if (!handler) return
  try {
    await runWithDeadline(`events.${name}`, () => handler({ ...payload, fetch: boundedFetch }))
  } catch (error) {
    const cause = error instanceof CallbackError ? describeCallbackError(error) : String(error)
    console.error(JSON.stringify({ ...(requestId && { requestId }), event: 'event_failed', cause }))
  }
}
