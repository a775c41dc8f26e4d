import { vi } from 'vitest'

/** In milliseconds, as `Date` counts. */
export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/**
 * Sets what `Date` returns, in milliseconds. Timers keep running in real time. `test/setup.ts` resets
 * the clock after each test.
 */
export function setClock(time: number): void {
  vi.useFakeTimers({ now: time, toFake: ['Date'] })
}

export function advanceClock(milliseconds: number): void {
  setClock(Date.now() + milliseconds)
}
