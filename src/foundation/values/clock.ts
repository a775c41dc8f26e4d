/** The current time in seconds since 1970, the unit of every time we store and sign. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/**
 * How long ago something was, in milliseconds. What is far in the future is not recent either: the
 * clock was set back since.
 */
export function ageOf(time: number): number {
  return Math.abs(Date.now() - time)
}

/** The beginning of the hour that this time belongs to. Both are in seconds since 1970. */
export function startOfHour(time: number): number {
  return time - (time % 3600)
}

/** The earliest of these times; undefined if there is none. */
export function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}
