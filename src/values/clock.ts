/** The current time in seconds since 1970, the unit of every time we store and sign. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
