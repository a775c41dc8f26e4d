import { vi } from 'vitest'

/** Moves the clock of the tests and the service forward. Undone by `vi.useRealTimers()`. */
export function advanceClock(seconds: number): void {
  setClock(Date.now() / 1000 + seconds)
}

/** Sets the clock of the tests and the service, in seconds since 1970. */
export function setClock(seconds: number): void {
  vi.useFakeTimers({ now: seconds * 1000, toFake: ['Date'] })
}
