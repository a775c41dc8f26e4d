/** A whole number from 1 to `highest`. */
export function parsePort(value: string, highest = 65_535): number {
  const port = Number(value)
  if (Number.isInteger(port) && port > 0 && port <= highest) return port
  throw new RangeError(`--port must be a whole number from 1 to ${highest}.`)
}
