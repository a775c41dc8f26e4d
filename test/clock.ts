import { vi } from 'vitest'

/** In seconds, as times in tokens and storage. */
export const MINUTE = 60
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/**
 * Sets what `Date` returns, in seconds since 1970. Timers keep running in real time.
 * `test/setup.ts` resets the clock after each test.
 */
export function setClock(seconds: number): void {
  setMilliseconds(Math.round(seconds * 1000))
}

/**
 * Stops the clock at the start of the current second, so that seconds can be counted, and returns
 * it.
 */
export function stopClock(): number {
  const now = Math.floor(Date.now() / 1000)
  setClock(now)
  return now
}

/** Moves the clock of the tests and the service forward. */
export function advanceClock(seconds: number): void {
  setMilliseconds(Date.now() + seconds * 1000)
}

function setMilliseconds(now: number): void {
  vi.useFakeTimers({ now, toFake: ['Date'] })
}
