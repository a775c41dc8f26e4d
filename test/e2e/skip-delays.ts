import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { onTestFinished, vi } from 'vitest'

/**
 * Ends the delays of commands in this process at once, until the test ends. Returns how long they
 * would have been.
 */
export function skipDelays(): number[] {
  const delays: number[] = []
  const mock = vi.spyOn(timers, 'setTimeout').mockImplementation(async (delay, value) => {
    delays.push(delay ?? 0)
    return value as never
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    mock.mockRestore()
    syncBuiltinESMExports()
  })
  return delays
}
