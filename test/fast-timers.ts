import { vi } from 'vitest'

/*
 * For tests of what happens after a wait, and not of how long it takes. Each function can be a
 * `beforeEach` hook, because it returns what undoes it.
 */

/** Makes the service continue at once where it calls `scheduler.wait`. */
export function skipWaits(): () => void {
  const wait = scheduler.wait.bind(scheduler)
  const spy = vi.spyOn(scheduler, 'wait').mockImplementation(() => wait(0))
  return () => spy.mockRestore()
}

/** Shortens the time after which requests of the service are given up to a twentieth. */
export function shortenTimeouts(): () => void {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const spy = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation((milliseconds) => timeout(milliseconds / 20))
  return () => spy.mockRestore()
}
