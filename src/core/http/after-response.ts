import { createMiddleware } from 'hono/factory'
import { runEvent } from '../callbacks/run-callbacks.ts'
import type { EventName, EventPayloads } from '../config/events.ts'
import type { AppContext, AppEnv } from './app-env.ts'

/** Lets work continue after the response. A failure is logged and has no effect on the response. */
export function afterResponse(c: AppContext, work: Promise<unknown>): void {
  const logError = (error: unknown) => {
    console.error(JSON.stringify({ requestId: c.get('requestId'), cause: String(error) }))
  }
  c.executionCtx.waitUntil(work.catch(logError))
}

/** Reports an event to the deployment, after the response. Costs nothing without a handler. */
export function emitEvent<Name extends EventName>(
  c: AppContext,
  name: Name,
  payload: EventPayloads[Name],
): void {
  const config = c.get('config')
  if (!config.events[name]) return
  const run = () => runEvent(config, name, payload, c.get('requestId'))
  c.set('pendingEvents', [...(c.get('pendingEvents') ?? []), run])
}

/** Runs the events of a request once its response has been returned. */
export const runPendingEvents = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const events = c.get('pendingEvents')
  if (events) c.executionCtx.waitUntil(runLater(events))
})

async function runLater(events: readonly (() => Promise<void>)[]): Promise<void> {
  // A handler may compute for a while before it first waits, so it must not start in this turn.
  await new Promise((resolve) => setTimeout(resolve))
  await Promise.all(events.map((run) => run()))
}
